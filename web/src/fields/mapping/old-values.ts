/** The values that occur in the variables to be recoded, with their counts, and those that no rule takes. */
import { timed } from '../clock.ts';
import type { Column, Level } from '../column.ts';
import { same } from '../form.ts';
import { levelsOf } from '../level/level-field.tsx';
import type { Rule, Value } from './read-rules.ts';

/** Numbers have no list of categories; their commonest values are all there are when nothing else occurs. */
function numbersOf(column: Column): Level[] {
  const { levels, profile } = column;
  const top = profile.top ?? [];
  if (levels !== null || top.length === 0 || top.length < profile.distinct) return [];
  return top.map(({ value, count }) => timed({ value, label: String(value), count }, column));
}

export function valuesOf(columns: readonly Column[]): Level[] {
  const values = [...levelsOf(columns)];
  for (const level of columns.flatMap(numbersOf))
    if (!values.some((one) => same(one.value, level.value))) values.push(level);
  const isNumeric = values.every(({ value }) => typeof value === 'number');
  return isNumeric ? values.toSorted((a, b) => Number(a.value) - Number(b.value)) : values;
}

function takes({ old }: Rule, value: Value): boolean {
  if (old.is === 'missing') return false;
  if (old.is === 'values') return old.values.some((one) => same(one, value));
  if (typeof value !== 'number') return false;
  const { low, high, open } = old;
  const above = low === null || (open === 'low' || open === 'both' ? value > low : value >= low);
  const below = high === null || (open === 'high' || open === 'both' ? value < high : value <= high);
  return above && below;
}

export function unmapped(rules: readonly Rule[], values: readonly Level[]): Level[] {
  return values.filter(({ value }) => !rules.some((rule) => takes(rule, value)));
}
