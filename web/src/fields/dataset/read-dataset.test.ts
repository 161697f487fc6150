/** Other tables in a form: read, chosen, and what was chosen among the columns of the one before. */
import type { DatasetField, MatchedField } from '@hengxi/contracts/contract';
import { expect, it } from 'vitest';

import { matchedBoxes, prunedMatched } from '../matched/read-matched.ts';
import { MATCHED, SAMPLES } from '../testing/samples.ts';
import { readDatasets, withDatasets } from './read-dataset.ts';

const RIGHT = SAMPLES.dataset.field;
const MANY: DatasetField = { ...RIGHT, key: 'files', many: true };
const [left, right] = MATCHED.slots;
if (!left || !right) throw new Error('the sample of matched has two slots');
const KEYS: MatchedField = {
  ...MATCHED,
  key: 'keys',
  slots: [
    { ...left, key: 'left' },
    { ...right, key: 'right', table: 'right' },
  ],
};

it('reads one, several and what is no table', () => {
  expect(readDatasets(RIGHT, { vid: 12, name: '成绩' })).toEqual([{ vid: 12, name: '成绩' }]);
  expect(readDatasets(MANY, [{ vid: 1 }, { vid: 'x' }, null])).toEqual([{ vid: 1 }]);
  expect(readDatasets(RIGHT, null)).toEqual([]);
});

it('forgets the columns of the table before', () => {
  const form = { right: { vid: 1 }, keys: [{ left: 'c1', right: 'c9' }] };
  expect(withDatasets([RIGHT, KEYS], form, RIGHT, [{ vid: 2, name: '乙' }])).toEqual({
    right: { vid: 2, name: '乙' },
    keys: [{ left: 'c1', right: null }],
  });
  expect(withDatasets([RIGHT], form, RIGHT, [])['right']).toBeNull();
});

it('makes boxes of the own columns only, and keeps the others when a column goes', () => {
  const value = [{ left: 'c1', right: 'c9' }];
  expect(matchedBoxes(KEYS, value).map(({ key }) => key)).toEqual(['keys/0/left', 'keys/1/left']);
  expect(prunedMatched(KEYS, value, () => false)).toEqual([{ left: null, right: 'c9' }]);
});
