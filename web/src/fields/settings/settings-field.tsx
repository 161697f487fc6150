/** One row of settings for each variable of another field (contract: settings): the rows follow that field. */
import type { Field, SettingsField as Declaration } from '@hengxi/contracts/contract';

import { misfitOf } from '../boxes/fit.ts';
import { PlainCell } from '../cells/plain-cell.tsx';
import type { Column } from '../column.ts';
import { titleOf } from '../column.ts';
import { recordsOf } from '../form.ts';
import { useForm } from '../form-context.tsx';
import { columnsOf, LevelPicker, levelsOf } from '../level/level-field.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow } from '../parts.tsx';
import styles from './settings-field.module.css';

interface CellProps {
  cell: Field;
  column: Column;
  value: unknown;
  /** The engine's choice where the user made none. */
  automatic: unknown;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

function Cell({ cell, column, value, automatic, disabled, onChange }: CellProps) {
  const text = `${titleOf(column)}：${cell.title}`;
  switch (cell.type) {
    case 'level': {
      const levels = levelsOf([column]);
      const taken = levels.find((level) => level.value === automatic);
      return (
        <LevelPicker
          levels={levels}
          value={value}
          automatic={
            cell.auto === null ? null : taken === undefined ? cell.auto.title : (taken.label ?? String(taken.value))
          }
          label={{ text }}
          disabled={disabled}
          onChange={onChange}
        />
      );
    }
    default:
      return <PlainCell cell={cell} value={value} label={text} disabled={disabled} onChange={onChange} />;
  }
}

/** As the engine: a number that merely has few values gets no row where categories are meant. */
function rowsFor(field: Declaration, columns: readonly Column[]): Column[] {
  if (field.measure === '定类') return columns.filter((column) => column.measure === '定类');
  return columns.filter((column) => misfitOf(column, { measure: field.measure }) === null);
}

export function SettingsField({ field, value }: FieldProps<Declaration>) {
  const { form, resolved, known, set, readOnly } = useForm();
  const rows = rowsFor(field, columnsOf([field.of, ...field.also], form, known));
  const given = recordsOf(value);
  const taken = recordsOf(resolved[field.key]);
  if (rows.length === 0) return null;

  const change = (column: Column, key: string, next: unknown): void => {
    const shown = new Set(rows.map((row) => row.id));
    const others = given.filter((row) => row['for'] !== column.id && shown.has(String(row['for'])));
    const own = { ...given.find((row) => row['for'] === column.id), for: column.id, [key]: next };
    set(field.key, [...others, own], {
      text: `修改${field.title}：${titleOf(column)}`,
      tag: `${field.key}.${column.id}.${key}`,
    });
  };

  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <table className={styles['table']}>
        {field.cells.length > 1 ? (
          <thead>
            <tr>
              <th scope="col">变量</th>
              {field.cells.map((cell) => (
                <th key={cell.key} scope="col">
                  {cell.title}
                </th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {rows.map((column) => (
            <tr key={column.id}>
              <th scope="row">{titleOf(column)}</th>
              {field.cells.map((cell) => (
                <td key={cell.key}>
                  <Cell
                    cell={cell}
                    column={column}
                    value={given.find((row) => row['for'] === column.id)?.[cell.key]}
                    automatic={taken.find((row) => row['for'] === column.id)?.[cell.key]}
                    disabled={readOnly}
                    onChange={(next) => change(column, cell.key, next)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </FieldRow>
  );
}
