/** The menu of what is selected in the grid: rows and columns put in and taken out. Each is a step that can be undone. */
import type { Version } from '@hengxi/server/files/schema';
import type { MenuProps } from 'antd';

import { formatCount } from '../../../lib/format-size.ts';
import type { Rect } from './grid/selection.ts';

export type HandAct = 'above' | 'below' | 'left' | 'right' | 'delete rows' | 'delete columns' | 'replace';

/** As many as one step puts in, and takes out. */
export const ROWS_NEW = 1000;
export const ROWS_GONE = 10_000;

/** Whole columns are selected where every row is. */
export const isColumns = (rect: Rect, total: number): boolean =>
  total > 1 && rect.top === 0 && rect.bottom === total - 1;

export function cellMenu(
  version: Version,
  rect: Rect,
  total: number,
  act: (what: HandAct) => void,
): NonNullable<MenuProps['items']> {
  const rows = rect.bottom - rect.top + 1;
  const columns = rect.right - rect.left + 1;
  const off = version.locked;
  const whole = isColumns(rect, total);
  const item = (what: HandAct, label: string, extra = '', disabled = off) => ({
    key: what,
    label,
    extra,
    disabled,
    onClick: () => act(what),
  });
  const some = formatCount(Math.min(rows, ROWS_NEW));
  const byRows = whole
    ? []
    : [
        item('above', `在上方插入 ${some} 行`, 'Ctrl Alt ='),
        item('below', `在下方插入 ${some} 行`),
        item('delete rows', `删除 ${formatCount(rows)} 行`, 'Ctrl Alt -', off || rows >= version.rows),
        { type: 'divider' as const },
      ];
  return [
    ...(off ? [{ key: 'locked', label: '数据已锁定，不能改动', disabled: true }] : []),
    ...byRows,
    item('left', '在左侧插入列…', whole ? 'Ctrl Alt =' : ''),
    item('right', '在右侧插入列…'),
    item(
      'delete columns',
      `删除 ${formatCount(columns)} 列`,
      whole ? 'Ctrl Alt -' : '',
      off || columns >= version.columns.length,
    ),
    { type: 'divider' },
    item('replace', '查找和替换…', 'Ctrl H', false),
  ];
}
