/** Repeated measures as the wire has them: names of factors and levels, and a variable for each cell or long columns. */
import type { WithinField } from '@hengxi/contracts/contract';

import type { Box } from '../boxes/box.ts';
import { idsOf, isRecord, listOf, recordsOf } from '../form.ts';

export interface Factor {
  name: string;
  levels: readonly string[];
}

export interface Wide {
  layout: 'wide';
  factors: readonly Factor[];
  cells: readonly (string | null)[];
}

export interface Long {
  layout: 'long';
  subject: string | null;
  factors: readonly string[];
  value: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const START: readonly Factor[] = [{ name: '时间', levels: ['第1次', '第2次'] }];

export function readWithin(field: WithinField, value: unknown): Wide | Long {
  const given = isRecord(value) ? value : {};
  const layout = given['layout'] === 'long' || given['layout'] === 'wide' ? given['layout'] : field.layouts[0];
  if (layout === 'long')
    return {
      layout,
      subject: text(given['subject']),
      factors: idsOf(given['factors']),
      value: text(given['value']),
    };
  const factors = recordsOf(given['factors']).map((factor) => ({
    name: text(factor['name']) ?? '',
    levels: listOf(factor['levels']).map(String),
  }));
  const known = factors.length > 0 ? factors : START;
  const cells = listOf(given['cells']).map(text);
  return { layout: 'wide', factors: known, cells: cells.slice(0, combinations(known).length) };
}

/** The cells of the design in order, the last factor changing fastest: 前·甲、前·乙、后·甲、后·乙. */
export function combinations(factors: readonly Factor[]): string[][] {
  return factors.reduce<string[][]>(
    (rows, factor) => rows.flatMap((row) => factor.levels.map((level) => [...row, level])),
    [[]],
  );
}

const places = (factors: readonly Factor[]): string[] =>
  factors.reduce<string[]>((keys, factor) => keys.flatMap((key) => factor.levels.map((_, at) => `${key}/${at}`)), ['']);

/** Factors changed: with as many factors as before each cell keeps its variable, else they go on in their order. */
export function withFactors(wide: Wide, factors: readonly Factor[]): Wide {
  const isSameDesign = factors.length === wide.factors.length;
  const before = new Map(places(wide.factors).map((place, at) => [place, wide.cells[at] ?? null]));
  const cells = places(factors).map((place, at) =>
    isSameDesign ? (before.get(place) ?? null) : (wide.cells[at] ?? null),
  );
  return { layout: 'wide', factors, cells };
}

function withCell(wide: Wide, at: number, id: string | null): Wide {
  const size = combinations(wide.factors).length;
  const cells = Array.from({ length: size }, (_, index) => (index === at ? id : (wide.cells[index] ?? null)));
  return { ...wide, cells };
}

/** Several variables fill the open cells from here on; with one factor more levels are made where there are too few. */
function filled(field: WithinField, wide: Wide, at: number, ids: readonly string[]): Wide {
  const before = wide.cells[at] ?? null;
  const own = ids.find((id) => id !== before) ?? ids[0] ?? null;
  let next = withCell(wide, at, own);
  for (const id of ids.filter((other) => other !== own && other !== before && !next.cells.includes(other))) {
    let open = next.cells.findIndex((cell, index) => index > at && cell === null);
    const [factor] = next.factors;
    if (open < 0 && next.factors.length === 1 && factor !== undefined && factor.levels.length < field.levels[1]) {
      next = withFactors(next, [{ ...factor, levels: [...factor.levels, freshLevel(factor.levels)] }]);
      open = next.cells.length - 1;
    }
    if (open >= 0) next = withCell(next, open, id);
  }
  return next;
}

export function freshLevel(levels: readonly string[]): string {
  let number = levels.length + 1;
  while (levels.includes(`第${number}次`)) number += 1;
  return `第${number}次`;
}

export const withinKey = (field: string, part: string | number): string => `${field}/${part}`;

export function withinBoxes(field: WithinField, value: unknown): Box[] {
  const shown = readWithin(field, value);
  const common = { field: field.key, shared: [] };
  if (shown.layout === 'long') {
    const long = (current: unknown): Long => {
      const read = readWithin(field, current);
      return read.layout === 'long' ? read : { layout: 'long', subject: null, factors: [], value: null };
    };
    const slot = (key: 'subject' | 'value', title: string, measure: string): Box => ({
      ...common,
      key: withinKey(field.key, key),
      title,
      needs: { measure, use: key === 'subject' ? 'id' : null },
      many: false,
      min: 1,
      max: 1,
      badge: title.slice(0, 1),
      read: (current) => idsOf(long(current)[key]),
      write: (current, ids) => ({ ...long(current), [key]: ids[0] ?? null }),
    });
    return [
      slot('subject', '个案编号', '任意'),
      {
        ...common,
        key: withinKey(field.key, 'factors'),
        title: '重复测量因素',
        needs: { measure: '定类', levels: field.levels },
        many: true,
        min: field.factors[0],
        max: field.factors[1],
        badge: '因',
        read: (current) => [...long(current).factors],
        write: (current, ids) => ({ ...long(current), factors: ids }),
      },
      slot('value', '测量值', '定量'),
    ];
  }
  const wide = (current: unknown): Wide => {
    const read = readWithin(field, current);
    return read.layout === 'wide' ? read : { layout: 'wide', factors: START, cells: [] };
  };
  return combinations(shown.factors).map((levels, at) => ({
    ...common,
    key: withinKey(field.key, at),
    title: levels.join('·'),
    needs: { measure: '定量' },
    many: true,
    min: field.required ? 1 : 0,
    max: null,
    badge: String(at + 1),
    read: (current) => idsOf(wide(current).cells[at]),
    write: (current, ids) => filled(field, wide(current), at, ids),
  }));
}

export function prunedWithin(field: WithinField, value: unknown, has: (id: string) => boolean): unknown {
  if (!isRecord(value)) return value;
  const read = readWithin(field, value);
  const known = (id: string | null): string | null => (id !== null && has(id) ? id : null);
  if (read.layout === 'wide') return { ...read, cells: read.cells.map(known) };
  return { ...read, subject: known(read.subject), factors: read.factors.filter(has), value: known(read.value) };
}
