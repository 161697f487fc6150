/** Head of one column: type, name, distribution, how much is missing; its menu, and the edge that changes its width. */
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import type { Column } from '@hengxi/server/files/schema';
import { memo, type MouseEvent, useEffect, useRef } from 'react';

import { formatCount } from '../../../../lib/format-size.ts';
import { MeasureIcon, measureKind } from '../../../../ui/measure-icon.tsx';
import styles from './data-grid.module.css';
import { MiniHistogram } from './mini-histogram.tsx';

export const HEAD_HEIGHT = 90;

export interface Sort {
  column: string;
  desc: boolean;
}

interface GridHeadProps {
  id: string;
  column: Column;
  place: number;
  left: number;
  width: number;
  selected: boolean;
  /** In the selected block. */
  marked: boolean;
  active: boolean;
  pinned: boolean;
  sort: Sort | null;
  onMenu: (column: Column, place: number) => void;
  onWidth: (column: Column, width: number) => void;
  onFit: (column: Column, place: number) => void;
}

function missingWords(column: Column): string {
  const { missing, n } = column.profile;
  const rows = n + missing;
  const count = formatCount(missing);
  return rows > 0 && missing > 0 ? `缺失 ${count}（${((missing / rows) * 100).toFixed(1)}%）` : `缺失 ${count}`;
}

export const GridHead = memo(function GridHead(props: GridHeadProps) {
  const { id, column, place, left, width, selected, marked, active, pinned, sort, onMenu, onWidth, onFit } = props;
  const classes = [styles['head']];
  if (selected) classes.push(styles['chosen']);
  else if (marked) classes.push(styles['marked']);
  if (active) classes.push(styles['active']);
  if (pinned) classes.push(styles['pinnedHead']);
  return (
    <div
      id={id}
      role="columnheader"
      aria-colindex={place + 2}
      aria-sort={sort ? (sort.desc ? 'descending' : 'ascending') : 'none'}
      className={classes.join(' ')}
      style={{ left, width }}
      title={column.label ? `${column.name}　${column.label}` : column.name}
    >
      <span className={styles['name']}>
        <MeasureIcon kind={measureKind(column)} size={13} />
        <span>{column.label ?? column.name}</span>
        {sort ? sort.desc ? <ArrowDownOutlined aria-hidden /> : <ArrowUpOutlined aria-hidden /> : null}
      </span>
      <MiniHistogram column={column} width={Math.max(0, width - 20)} height={26} />
      <span className={column.profile.missing > 0 ? styles['some'] : styles['none']}>{missingWords(column)}</span>
      <button
        type="button"
        tabIndex={-1}
        data-own
        className={styles['more']}
        aria-label={`${column.label ?? column.name}的菜单`}
        title="排序、只看、列宽（Alt ↓）"
        onClick={() => onMenu(column, place)}
      >
        <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true">
          <path d="M2 4l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </svg>
      </button>
      <WidthEdge column={column} width={width} onWidth={onWidth} onFit={() => onFit(column, place)} />
    </div>
  );
});

/** While columns fly by only their names are drawn. */
export function FlyingHead({ column, place, left, width }: Pick<GridHeadProps, 'column' | 'place' | 'left' | 'width'>) {
  return (
    <div role="columnheader" aria-colindex={place + 2} className={styles['head']} style={{ left, width }}>
      <span className={styles['name']}>{column.label ?? column.name}</span>
    </div>
  );
}

interface WidthEdgeProps {
  column: Column;
  width: number;
  onWidth: (column: Column, width: number) => void;
  onFit: () => void;
}

/** Drawn with the mouse; from the keyboard the menu widens, narrows and fits. */
function WidthEdge({ column, width, onWidth, onFit }: WidthEdgeProps) {
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const start = (event: MouseEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const from = event.clientX;
    const move = (moved: globalThis.MouseEvent) => onWidth(column, width + moved.clientX - from);
    const end = () => {
      removeEventListener('mousemove', move);
      removeEventListener('mouseup', end);
      stop.current = null;
    };
    addEventListener('mousemove', move);
    addEventListener('mouseup', end);
    stop.current = end;
  };
  return <span data-own aria-hidden="true" className={styles['edge']} onMouseDown={start} onDoubleClick={onFit} />;
}
