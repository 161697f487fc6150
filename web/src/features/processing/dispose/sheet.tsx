/** The table with what the step changes marked in it: cells with old and new, columns and rows that come and go. */
import type { Cell, CameRow, DataStep, PreviewColumn } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';
import { isCode } from '@hengxi/contracts/missing-codes';
import type { ReactNode } from 'react';

import { isClock } from '../../../fields/clock.ts';
import type { Column } from '../../../fields/column.ts';
import { CellWords, HeadWords, isGap } from './cell-words.tsx';
import styles from './compare.module.css';

/** In words beside the colour, for the colour alone would tell nothing to many. */
export const CHANGES: Record<PreviewColumn['change'], string | null> = {
  new: '新增',
  changed: '改动',
  removed: '删除',
  same: null,
};

export function Mark({ change }: { change: PreviewColumn['change'] }) {
  return CHANGES[change] === null ? null : (
    <>
      {' '}
      <small className={styles['mark']}>{CHANGES[change]}</small>
    </>
  );
}

interface HeadProps {
  column: { id: string; name: string; label: string | null };
  /** Null where a click does nothing. */
  onPick: ((id: string) => void) | null;
  picked?: boolean | undefined;
  title?: string | undefined;
  children?: ReactNode;
}

/** A variable is put into the form by its head, too. */
export function Head({ column, onPick, picked, title, children }: HeadProps) {
  const words = (
    <>
      <HeadWords column={column} />
      {children}
    </>
  );
  return onPick === null ? (
    words
  ) : (
    <button
      type="button"
      className={styles['pick']}
      title={title}
      aria-pressed={picked}
      onClick={() => onPick(column.id)}
    >
      {words}
    </button>
  );
}

/** Whether the numbers of a column are times on this side: recoding a time makes codes, filling one makes times. */
export function isTimeOn(
  side: 'before' | 'after',
  column: PreviewColumn,
  cell: Cell | undefined,
  old?: Column,
): boolean {
  const times = side === 'after' ? column.clock_after : old !== undefined && isClock(old);
  return times && !(old !== undefined && isCode(cell, old));
}

interface SheetProps {
  step: DataStep;
  /** The columns before the step. */
  known: ReadonlyMap<string, Column>;
  onPick: ((id: string) => void) | null;
}

interface RowProps extends Pick<SheetProps, 'step' | 'known'> {
  row: number;
}

function Before({ column, cell, known }: { column: PreviewColumn; cell: Cell | undefined; known: Column | undefined }) {
  return <CellWords cell={cell} labels={column.labels_before} isTime={isTimeOn('before', column, cell, known)} />;
}

function After({ column, cell, known }: { column: PreviewColumn; cell: Cell | undefined; known: Column | undefined }) {
  return <CellWords cell={cell} labels={column.labels_after} isTime={isTimeOn('after', column, cell, known)} />;
}

function Row({ step: { preview }, known, row }: RowProps) {
  const old = preview.before[row];
  const now = preview.after[row];
  const number = preview.rows[row] ?? row + 1;
  const sources = preview.columns.map(({ source }) => preview.columns.findIndex(({ id }) => id === source));
  const leaves = now === null || now === undefined;
  return (
    <tr className={leaves ? styles['leaves'] : undefined}>
      <th scope="row">
        {integer(number)}
        {leaves ? <Mark change="removed" /> : null}
      </th>
      {preview.columns.map((column, at) => {
        const before = { column, cell: old?.[at], known: known.get(column.id) };
        const after = { ...before, cell: now?.[at] };
        const gone = leaves || column.change === 'removed';
        const shown = gone ? before : after;
        const isNew = !leaves && column.change === 'new';
        const filled = isNew && column.source !== null && old?.[sources[at] ?? -1] !== now?.[at];
        const differs = !gone && !isNew && old?.[at] !== now?.[at];
        return (
          <td
            key={column.id}
            data-change={gone && !leaves ? 'removed' : isNew ? 'new' : undefined}
            data-number={typeof shown.cell === 'number' ? '' : undefined}
            data-gap={isGap(shown.cell) && !(leaves && column.change === 'new') ? '' : undefined}
            data-differs={differs || filled ? '' : undefined}
          >
            {leaves && column.change === 'new' ? null : differs ? (
              <>
                <del>
                  <Before {...before} />
                </del>{' '}
                <ins>
                  <After {...after} />
                </ins>
              </>
            ) : gone ? (
              <Before {...before} />
            ) : filled ? (
              <ins>
                <After {...after} />
              </ins>
            ) : (
              <After {...after} />
            )}
          </td>
        );
      })}
    </tr>
  );
}

function NewRow({ step: { preview }, known, came }: Pick<SheetProps, 'step' | 'known'> & { came: CameRow }) {
  return (
    <tr className={styles['comes']}>
      <th scope="row">
        {integer(came.row)}
        <Mark change="new" />
      </th>
      {preview.columns.map((column, at) => (
        <td key={column.id} data-number={typeof came.cells[at] === 'number' ? '' : undefined}>
          {column.change === 'removed' ? null : (
            <After column={column} cell={came.cells[at]} known={known.get(column.id)} />
          )}
        </td>
      ))}
    </tr>
  );
}

export function Sheet({ step, known, onPick }: SheetProps) {
  const { preview } = step;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wide tables scroll, also by keyboard
    <div className={styles['sheet']} tabIndex={0} role="region" aria-label="处理后">
      <table>
        <thead>
          <tr>
            <th scope="col">行</th>
            {preview.columns.map((column) => (
              <th key={column.id} scope="col" data-change={column.change}>
                <Head column={column} onPick={known.has(column.id) ? onPick : null} title="放入合适的框">
                  <Mark change={column.change} />
                </Head>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((number, row) => (
            <Row key={number} step={step} known={known} row={row} />
          ))}
          {preview.came.map((came) => (
            <NewRow key={`+${came.row}`} step={step} known={known} came={came} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
