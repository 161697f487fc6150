/** Cells that were read otherwise than they are written: how many rows hold one, and the way from one to the next. */
import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Tooltip } from 'antd';
import { type RefObject, useState } from 'react';

import { formatCount } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { findRow, oddCellsQuery } from '../queries.ts';
import styles from './data-tab.module.css';
import type { GridHandle } from './grid/data-grid.tsx';
import { nextColumn } from './use-find.ts';
import { lookOf, type TableView } from './use-table-view.ts';

interface ConvertedCellsProps {
  version: Version;
  view: TableView;
  grid: RefObject<GridHandle | null>;
}

interface At {
  /** Under which order and condition the row has its place. */
  of: string;
  row: number;
  number: number;
  columns: number[];
}

export function ConvertedCells({ version, view, grid }: ConvertedCellsProps) {
  const { find } = view;
  const look = lookOf(view);
  const of = JSON.stringify(look);
  const { condition, filter_type } = look;
  const total = useQuery(oddCellsQuery(version.vid, condition, filter_type)).data?.total ?? 0;
  const [at, setAt] = useState<At | null>(null);
  const here = at?.of === of ? at : null;
  // A search for text counts rows anew; the places below would be others.
  if (total === 0 || find !== '') return null;
  const step = async (back: boolean) => {
    const place = grid.current?.place() ?? null;
    if (here && place?.row === here.row) {
      const column = nextColumn(here.columns, place.column, back);
      if (column !== null) {
        grid.current?.goTo({ row: here.row, column });
        return;
      }
    }
    const from = place === null ? (back ? -1 : 0) : place.row + (here && place.row === here.row ? (back ? -1 : 1) : 0);
    const hit = await findRow(version.vid, { ...look, odd: true, row: from, back });
    if (hit.row === null) return;
    const order = new Map(version.columns.map((column, index) => [column.id, index]));
    const columns = hit.columns.flatMap((id) => order.get(id) ?? []).sort((a, b) => a - b);
    setAt({ of, row: hit.row, number: hit.before + 1, columns });
    grid.current?.goTo({ row: hit.row, column: (back ? columns.at(-1) : columns[0]) ?? 0 });
  };
  return (
    <span className={styles['odd']}>
      <CheckMark state="care" decorative />
      <span role="status">
        写法特别的单元格：{here ? `${formatCount(here.number)} / ` : ''}
        {formatCount(total)} 行
      </span>
      <Tooltip title="上一处">
        <Button
          type="text"
          size="small"
          aria-label="上一处写法特别的单元格"
          icon={<LeftOutlined aria-hidden />}
          onClick={() => void step(true)}
        />
      </Tooltip>
      <Tooltip title="下一处">
        <Button
          type="text"
          size="small"
          aria-label="下一处写法特别的单元格"
          icon={<RightOutlined aria-hidden />}
          onClick={() => void step(false)}
        />
      </Tooltip>
    </span>
  );
}
