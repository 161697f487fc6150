/** A word of the type language as an edit of columns: measure, order and flags together. */
import type { ColumnEdit } from '@hengxi/server/files/schema';

import { isNumber } from './boxes/fit.ts';
import { scored, scoringOf } from './scoring.ts';
import type { Column } from './column.ts';
import type { MeasureKind } from '../ui/measure-icon.tsx';

export function retyped(column: Column, kind: MeasureKind): ColumnEdit {
  const { id } = column;
  switch (kind) {
    case '定量': {
      const scoring = scoringOf(column);
      if (scoring !== null) return scored(column, scoring);
      return { id, measure: '定量', ordered: false, flags: [] };
    }
    case '量表题':
      // Stored as what it is: numbers stay numbers, labelled answers stay ordered categories.
      return isNumber(column)
        ? { id, measure: '定量', ordered: false, flags: ['量表'] }
        : { id, measure: '定类', ordered: true, flags: ['量表'] };
    case '定类':
      return { id, measure: '定类', ordered: false, flags: [] };
    case '定序':
      return { id, measure: '定类', ordered: true, flags: [] };
    case '时间':
      return { id, measure: '时间', ordered: false, flags: [] };
    case '标识':
      return { id, flags: ['标识'] };
    default:
      return { id, measure: '文本', ordered: false, flags: [] };
  }
}
