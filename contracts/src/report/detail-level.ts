/**
 * How much of a report a document holds: 主要结果 is what one hands in, 全部明细 all that was computed, 只要结果 what a
 * document of many reports has of each: its conclusion, tables and figures.
 */
import type { CheckElement, Element } from '../../generated/contract.ts';
import { CHECK_WORDS } from './check-words.ts';

export const DETAIL_LEVELS = ['brief', 'main', 'all'] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/** Of tables and figures that repeat for each variable or pair, as many stand among the main results. */
const MOST = { table: 4, figure: 2 };

/** The name its repetitions share: `box`, `box:1`, `box:2`. */
const familyOf = (id: string): string => id.replace(/:\d+$/, '');

interface MainResults {
  elements: Element[];
  omitted: { tables: number; figures: number };
}

/** The first of every family of repetitions, and how many were left out. */
export function mainResults(list: readonly Element[]): MainResults {
  const seen = new Map<string, number>();
  const omitted = { tables: 0, figures: 0 };
  const elements = list.filter((element) => {
    if (element.type !== 'table' && element.type !== 'chart' && element.type !== 'panel') return true;
    const isTable = element.type === 'table';
    const family = familyOf(element.id);
    const before = seen.get(family) ?? 0;
    seen.set(family, before + 1);
    if (before < (isTable ? MOST.table : MOST.figure)) return true;
    omitted[isTable ? 'tables' : 'figures'] += 1;
    return false;
  });
  return { elements, omitted };
}

/** 另有 3 张表、5 张图…; empty where nothing was left out. */
export function omittedNote({ tables, figures }: MainResults['omitted']): string {
  const parts = [...(tables > 0 ? [`${tables} 张表`] : []), ...(figures > 0 ? [`${figures} 张图`] : [])];
  return parts.length === 0 ? '' : `另有 ${parts.join('、')}同样按变量给出，导出时选“全部明细”可得到。`;
}

/** What passed is one line; what did not is said in full. */
export function briefChecks(checks: readonly CheckElement[]): { full: CheckElement[]; passed: string } {
  const names = (list: readonly CheckElement[]): string =>
    list.map(({ title, at }) => (at === null ? title : `${title} ${at}`)).join('、');
  const passed = checks.filter(({ state }) => state === 'pass');
  return {
    full: checks.filter(({ state }) => state !== 'pass'),
    passed: passed.length === 0 ? '' : `${CHECK_WORDS.pass}：${names(passed)}。`,
  };
}
