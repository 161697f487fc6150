/** Rows the user makes (contract: records): Enter in the last adds one, rows from a spreadsheet can be pasted. */
import type { RecordsField as Declaration } from '@hengxi/contracts/contract';
import { DeleteOutlined, PlusOutlined, UndoOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useEffect, useRef } from 'react';

import { PlainCell } from '../cells/plain-cell.tsx';
import { textOf } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint } from '../parts.tsx';
import { nameKey, pasted, readRecords, withNewRow } from './read-records.ts';
import styles from './records-field.module.css';

export function RecordsField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly, announce } = useForm();
  const rows = readRecords(value);
  const root = useRef<HTMLDivElement>(null);
  const adding = useRef(false);
  const name = nameKey(field);
  const rowTitle = (at: number): string => {
    const own = name === null ? '' : textOf(rows[at]?.[name]);
    return own === '' ? `第 ${at + 1} 行` : own;
  };

  useEffect(() => {
    // The new row is written into at once.
    if (!adding.current) return;
    adding.current = false;
    root.current?.querySelector<HTMLInputElement>('tbody tr:last-child input')?.select();
  }, [rows.length]);

  const add = (): void => {
    if (rows.length >= field.max) return;
    adding.current = true;
    set(field.key, withNewRow(field, value), { text: `${field.title}：加一行` });
  };
  const change = (at: number, key: string, next: unknown): void =>
    set(
      field.key,
      rows.map((row, index) => (index === at ? { ...row, [key]: next } : row)),
      { text: `修改${field.title}`, tag: `${field.key}.${at}.${key}` },
    );
  const drop = (at: number): void => {
    announce(`已删除“${rowTitle(at)}”`);
    set(
      field.key,
      rows.filter((_, index) => index !== at),
      { text: `${field.title}：删除“${rowTitle(at)}”` },
    );
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.stopPropagation();
    add();
  };
  const paste = (event: ClipboardEvent): void => {
    const next = pasted(field, value, event.clipboardData.getData('text'));
    if (next === null) return;
    event.preventDefault();
    set(field.key, next, { text: `${field.title}：粘贴 ${next.length - rows.length} 行` });
    announce(`已粘贴 ${next.length - rows.length} 行`);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter and a paste in any of its inputs add rows
    <section
      className={styles['records']}
      data-field={field.key}
      aria-labelledby={`records-${field.key}`}
      ref={root}
      onKeyDown={readOnly ? undefined : keys}
      onPaste={readOnly ? undefined : paste}
    >
      <h2 id={`records-${field.key}`}>
        {field.title}
        <Hint text={field.hint} />
      </h2>
      {rows.length === 0 ? (
        <p className={styles['none']}>还没有行。点“加一行”，或从表格里复制几行粘贴到这里</p>
      ) : (
        <div className={styles['scroll']}>
          <table className={styles['table']}>
            <thead>
              <tr>
                {field.cells.map((cell) => (
                  <th key={cell.key} scope="col">
                    {cell.title}
                    <Hint text={cell.hint} />
                  </th>
                ))}
                <th scope="col">
                  <span className="hx-hidden">删除</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={row.id}>
                  {field.cells.map((cell) => (
                    <td key={cell.key}>
                      <PlainCell
                        cell={cell}
                        value={row[cell.key]}
                        label={`${rowTitle(at)}：${cell.title}`}
                        disabled={readOnly}
                        onChange={(next) => change(at, cell.key, next)}
                      />
                    </td>
                  ))}
                  <td>
                    {readOnly ? null : (
                      <Button
                        type="text"
                        size="small"
                        icon={<DeleteOutlined aria-hidden />}
                        aria-label={`删除“${rowTitle(at)}”`}
                        onClick={() => drop(at)}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {readOnly ? null : (
        <div className={styles['foot']}>
          <Button size="small" icon={<PlusOutlined aria-hidden />} disabled={rows.length >= field.max} onClick={add}>
            加一行
          </Button>
          {rows.length === 0 ? null : (
            <Button
              size="small"
              type="text"
              icon={<UndoOutlined aria-hidden />}
              onClick={() => set(field.key, field.min > 0 ? withNewRow(field, []) : [], { text: `重置${field.title}` })}
            >
              重置
            </Button>
          )}
        </div>
      )}
      <Faults of={field.key} />
    </section>
  );
}
