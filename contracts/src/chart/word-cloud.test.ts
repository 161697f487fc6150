/** Words of a cloud never lie over each other and stay inside their shape; a heavier word is never smaller. */
import { expect, test } from 'vitest';

import type { Cell, TableElement } from '../../generated/contract.ts';
import { column, table as namedTable } from '../testing/reports.ts';
import type { Context } from './drawing.ts';
import { chartSource } from './source.ts';
import { LIGHT } from './theme.ts';
import { arrangedWords } from './word-cloud.ts';

const words = Array.from({ length: 80 }, (_, i): Cell[] => [
  `词语${i}`,
  Math.round(400 / (i + 1)),
  i % 4 === 3 ? 90 : 0,
]);
const disc = Array.from({ length: 40 }, (_, y): Cell[] => [
  Array.from({ length: 40 }, (_, x) => ((x - 19.5) ** 2 + (y - 19.5) ** 2 <= 400 ? '1' : '0')).join(''),
]);
const tables = new Map<string, TableElement>([
  ['cloud', namedTable('cloud', [column('w', 'text'), column('n', 'num'), column('t', 'num')], words)],
  ['frame', namedTable('frame', [column('line', 'text')], disc)],
]);

test.each([340, 760])('at a width of %i nothing overlaps, sizes follow weights, the shape is kept', (width) => {
  const chart = {
    type: 'chart',
    id: 'c',
    name: 'c',
    place: 'main',
    title: '词云',
    at: null,
    facet: [],
    over: [],
    titles: {},
    thinned: null,
    kind: 'words',
    of: 'cloud',
    word: 'w',
    weight: 'n',
    group: null,
    rows: null,
    turn: 't',
    mask: 'frame',
  } as const;
  const source = chartSource({ ...chart, facet: [], over: [], titles: {} }, tables);
  if (source === null) throw new Error('the tables are there');
  const context = { width, compact: width < 500, theme: LIGHT } as Context;
  const { list, inside } = arrangedWords(source, context);
  expect(list.length).toBeGreaterThan(60);
  for (const [k, a] of list.entries()) {
    expect(inside(a.x - a.w / 2, a.y - a.h / 2) && inside(a.x + a.w / 2, a.y + a.h / 2)).toBe(true);
    for (const b of list.slice(k + 1)) {
      expect(Math.abs(a.x - b.x) >= (a.w + b.w) / 2 || Math.abs(a.y - b.y) >= (a.h + b.h) / 2).toBe(true);
      expect(a.size).toBeGreaterThanOrEqual(b.size);
    }
  }
});
