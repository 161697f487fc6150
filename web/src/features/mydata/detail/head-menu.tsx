/** The menu of a column head: order, what to look at, width. Nothing in it changes data. */
import { CheckOutlined } from '@ant-design/icons';
import type { Column } from '@hengxi/server/files/schema';
import type { MenuProps } from 'antd';

import { levelTitle, titleOf } from '../../../fields/column.ts';
import { formatCount } from '../../../lib/format-size.ts';
import type { GridLayout } from './grid/use-column-layout.ts';
import { rowsWhere, type TableView } from './use-table-view.ts';

type Items = NonNullable<MenuProps['items']>;

const LEVELS_MOST = 15;
const STEP = 40;

/** A value as the condition language writes it. */
export function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return `"${value.replaceAll('"', '""')}"`;
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}

function onlyItems(column: Column, view: TableView): Items {
  const title = titleOf(column);
  const pick = (words: string, condition: string) => view.setPicked(rowsWhere(words, condition));
  const levels = (column.levels ?? []).slice(0, LEVELS_MOST).map((level) => ({
    key: `level ${String(level.value)}`,
    label: levelTitle(level),
    extra: level.count === null ? undefined : formatCount(level.count),
    onClick: () => pick(`“${title}”为“${levelTitle(level)}”的行`, `{${column.id}} = ${literal(level.value)}`),
  }));
  return [
    ...levels,
    ...(levels.length > 0 ? [{ type: 'divider' as const }] : []),
    {
      key: 'missing',
      label: '缺失的行',
      extra: formatCount(column.profile.missing),
      disabled: column.profile.missing === 0,
      onClick: () => pick(`“${title}”缺失的行`, `missing({${column.id}})`),
    },
    {
      key: 'present',
      label: '有值的行',
      extra: formatCount(column.profile.n),
      onClick: () => pick(`“${title}”有值的行`, `not missing({${column.id}})`),
    },
  ];
}

export function headMenu(column: Column, view: TableView, grid: GridLayout, width: number): Items {
  const mine = view.sort?.column === column.id ? view.sort : null;
  const icon = (on: boolean) =>
    on ? <CheckOutlined aria-hidden /> : <span aria-hidden="true" style={{ width: 14 }} />;
  return [
    {
      key: 'up',
      icon: icon(mine?.desc === false),
      label: '升序',
      onClick: () => view.setSort({ column: column.id, desc: false }),
    },
    {
      key: 'down',
      icon: icon(mine?.desc === true),
      label: '降序',
      onClick: () => view.setSort({ column: column.id, desc: true }),
    },
    { key: 'none', icon: icon(view.sort === null), label: '原顺序', onClick: () => view.setSort(null) },
    { type: 'divider' },
    { key: 'only', icon: icon(false), label: '只看', children: onlyItems(column, view) },
    {
      key: 'all',
      icon: icon(false),
      label: '看全部行',
      disabled: view.picked === null,
      onClick: () => view.setPicked(null),
    },
    { type: 'divider' },
    { key: 'freeze', icon: icon(grid.frozen), label: '冻结第一列', onClick: () => grid.freeze(!grid.frozen) },
    { key: 'wider', icon: icon(false), label: '加宽', onClick: () => grid.resize(column.id, width + STEP) },
    { key: 'narrower', icon: icon(false), label: '变窄', onClick: () => grid.resize(column.id, width - STEP) },
    { key: 'fit', icon: icon(false), label: '恢复列宽', onClick: () => grid.resize(column.id, null) },
  ];
}
