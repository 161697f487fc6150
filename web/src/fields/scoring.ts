/** Answers in words as scores: which scale they are of, in which order, and the edit that scores them. */
import type { ColumnEdit } from '@hengxi/server/files/schema';

import type { MeasureKind } from '../ui/measure-icon.tsx';
import type { Column } from './column.ts';
import { KIND_MEANING, levelTitle } from './column.ts';

export interface Scoring {
  /** What 1 … k are called. */
  labels: readonly string[];
  scores: Readonly<Record<string, number>>;
  /** Items of a rating scale, not grades of a school. */
  isRating: boolean;
}

const LEAST = 2;
const MOST = 11;
const NUMBER = /^\s*[-+]?[\d,]*\.?\d+\s*$/;
/** Below this share of numbers among the most frequent cells a text holds words. */
const MOSTLY = 0.5;

/** Text of which most cells are no numbers: to read it as numbers would lose the answers. */
export function isWords({ storage, profile, levels }: Column): boolean {
  if (storage !== 'text') return false;
  const cells = (levels ?? profile.top ?? []).map(({ value, count }) => ({ value: String(value), n: count ?? 1 }));
  const all = cells.reduce((sum, { n }) => sum + n, 0);
  const numbers = cells.reduce((sum, { value, n }) => sum + (NUMBER.test(value) ? n : 0), 0);
  return all === 0 || numbers < MOSTLY * all;
}

/** How the words would be scored: by the scale they are of, else by the order the user gave them. */
export function scoringOf(column: Column): Scoring | null {
  if (!isWords(column)) return null;
  const { wording, ordered } = column;
  if (wording) return { labels: wording.labels, scores: wording.scores, isRating: true };
  const levels = column.measure === '定类' && ordered ? (column.levels ?? []) : [];
  if (levels.length < LEAST || levels.length > MOST) return null;
  return {
    labels: levels.map(levelTitle),
    scores: Object.fromEntries(levels.map(({ value }, at) => [String(value), at + 1])),
    isRating: false,
  };
}

/** 按 1–5 计分（1 非常不同意 … 5 非常同意）. */
export function scoringText({ labels }: Scoring): string {
  return `按 1–${labels.length} 计分（1 ${labels[0] ?? ''} … ${labels.length} ${labels.at(-1) ?? ''}）`;
}

export function scored({ id }: Column, { scores, isRating }: Scoring): ColumnEdit {
  return { id, measure: '定量', ordered: false, flags: isRating ? ['量表'] : [], scores: { ...scores } };
}

/** Of columns that shall become numbers: those that are words without an order, which no score could be given. */
export function unscorable(columns: readonly Column[]): readonly Column[] {
  return columns.filter((column) => isWords(column) && scoringOf(column) === null);
}

export const UNSCORABLE = '是文字，不能当作数字；可先在“生成变量”中给每个选项编码';

/** What a type means for this column: words become scores. */
export function meaningFor(column: Column, kind: MeasureKind): string {
  const scoring = kind === '定量' ? scoringOf(column) : null;
  return scoring === null ? KIND_MEANING[kind] : scoringText(scoring);
}
