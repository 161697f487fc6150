/** Head of one column: type, name, distribution, how much is missing. */
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import type { Column } from '@hengxi/server/files/schema';

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
  active: boolean;
  sort: Sort | null;
  onSelect: () => void;
}

export function GridHead({ id, column, place, left, width, selected, active, sort, onSelect }: GridHeadProps) {
  const { missing, n } = column.profile;
  const rows = n + missing;
  const share =
    rows > 0 && missing > 0 ? `缺失 ${missing}（${((missing / rows) * 100).toFixed(1)}%）` : `缺失 ${missing}`;
  const classes = [styles['head']];
  if (selected) classes.push(styles['chosen']);
  if (active) classes.push(styles['active']);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the grid, which keeps the focus
    <div
      id={id}
      role="columnheader"
      tabIndex={-1}
      aria-colindex={place + 2}
      aria-sort={sort ? (sort.desc ? 'descending' : 'ascending') : 'none'}
      className={classes.join(' ')}
      style={{ left, width }}
      title={column.label ? `${column.name}　${column.label}` : column.name}
      onClick={onSelect}
    >
      <span className={styles['name']}>
        <MeasureIcon kind={measureKind(column)} size={13} />
        <span>{column.label ?? column.name}</span>
        {sort ? sort.desc ? <ArrowDownOutlined aria-hidden /> : <ArrowUpOutlined aria-hidden /> : null}
      </span>
      <MiniHistogram column={column} width={width - 20} height={26} />
      <span className={missing > 0 ? styles['some'] : styles['none']}>{share}</span>
    </div>
  );
}
