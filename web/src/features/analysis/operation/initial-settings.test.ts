import type { Declaration } from '@hengxi/contracts/contract';
import type { Config } from '@hengxi/server/reports/schema';
import { describe, expect, test } from 'vitest';

import { COMMON, GROUP, OUTCOME, SURVEY } from '../../../fields/testing/harness.tsx';
import type { OpenReport } from '../queries.ts';
import { changedCount, emptyForm } from '../../../fields/form-start.ts';
import { sectionsOf } from '../../../fields/method-form.tsx';
import { filterOf, splitOf } from './boxes-of.ts';
import { fitted, formWith, startForm } from './initial-settings.ts';

const flag = { ...COMMON, key: 'robust', title: '稳健', type: 'flag' as const, default: false, advanced: true };
const levels = {
  ...COMMON,
  key: 'groups',
  title: '两组',
  type: 'level' as const,
  of: ['group'],
  many: [2, 2] as [number, number],
  ordered: true,
  typed: false,
};
const declaration = {
  path: 'g/m',
  fields: [GROUP, OUTCOME, levels, flag],
  weights: [],
  split: true,
  needs_data: true,
} as unknown as Declaration;
const none = { declaration, columns: SURVEY, asked: [], carry: null, report: null, config: null, draft: null };
const report = (made_at: string, form: Record<string, unknown>): OpenReport =>
  ({ made_at, form }) as unknown as OpenReport;
const config = (saved_at: string, form: Record<string, unknown>): Config =>
  ({ form: { form, saved_at } }) as unknown as Config;

describe('what an analysis starts from', () => {
  test('variables named in the address go into the boxes that take them', () => {
    expect(formWith(declaration, SURVEY, ['c3', 'c1', 'c5', 'c4'])).toEqual({ group: 'c1', y: ['c3', 'c4'] });
  });
  test('nothing: empty boxes, defaults left to the declaration', () => {
    expect(startForm(none).form).toEqual({ group: null, y: [] });
  });
  test('the last settings of this method on this file come back after a reload', () => {
    const draft = { form: { group: 'c1', y: ['c3'], robust: true }, vid: 1, at: '2026-01-01' };
    expect(startForm({ ...none, draft })).toEqual({ form: { group: 'c1', y: ['c3'], robust: true }, restored: true });
  });
  test('of a report the newest of draft, saved form and report itself', () => {
    const made = report('2026-01-02', { group: 'c1', y: ['c3'] });
    expect(
      startForm({ ...none, report: made, config: config('2026-01-01', { group: 'c2', y: [] }) }).form['group'],
    ).toBe('c1');
    expect(startForm({ ...none, report: made, config: config('2026-01-03', { group: 'c2', y: [] }) })).toMatchObject({
      form: { group: 'c2' },
      restored: true,
    });
  });
  test('columns that are gone leave their boxes', () => {
    expect(fitted(declaration, SURVEY, { group: 'c99', y: ['c3', 'c98'] })).toEqual({ group: null, y: ['c3'] });
  });
  test('what another method hands over is taken as far as the fields are the same', () => {
    expect(startForm({ ...none, carry: { group: 'c2', other: 1, _filter: '{c3} > 1' } }).form).toEqual({
      group: 'c2',
      y: [],
      _filter: '{c3} > 1',
    });
  });
});

describe('the card', () => {
  test('a picker of levels stands below its box; what is advanced is folded and counted when changed', () => {
    const sections = sectionsOf(declaration.fields);
    expect(sections.boxes.map((field) => field.key)).toEqual(['group', 'groups', 'y']);
    expect(sections.advanced.map((field) => field.key)).toEqual(['robust']);
    expect(changedCount(sections.advanced, { robust: true })).toBe(1);
    expect(changedCount(sections.advanced, {})).toBe(0);
    expect(emptyForm(declaration)).toEqual({ group: null, y: [] });
  });
  test('a missing key means what the version has active, null means none', () => {
    const active = {
      filter: { condition: '{c3} > 1', filter_type: 'keep' as const, reduce_num: 3, filter_count: 9 },
      weight: null,
      split: { column: 'c2', levels: null, total: true },
    };
    expect(filterOf({}, active)).toMatchObject({ condition: '{c3} > 1', inherited: true });
    expect(filterOf({ _filter: null }, active)).toBeNull();
    expect(filterOf({ _filter: '{c4} > 2' }, active)).toMatchObject({ condition: '{c4} > 2', inherited: false });
    expect(splitOf({ _split: null }, active)).toBeNull();
    expect(splitOf({}, active)?.column).toBe('c2');
  });
});
