/** The structure of a questionnaire: kept with a version, carried on, never of what is gone, nobody else's. */
import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../../testing/makers.ts';
import { fileStage } from '../../../testing/stages.ts';
import { column } from '../../../testing/tables.ts';
import { asIn, moved, questionnaireLeft, turnedLeft } from './kept.ts';
import type { Questionnaire } from './schema.ts';

const BASE = '/v1/user/file/versions';
const on = fileStage();
let { world, person, fid, vid } = on;
beforeEach(() => {
  ({ world, person, fid, vid } = on);
});

const dimension = (more: object = {}) => ({
  id: 'd1',
  name: '满意',
  columns: ['c2', 'c3', 'c4'],
  reversed: ['c3'],
  low: 1,
  high: 5,
  ...more,
});
const KEPT: Questionnaire = {
  dimensions: [dimension()],
  matrices: [{ id: 'm1', name: '评价', columns: ['c3', 'c4'] }],
  background: ['c1'],
};
const put = (kept: object = KEPT, at = vid) => call(world, person, 'PUT', `${BASE}/${at}/questionnaire`, { ...kept });
const keptIn = async (at: number) => (await call(world, person, 'GET', `${BASE}/${at}`)).data.questionnaire;

describe('the structure of a questionnaire', () => {
  test('is nothing until it is confirmed, stays through edits, and is not asked again after undo', async () => {
    expect(await keptIn(vid)).toBeNull();
    const edited = await call(world, person, 'POST', `${BASE}/${vid}/edits`, { columns: [{ id: 'c2', name: '岁数' }] });
    const next = edited.data.vid;
    expect((await put(KEPT, next)).data).toEqual(KEPT);
    expect(await keptIn(next)).toEqual(KEPT);
    await call(world, person, 'PATCH', `/v1/user/file/${fid}`, { head: vid });
    expect(await keptIn(vid)).toEqual(KEPT);
  });

  test('of one version is not changed by that of another; forgotten, it is nothing again', async () => {
    await put();
    const edited = await call(world, person, 'POST', `${BASE}/${vid}/edits`, { columns: [{ id: 'c2', name: '岁数' }] });
    await put({ ...KEPT, background: [] }, edited.data.vid);
    expect((await keptIn(vid)).background).toEqual(['c1']);
    await call(world, person, 'DELETE', `${BASE}/${vid}/questionnaire`);
    expect(await keptIn(vid)).toBeNull();
    expect((await keptIn(edited.data.vid)).background).toEqual([]);
  });

  test('is shown beside what the engine proposes', async () => {
    const proposed = { ...KEPT, dimensions: [dimension({ reversed: [], against: [{ column: 'c3', r: -0.4 }] })] };
    const asked: unknown[] = [];
    world.engine.on('POST', '/tables/:key/questionnaire/propose', (body) => {
      asked.push(body);
      return { body: proposed };
    });
    expect((await call(world, person, 'GET', `${BASE}/${vid}/questionnaire`)).data).toEqual({ kept: null, proposed });
    expect(asked).toEqual([{ sets: [] }]);
  });

  test('asks which items run against the others', async () => {
    world.engine.on('POST', '/tables/:key/questionnaire/against', ({ columns }) => ({
      body: [{ column: columns[1], r: -0.25 }],
    }));
    const ask = (columns: string[]) => call(world, person, 'POST', `${BASE}/${vid}/questionnaire/against`, { columns });
    expect((await ask(['c2', 'c3', 'c4'])).data).toEqual([{ column: 'c3', r: -0.25 }]);
    expect((await ask(['c2', 'c77'])).status).toBe(422);
  });

  test.each([
    ['column.gone', { dimensions: [dimension({ columns: ['c2', 'c77'], reversed: [] })] }],
    ['questionnaire.twice', { dimensions: [dimension({ columns: ['c2', 'c2'], reversed: [] })] }],
    ['questionnaire.reversed', { dimensions: [dimension({ reversed: ['c1'] })] }],
    ['questionnaire.ends', { dimensions: [dimension({ low: 5, high: 5 })] }],
    ['questionnaire.name', { dimensions: [dimension(), dimension({ id: 'd2', columns: ['c1', 'c2'], reversed: [] })] }],
    [
      'questionnaire.overlap',
      { dimensions: [dimension(), dimension({ id: 'd2', name: '别的', columns: ['c1', 'c2'], reversed: [] })] },
    ],
    [
      'questionnaire.id',
      { dimensions: [dimension(), dimension({ name: '别的', columns: ['c1', 'c2'], reversed: [] })] },
    ],
    ['column.gone', { background: ['c9'] }],
  ])('is refused: %s', async (code, change) => {
    const { status, body } = await put({ ...KEPT, ...change });
    expect([status, body.fields[0].code]).toEqual([422, code]);
    expect(await keptIn(vid)).toBeNull();
  });

  test('a dimension of one item, or a name of 41 letters, is no form', async () => {
    expect((await put({ ...KEPT, dimensions: [dimension({ columns: ['c2'], reversed: [] })] })).status).toBe(400);
    expect((await put({ ...KEPT, dimensions: [dimension({ name: '字'.repeat(41) })] })).status).toBe(400);
  });

  test("of somebody else's version is as absent as none", async () => {
    const other = await makePerson(world);
    for (const [method, at, body] of [
      ['GET', '', undefined],
      ['PUT', '', KEPT],
      ['DELETE', '', undefined],
      ['POST', '/against', { columns: ['c1', 'c2'] }],
    ] as const)
      expect((await call(world, other, method, `${BASE}/${vid}/questionnaire${at}`, body)).status).toBe(404);
    expect(await keptIn(vid)).toBeNull();
  });
});

describe('in the next version', () => {
  test('what is gone is left out, and a group of one item with it', () => {
    expect(questionnaireLeft(KEPT, [column('c2', '二'), column('c4', '四')])).toEqual({
      dimensions: [dimension({ columns: ['c2', 'c4'], reversed: [] })],
      matrices: [],
      background: [],
    });
    expect(moved(KEPT, (id) => (id === 'c1' ? undefined : `${id}1`)).dimensions[0]?.reversed).toEqual(['c31']);
  });

  test('an item that a step has turned is reversed no more; one that was only rescaled still is', () => {
    const of = (mean: number) => [column('c3', '三', { profile: { mean } })];
    expect(turnedLeft(KEPT, of(2.2), of(3.8))?.dimensions[0]?.reversed).toEqual([]);
    expect(turnedLeft(KEPT, of(2.2), of(2.2))?.dimensions[0]?.reversed).toEqual(['c3']);
    expect(turnedLeft(KEPT, of(2.2), of(4.4))?.dimensions[0]?.reversed).toEqual(['c3']);
  });

  test('confirmed on one version, an item is reversed in those where it runs the other way', () => {
    const of = (mean: number) =>
      ['c2', 'c3', 'c4'].map((id) => column(id, id, { profile: { mean: id === 'c3' ? mean : 4 } }));
    const turned = { ...KEPT, dimensions: [dimension({ reversed: [] })] };
    expect(asIn(turned, of(3.8), of(2.2)).dimensions[0]?.reversed).toEqual(['c3']);
    expect(asIn(KEPT, of(2.2), of(3.8)).dimensions[0]?.reversed).toEqual([]);
    expect(asIn(KEPT, of(2.2), of(2.2)).dimensions[0]?.reversed).toEqual(['c3']);
  });
});
