/** Rows of the data with their numbers, as the report's variables read them; read only. */
import { text } from '@hengxi/contracts/format';
import type { ReactNode } from 'react';

import styles from './cases-table.module.css';
import type { CasesPage } from './context.ts';

interface Props {
  page: CasesPage;
  /** Spoken for the region, which scrolls sideways. */
  name: string;
  /** A column before the values: why a row is out. */
  reason?: ((row: number) => ReactNode) | undefined;
}

export function CasesTable({ page: { columns, rows, index }, name, reason }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={name}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">行</th>
            {reason === undefined ? null : <th scope="col">原因</th>}
            {columns.map((c) => (
              <th key={c.id} scope="col" title={c.name}>
                {c.label ?? c.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={index[r]}>
              <th scope="row">{(index[r] ?? 0) + 1}</th>
              {reason === undefined ? null : <td>{reason(r)}</td>}
              {row.map((cell, c) => (
                <td key={columns[c]?.id ?? c} className={cell === null ? styles['missing'] : undefined}>
                  {cell === null ? '缺失' : (labelOf(columns[c], cell) ?? written(cell))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Data are shown as they are, with all their digits. */
const written = (cell: unknown): string => (typeof cell === 'number' ? String(cell) : text(cell));

function labelOf(column: CasesPage['columns'][number] | undefined, cell: unknown): string | null {
  return column?.levels?.find((level) => level.value === cell)?.label ?? null;
}
