/** Model terms: what the presets stand for, and the words of a term. The wire keeps `{preset, terms}`. */
import { idsOf, isRecord, listOf } from '../form.ts';

export type Preset = 'main' | 'two_way' | 'full' | 'custom';

/** Columns multiplied with each other; `nested`: the first within the others. */
export interface Term {
  columns: readonly string[];
  nested: boolean;
}

export interface Model {
  preset: Preset;
  terms: readonly Term[];
}

export const PRESET_WORD: Record<Preset, string> = {
  main: '仅主效应',
  two_way: '两两交互',
  full: '全因子',
  custom: '自定义',
};

const PRESETS: readonly string[] = ['main', 'two_way', 'full', 'custom'];
const isPreset = (value: unknown): value is Preset => typeof value === 'string' && PRESETS.includes(value);

function readTerm(value: unknown): Term | null {
  if (isRecord(value)) return { columns: idsOf(value['nested']), nested: true };
  const columns = idsOf(value);
  return columns.length === 0 ? null : { columns, nested: false };
}

export function readModel(value: unknown): Model {
  const given = isRecord(value) ? value : {};
  const preset = isPreset(given['preset']) ? given['preset'] : 'main';
  return {
    preset,
    terms: listOf(given['terms'])
      .map(readTerm)
      .filter((term) => term !== null),
  };
}

function combinations(ids: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return ids.flatMap((id, at) => combinations(ids.slice(at + 1), size - 1).map((rest) => [id, ...rest]));
}

/** The terms a preset makes of the columns; as the engine makes them. */
export function presetTerms(preset: Preset, ids: readonly string[], order: number): Term[] {
  const highest = preset === 'main' ? 1 : preset === 'two_way' ? Math.min(2, order) : order;
  return Array.from({ length: highest }, (_, at) => combinations(ids, at + 1))
    .flat()
    .map((columns) => ({ columns, nested: false }));
}

export function writeModel(model: Model): Record<string, unknown> {
  if (model.preset !== 'custom') return { preset: model.preset };
  return {
    preset: 'custom',
    terms: model.terms.map((term) => (term.nested ? { nested: term.columns } : term.columns)),
  };
}

export function termWords(term: Term, nameOf: (id: string) => string): string {
  const names = term.columns.map(nameOf);
  return term.nested ? `${names[0] ?? ''}（${names.slice(1).join('×')}）` : names.join('×');
}

export function sameTerm(a: Term, b: Term): boolean {
  if (a.nested !== b.nested || a.columns.length !== b.columns.length) return false;
  return a.nested ? a.columns.every((id, at) => id === b.columns[at]) : a.columns.every((id) => b.columns.includes(id));
}
