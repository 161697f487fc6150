import { expect, test } from 'vitest';

import { describeEdit } from './edits.ts';
import type { Column } from './schema.ts';

const worded: Column = {
  id: 'c1',
  name: 'Q1',
  label: '界面清晰',
  measure: '定类',
  ordered: true,
  flags: [],
  storage: 'text',
  decimals: 0,
  unit: null,
  why: '',
  levels: [{ value: '不同意', label: '不同意', count: 3 }],
  missing: { values: [], ranges: [] },
  profile: { n: 3, missing: 0, distinct: 1 },
};

test('words that became scores are told with their ends, as one change', () => {
  const scores = { 不同意: 1, 一般: 2, 同意: 3 };
  const levels = Object.entries(scores).map(([label, value]) => ({ value, label, count: 1 }));
  const after: Column = { ...worded, measure: '定量', ordered: false, flags: ['量表'], storage: 'int', levels, scores };
  const step = describeEdit([worded], [after], [{ id: 'c1', measure: '定量', scores }]);
  expect(step?.changes).toEqual(['“界面清晰”按 1–3 计分（1 不同意 … 3 同意）']);
});
