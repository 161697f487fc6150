/** The grid of a table of counts: names at its edges, sums beside it; arrows walk, a block from a spreadsheet is pasted. */
import { CloseOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import type { ClipboardEvent, KeyboardEvent } from 'react';

import styles from './counts.module.css';
import {
  type Axis,
  canRemove,
  columnsOf,
  type Place,
  readCount,
  totalsOf,
  type TypedTable,
  wordsOf,
} from './typed-table.ts';

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface GridProps {
  table: TypedTable;
  layer: number;
  onCell: (place: Place, typed: string) => void;
  onName: (axis: Axis, at: number, name: string) => void;
  onRemove: (axis: Axis, at: number) => void;
  onPaste: (place: Place, text: string) => boolean;
}

export const focusCell = (within: ParentNode | null | undefined, row: number, column: number): boolean => {
  const input = within?.querySelector<HTMLInputElement>(`[data-cell="${row}/${column}"] input`);
  input?.focus();
  input?.select();
  return input !== null && input !== undefined;
};

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const input = event.target;
  if (step === undefined || event.nativeEvent.isComposing || !(input instanceof HTMLInputElement)) return;
  const [row = 0, column = 0] = (input.closest('[data-cell]')?.getAttribute('data-cell') ?? '').split('/').map(Number);
  // Left and right first walk through what is typed.
  if (step[1] < 0 && (input.selectionStart !== 0 || input.selectionEnd !== 0) && !isWhole(input)) return;
  if (step[1] > 0 && input.selectionEnd !== input.value.length) return;
  if (focusCell(event.currentTarget.closest('table'), row + step[0], column + step[1])) event.preventDefault();
}

const isWhole = ({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean =>
  selectionStart === 0 && selectionEnd === value.length;

export function CountsGrid({ table, layer, onCell, onName, onRemove, onPaste }: GridProps) {
  const columns = columnsOf(table);
  const totals = totalsOf(table, layer);
  const isOne = table.kind === 'one';
  const paste = (event: ClipboardEvent, row: number, column: number): void => {
    if (onPaste({ layer, row: Math.max(row, 0), column: Math.max(column, 0) }, event.clipboardData.getData('text')))
      event.preventDefault();
  };
  const removeButton = (axis: Axis, at: number) => (
    <Button
      type="text"
      size="small"
      className={styles['remove'] ?? ''}
      icon={<CloseOutlined aria-hidden />}
      disabled={!canRemove(table, axis)}
      aria-label={`删除“${table[axis][at] ?? ''}”这一${axis === 'rows' ? '行' : '列'}`}
      onClick={() => onRemove(axis, at)}
    />
  );
  const nameCell = (axis: 'rows' | 'columns', at: number) => {
    const [row, column] = axis === 'rows' ? [at, -1] : [-1, at];
    return (
      <div
        className={styles['name']}
        data-cell={`${row}/${column}`}
        onKeyDownCapture={walk}
        onPaste={(event) => paste(event, row, column)}
      >
        <Input
          aria-label={`第 ${at + 1} ${axis === 'rows' ? '行' : '列'}的名称`}
          value={table[axis][at] ?? ''}
          maxLength={100}
          onChange={(event) => onName(axis, at, event.target.value)}
        />
        {removeButton(axis, at)}
      </div>
    );
  };

  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label="频数表">
      <table className={styles['grid']}>
        <thead>
          <tr>
            <td aria-hidden />
            {columns.map((at) => (
              <th key={at} scope="col">
                {isOne ? (
                  '频数'
                ) : table.same ? (
                  <span className={styles['fixed']}>{table.columns[at]}</span>
                ) : (
                  nameCell('columns', at)
                )}
              </th>
            ))}
            {isOne ? null : <th scope="col">合计</th>}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((_, row) => (
            <tr key={row}>
              <th scope="row">{nameCell('rows', row)}</th>
              {columns.map((column) => {
                const typed = table.cells[layer]?.[row]?.[column] ?? '';
                const isWrong = typed.trim() !== '' && readCount(typed) === null;
                return (
                  <td
                    key={column}
                    data-cell={`${row}/${column}`}
                    onKeyDownCapture={walk}
                    onPaste={(event) => paste(event, row, column)}
                  >
                    <Input
                      className={styles['count'] ?? ''}
                      inputMode="numeric"
                      aria-label={`${wordsOf(table, { layer, row, column })}的频数`}
                      aria-invalid={isWrong}
                      {...(isWrong ? { status: 'error' as const } : {})}
                      value={typed}
                      maxLength={16}
                      onChange={(event) => onCell({ layer, row, column }, event.target.value)}
                    />
                  </td>
                );
              })}
              {isOne ? null : <td className={styles['sum']}>{totals.rows[row]}</td>}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">合计</th>
            {columns.map((column) => (
              <td key={column} className={styles['sum']}>
                {totals.columns[column]}
              </td>
            ))}
            {isOne ? null : <td className={styles['sum']}>{totals.layer}</td>}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
