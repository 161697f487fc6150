/** Recoding rules: what a line takes, what it gives; the wire of the contract and the line of the editor. */
import { halfWidth, readNumber } from '../number/read-number.ts';
import { isRecord, recordsOf } from '../form.ts';

export type Value = string | number | boolean;

export type Old =
  | { is: 'values'; values: readonly Value[] }
  | { is: 'span'; low: number | null; high: number | null; open: 'none' | 'low' | 'high' | 'both' }
  | { is: 'missing' };

export type New = { is: 'value'; value: Value } | { is: 'missing' } | { is: 'copy' };

export interface Rule {
  old: Old;
  new: New;
  label: string;
}

const OPEN = ['none', 'low', 'high', 'both'] as const;
const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);
const bound = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function readOld(value: unknown): Old {
  if (isRecord(value)) {
    if (value['missing'] === true) return { is: 'missing' };
    const open = OPEN.find((one) => one === value['open']) ?? 'none';
    return { is: 'span', low: bound(value['low']), high: bound(value['high']), open };
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  // A line just added holds an empty text: no value has been picked yet.
  return { is: 'values', values: list.filter(isValue).filter((one) => one !== '') };
}

function readNew(value: unknown): New {
  if (isRecord(value)) return { is: 'copy' };
  return value === null || value === undefined
    ? { is: 'missing' }
    : { is: 'value', value: isValue(value) ? value : '' };
}

export function readRules(value: unknown): Rule[] {
  return recordsOf(value).map((line) => ({
    old: readOld(line['old']),
    new: readNew(line['new']),
    label: typeof line['label'] === 'string' ? line['label'] : '',
  }));
}

function writeOld(old: Old): unknown {
  if (old.is === 'missing') return { missing: true };
  if (old.is === 'span') return { low: old.low, high: old.high, open: old.open };
  return old.values.length === 1 ? old.values[0] : old.values.length === 0 ? '' : [...old.values];
}

/** Whether a line says what it takes; only such lines are worth keeping in a scheme. */
export const isFinished = ({ old }: Rule): boolean => old.is !== 'values' || old.values.length > 0;

export function writeRules(rules: readonly Rule[]): Record<string, unknown>[] {
  return rules.map((rule) => ({
    old: writeOld(rule.old),
    new: rule.new.is === 'copy' ? { copy: true } : rule.new.is === 'missing' ? null : rule.new.value,
    ...(rule.label === '' ? {} : { label: rule.label }),
  }));
}

/** What is typed for a value: a number where it reads as one, text otherwise. */
export function readValue(typed: string): Value {
  const number = readNumber(typed);
  // `1.` is on its way to 1.5: it must not be shortened while it is typed.
  return number !== null && String(number) === typed.trim() ? number : typed;
}

/** Several old values of one line, separated by commas. */
export function readValues(typed: string): Value[] {
  return typed
    .split(/[,，、;；]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => readNumber(halfWidth(part)) ?? part);
}

/** Reverse scoring of a scale: lowest becomes highest. */
export function reversed(values: readonly number[]): Rule[] {
  const sorted = [...new Set(values)].toSorted((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  return sorted.map((value) => ({
    old: { is: 'values', values: [value] },
    new: { is: 'value', value: low + high - value },
    label: '',
  }));
}
