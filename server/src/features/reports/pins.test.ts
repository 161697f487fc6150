import { beforeEach, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { reportStage } from '../../testing/stages.ts';

const on = reportStage();
let { world, person, pid, rid } = on;
beforeEach(() => {
  ({ world, person, pid, rid } = on);
});

const url = () => `/v1/analysis/projects/${pid}/pins`;
const pin = (more: object = {}) => ({
  rid,
  rev: 1,
  block: 'comparison',
  source: '表 1',
  row: '男',
  column: 'p',
  shown: '.002**',
  exact: '0.001988',
  ...more,
});
const read = async (who = person) => (await call(world, who, 'GET', url())).data.list;
const save = (pins: object[], who = person) => call(world, who, 'PUT', url(), { pins });

test('numbers are kept with what leads back to their report, replaced as a list, and go with the report', async () => {
  expect(await read()).toEqual([]);
  expect((await save([pin(), pin({ row: '女' })])).status).toBe(200);
  expect(await read()).toMatchObject([{ ...pin(), title: expect.any(String), vid: expect.any(Number) }, { row: '女' }]);
  await save([pin({ row: '女' })]);
  expect(await read()).toHaveLength(1);
  await call(world, person, 'DELETE', `/v1/analysis/projects/${pid}/reports/${rid}`);
  expect(await read()).toEqual([]);
});

test('another person sees none of them and can pin nothing there', async () => {
  await save([pin()]);
  const other = await makePerson(world);
  expect((await call(world, other, 'GET', url())).status).toBe(404);
  expect((await save([pin()], other)).status).toBe(404);
  expect(await read()).toHaveLength(1);
});

test('only numbers as they stand in tables, and not without end', async () => {
  expect((await save([pin({ script: 'x' })])).status).toBe(400);
  expect((await save([pin({ shown: 'x'.repeat(200) })])).status).toBe(400);
  expect((await save(Array.from({ length: 61 }, (_, i) => pin({ row: String(i) })))).status).toBe(400);
});
