import { expect, it } from 'vitest';
import { namedTables } from './datasets.ts';

const OWNER = { kind: 'user', id: 1 } as never;
const METHOD = { fields: [{ type: 'dataset', key: 'right' }, { type: 'flag', key: 'x' }] } as never;

const find = async (_: unknown, vid: number) =>
  vid === 12 ? ({ vid, name: '成绩', tableKey: 't_12', rows: 3 } as never) : null;

it('gives the engine the tables of the owner and nothing of a foreign one', async () => {
  expect(await namedTables(find, OWNER, METHOD, { right: { vid: 12 } })).toEqual({
    right: [{ vid: 12, name: '成绩', key: 't_12' }],
  });
  expect(await namedTables(find, OWNER, METHOD, { right: { vid: 13 } })).toEqual({ right: [] });
  expect(await namedTables(find, OWNER, METHOD, { right: [{ vid: 13 }, { vid: 12 }] })).toEqual({
    right: [{ vid: 12, name: '成绩', key: 't_12' }],
  });
});

it('asks nothing for a method without such a field, and of what is no number', async () => {
  expect(await namedTables(find, OWNER, { fields: [] }, {})).toBeNull();
  expect(await namedTables(find, OWNER, METHOD, { right: { vid: '12; drop' } })).toEqual({ right: [] });
});
