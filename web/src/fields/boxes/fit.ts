/**
 * Which column fits which box, and why not, in the words shown while dragging. The browser only prevents what it can see from
 * the column's profile; the engine judges, and its sentence replaces ours as soon as something misfitting is dropped.
 */
import { integer } from '@hengxi/contracts/format';

import type { Column, Measure } from '../column.ts';
import { distinctOf, levelCount, titleOf } from '../column.ts';
import { setOf } from '../answer-sets.ts';
import { isWords, scoringOf, scoringText } from '../scoring.ts';
import { measureKind } from '../../ui/measure-icon.tsx';

export interface Needs {
  /** 任意 takes everything; several words are joined by "/" on the wire. */
  measure: string;
  /** Fewest and most groups; null = no limit on that side. */
  levels?: readonly (number | null)[] | null;
  values?: string | null;
  ordered?: boolean;
  varies?: boolean;
  /** Takes multiple-answer questions as one thing. */
  sets?: boolean;
  /** label, id: names the rows and never drops one; weight: what a row counts. */
  use?: string | null;
}

export interface Misfit {
  /** The whole sentence. */
  text: string;
  /** The sentence without the name: said in a narrow place, while the name is under the pointer. */
  why: string;
  /** A change of type that would make it fit, offered as a button. */
  becomes: Measure | null;
  /** What the button says where it is more than 改为定量. */
  doing?: string;
}

/** As the contract has it: numbers with up to this many values also divide into groups. */
export const FEW_VALUES = 20;

/** As the engine reads it: stored as numbers, whatever the measure. */
export function isNumber(column: Column): boolean {
  return column.storage === 'int' || column.storage === 'float' || column.storage === 'bool';
}

const misfit = (column: Column, why: string, becomes: Measure | null = null): Misfit => ({
  text: `“${titleOf(column)}”${why}`,
  why,
  becomes,
});

function measureMisfit(column: Column, { measure, levels }: Needs): Misfit | null {
  const kind = measureKind(column);
  const scale = column.flags.includes('量表');
  switch (measure) {
    case '定量':
      if (column.measure === '定量' || (scale && isNumber(column))) return null;
      if (isWords(column)) {
        const scoring = scoringOf(column);
        const why = '是文字选项，这里要数值';
        return scoring === null
          ? misfit(column, column.measure === '文本' ? '是文本，这里要数值' : why)
          : { ...misfit(column, why, '定量'), doing: scoringText(scoring) };
      }
      return misfit(column, `是${kind}，不能求平均`, '定量');
    case '定类':
    case '有序': {
      const number = isNumber(column);
      if (column.measure !== '定类' && !scale && !(number && distinctOf(column) <= FEW_VALUES)) {
        const most = levels?.[1] ?? null;
        // Another type would only lead to the next refusal.
        if (most !== null && distinctOf(column) > most)
          return misfit(column, `是${kind}，有 ${integer(distinctOf(column))} 个不同取值，最多 ${most} 组`);
        if (number) {
          const k = integer(distinctOf(column));
          // Only codes are whole numbers; of a quantity every value would be a group of its own.
          const becomes = column.profile.whole === true ? '定类' : null;
          return misfit(column, `是${kind}，有 ${k} 个不同取值，超过 ${FEW_VALUES} 个不能直接分组`, becomes);
        }
        return misfit(column, `是${kind}，不能直接分组`, '定类');
      }
      return measure === '有序' && !column.ordered && !scale && !number
        ? misfit(column, `是${kind}，类别没有先后`)
        : null;
    }
    case '时间':
      if (column.measure === '时间' || (isNumber(column) && column.profile.whole === true)) return null;
      return misfit(column, `是${kind}，这里要日期或整数`, '时间');
    case '文本':
      if (column.measure === '文本' || column.measure === '定类') return null;
      return misfit(column, `是${kind}，这里要文本`, '文本');
    default:
      return null;
  }
}

function levelsMisfit(column: Column, levels: Needs['levels']): Misfit | null {
  if (levels === null || levels === undefined) return null;
  const [low, high] = [levels[0] ?? null, levels[1] ?? null];
  const count = levelCount(column);
  const countText = integer(count);
  if (count === 0) return null;
  if (high !== null && count > high) {
    return misfit(
      column,
      low === high ? `有 ${countText} 组，这里只比较 ${high} 组` : `有 ${countText} 组，最多 ${high} 组`,
    );
  }
  if (low !== null && count < low) return misfit(column, `只有 ${count} 组，至少要 ${low} 组`);
  return null;
}

function valuesMisfit(column: Column, values: string | null | undefined): Misfit | null {
  const profile = column.profile;
  if (values === null || values === undefined) return null;
  if (values === 'non_negative' && profile.non_negative === false) return misfit(column, `含负数，这里要求不小于 0`);
  if (values === 'positive' && profile.positive === false) return misfit(column, `含 0 或负数，这里要求大于 0`);
  if (values === 'whole' && profile.whole === false) return misfit(column, `不全是整数`);
  if (values === 'binary' && distinctOf(column) > 2)
    return misfit(column, `有 ${integer(distinctOf(column))} 个取值，这里要两个`);
  return null;
}

export function misfitOf(column: Column, needs: Needs): Misfit | null {
  if (setOf(column) !== null)
    return needs.sets === true ? null : misfit(column, '是多选题集（一题多列），这里一个变量只占一列');
  const naming = needs.use === 'label' || needs.use === 'id';
  if (naming) return null;
  if (column.profile.n === 0) return misfit(column, `没有有效值`);
  if (needs.use === 'weight' && !isNumber(column)) return misfit(column, `是${measureKind(column)}，权重要用数值`);
  const wrong =
    (needs.use === 'weight' ? null : measureMisfit(column, needs)) ??
    valuesMisfit(column, needs.values) ??
    levelsMisfit(column, needs.levels);
  if (wrong !== null) return wrong;
  if (needs.varies === true && distinctOf(column) < 2) return misfit(column, `只有一个取值`);
  return null;
}

const COUNT_WORD = ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九', '十'];
const groups = (n: number): string => `${COUNT_WORD[n] ?? n}组`;

/** The line right of a box's title: 定类 · 正好 1 个 · 两组. */
export function needsLine(needs: Needs, min: number, max: number | null): string {
  const parts: string[] = [needs.measure];
  if (min === max) parts.push(`正好 ${min} 个`);
  else if (min === 0) parts.push(max === null ? '可不选' : `最多 ${max} 个，可不选`);
  else parts.push(max === null ? `至少 ${min} 个` : `${min}–${max} 个`);
  const [low, high] = [needs.levels?.[0] ?? null, needs.levels?.[1] ?? null];
  if (low !== null && low === high) parts.push(groups(low));
  else if (low !== null && low > 1 && high !== null) parts.push(`${low}–${high} 组`);
  else if (high !== null) parts.push(`最多 ${high} 组`);
  else if (low !== null) parts.push(`${groups(low)}以上`);
  return parts.join(' · ');
}
