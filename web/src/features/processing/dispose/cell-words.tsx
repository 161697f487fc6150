/** A cell, and the name of a column, in words. */
import type { Cell, LevelCell } from '@hengxi/contracts/contract';

import { clockText } from '../../../fields/clock.ts';
import styles from './compare.module.css';

const DIGITS = 8;

export const isGap = (cell: Cell | undefined): boolean => cell === null || cell === undefined || cell === '';

function textOf(cell: Cell | undefined, isTime: boolean): string {
  if (cell === null || cell === undefined || cell === '') return '缺失';
  if (typeof cell === 'number' && isTime) return clockText(cell);
  if (typeof cell === 'number') return String(Number(cell.toPrecision(DIGITS)));
  if (typeof cell === 'boolean') return cell ? '是' : '否';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** 合格 1: what the code is called, and the code, for two codes may be called the same. */
interface CellWordsProps {
  cell: Cell | undefined;
  labels: readonly Pick<LevelCell, 'value' | 'label'>[];
  isTime: boolean;
}

export function CellWords({ cell, labels, isTime }: CellWordsProps) {
  const label = labels.find(({ value }) => value === cell)?.label;
  return label === undefined || label === '' || (typeof cell !== 'object' && label === String(cell)) ? (
    textOf(cell, isTime)
  ) : (
    <>
      {label} <small className={styles['code']}>{textOf(cell, isTime)}</small>
    </>
  );
}

/** The label as everywhere, and the name where it says something else. */
export function HeadWords({ column: { name, label } }: { column: { name: string; label: string | null } }) {
  return label === null || label === '' || label === name ? (
    name
  ) : (
    <>
      <span title={label}>{label}</span> <small className={styles['code']}>{name}</small>
    </>
  );
}
