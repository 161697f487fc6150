import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';

const BASE = '/v1/user/coding-schemes';
const RULES = [
  { old: [1, 2], new: 1, label: '低' },
  { old: { low: 3, high: null, open: 'low' }, new: '高' },
  { old: { missing: true }, new: null },
  { old: 'x', new: { copy: true } },
];
let world: World;
let person: Person;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  person = await makePerson(world);
});
afterAll(() => world.close());

const post = (body: Record<string, unknown>, who = person) => call(world, who, 'POST', BASE, body);
const list = async (who = person) => (await call(world, who, 'GET', BASE)).data;

test('a scheme is kept, found by its name, gets other rules under the same name, and goes', async () => {
  const { data } = await post({ name: ' 三分 ', rules: RULES });
  expect(data).toMatchObject({ id: expect.any(Number), name: '三分', rules: RULES });
  await post({ name: '二分', rules: RULES.slice(0, 1) });
  const changed = (await post({ name: '三分', rules: RULES.slice(1, 2) })).data;
  expect(changed.id).toBe(data.id);
  expect(await list()).toMatchObject({
    total: 2,
    list: expect.arrayContaining([expect.objectContaining({ name: '三分', rules: RULES.slice(1, 2) })]),
  });
  expect((await call(world, person, 'DELETE', `${BASE}/${data.id}`)).status).toBe(200);
  expect((await list()).total).toBe(1);
});

test('schemes of others are neither seen, overwritten nor deleted', async () => {
  const { data } = await post({ name: '三分', rules: RULES });
  const other = await makePerson(world);
  expect((await list(other)).total).toBe(0);
  expect((await post({ name: '三分', rules: RULES.slice(0, 1) }, other)).data.id).not.toBe(data.id);
  expect((await call(world, other, 'DELETE', `${BASE}/${data.id}`)).status).toBe(404);
  expect((await list()).list[0].rules).toEqual(RULES);
});

test('rules that are none are refused in words', async () => {
  for (const [rules, words] of [
    [[], '至少要有一条'],
    [[{ old: { low: 'x', high: 3 } }], 'rules.0.old'],
    [[{ old: 1, more: 2 }], 'more'],
  ] as const) {
    const reply = await post({ name: 'x', rules });
    expect(reply).toMatchObject({ status: 400, body: { msg: expect.stringContaining(words) } });
  }
});
