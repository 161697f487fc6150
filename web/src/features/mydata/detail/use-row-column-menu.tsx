/** Rows and columns put in and taken out from the menus and keys of the grid. */
import type { Version } from '@hengxi/server/files/schema';
import { type ReactNode, useState } from 'react';

import { formatCount } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { cellMenu, type HandAct, isColumns, ROWS_GONE, ROWS_NEW } from './cell-menu.ts';
import type { RowColumnActions, HandOf } from './grid/data-grid.tsx';
import type { Rect } from './grid/selection.ts';
import { InsertColumnDialog } from './insert-column-dialog.tsx';
import type { UseCellEdits } from './use-cell-edits.ts';
import { useTableEdits } from './use-table-edits.ts';
import type { TableView } from './use-table-view.ts';

const MARK = { width: 14 };

export function useRowColumnMenu(version: Version, view: TableView, edits: UseCellEdits, onReplace: () => void) {
  const shape = useTableEdits(version, edits);
  /** The place among the columns where a new one comes. */
  const [newColumn, setNewColumn] = useState<number | null>(null);
  const before = newColumn === null ? null : (version.columns[newColumn]?.id ?? null);

  /** Numbers in the whole table of the selected rows, however they are sorted and narrowed. */
  const withRows = (of: HandOf, rect: Rect, use: (rows: number[]) => void): void => {
    const found = of.read({ ...rect, left: of.active.column, right: of.active.column });
    if (!(found instanceof Promise)) return use(found.index);
    found.then(({ index }) => use(index)).catch(() => toast.bad('这些行没有读到，没有改动'));
  };
  const insertRows = (of: HandOf, isBelow: boolean): void => {
    const { top, bottom } = of.rect;
    const row = isBelow ? bottom : top;
    const count = Math.min(bottom - top + 1, ROWS_NEW);
    withRows(of, { ...of.rect, top: row, bottom: row }, ([number = 0]) => {
      const at = number + (isBelow ? 1 : 0);
      shape.mutate({ shape: { op: 'insert_rows', at, count }, column: of.active.column });
    });
  };
  const deleteRows = (of: HandOf): void => {
    const { top, bottom } = of.rect;
    if (bottom - top + 1 > ROWS_GONE) {
      toast.warn(`一次最多删除 ${formatCount(ROWS_GONE)} 行；更多的行请用“数据处理”里的筛选`);
      return;
    }
    withRows(of, of.rect, (rows) => shape.mutate({ shape: { op: 'delete_rows', rows }, column: of.active.column }));
  };
  const deleteColumns = ({ left, right }: Rect): void => {
    const columns = version.columns.slice(left, right + 1).map(({ id }) => id);
    if (columns.length >= version.columns.length) {
      toast.warn('不能删除全部列，至少留一列');
      return;
    }
    shape.mutate({ shape: { op: 'delete_columns', columns }, column: left });
  };
  const act = (of: HandOf) => (what: HandAct) => {
    switch (what) {
      case 'above':
      case 'below':
        return insertRows(of, what === 'below');
      case 'delete rows':
        return deleteRows(of);
      case 'left':
        return setNewColumn(of.rect.left);
      case 'right':
        return setNewColumn(of.rect.right + 1);
      case 'delete columns':
        return deleteColumns(of.rect);
      case 'replace':
        return onReplace();
    }
  };
  const hand: RowColumnActions = {
    menu: (of) => cellMenu(version, of.rect, of.total, act(of)),
    onKey: (what, of) => {
      if (version.locked) toast.note('数据已锁定；在右上角解除后才能改动');
      else if (isColumns(of.rect, of.total)) act(of)(what === 'insert' ? 'left' : 'delete columns');
      else act(of)(what === 'insert' ? 'above' : 'delete rows');
    },
  };
  /** In the menu of a column head: that column, whatever is selected. */
  const columnItems = (at: number) => {
    const total = view.total ?? version.rows;
    const rect = { top: 0, bottom: Math.max(1, total - 1), left: at, right: at };
    const read = () => ({ cells: [], index: [] });
    const items = cellMenu(version, rect, rect.bottom + 1, act({ rect, active: { row: -1, column: at }, total, read }));
    // In line with the items of the head, which have a place for a mark.
    return items.map((item) => (item && 'label' in item ? { ...item, icon: <span style={MARK} /> } : item));
  };
  const dialog: ReactNode =
    newColumn === null ? null : (
      <InsertColumnDialog
        version={version}
        before={before}
        onClose={() => setNewColumn(null)}
        onInsert={(column) => {
          setNewColumn(null);
          shape.mutate({ shape: { op: 'insert_columns', before, columns: [column] }, column: newColumn });
        }}
      />
    );
  return { hand, columnItems, dialog };
}
