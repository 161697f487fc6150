/** New observations to put into a fitted model (contract: cases): one column for each variable, levels picked, numbers typed. */
import type { CasesField as Declaration } from '@hengxi/contracts/contract';
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';

import type { Column } from '../column.ts';
import { titleOf } from '../column.ts';
import { recordsOf } from '../form.ts';
import { useForm } from '../form-context.tsx';
import { columnsOf, LevelPicker, levelsOf } from '../level/level-field.tsx';
import { NumberInput } from '../number/number-field.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow } from '../parts.tsx';
import styles from './cases-field.module.css';

/** A typical observation to start from: medians, rounded as the data are, and the most frequent level. */
export function typical(columns: readonly Column[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => {
      if (column.measure === '定类') {
        const levels = levelsOf([column]).toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
        return [column.id, levels[0]?.value ?? null];
      }
      const middle = column.profile.median;
      return [column.id, typeof middle === 'number' ? Number(middle.toFixed(column.decimals ?? 2)) : null];
    }),
  );
}

export function CasesField({ field, value }: FieldProps<Declaration>) {
  const { form, known, set, readOnly } = useForm();
  const columns = columnsOf(field.of, form, known);
  const rows = recordsOf(value);
  if (columns.length === 0) return null;

  const change = (at: number, id: string, next: unknown): void => {
    set(
      field.key,
      rows.map((row, index) => (index === at ? { ...row, [id]: next } : row)),
      { text: `修改${field.title}`, tag: `${field.key}.${at}.${id}` },
    );
  };

  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div className={styles['list']}>
        {rows.map((row, at) => (
          // Rows have no identity of their own: their place is what the engine's messages name.
          <fieldset key={at} className={styles['case']} disabled={readOnly}>
            <legend>
              第 {at + 1} 行
              {readOnly ? null : (
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined />}
                  aria-label={`删除第 ${at + 1} 行`}
                  onClick={() =>
                    set(
                      field.key,
                      rows.filter((_, index) => index !== at),
                      { text: `${field.title}：删除第 ${at + 1} 行` },
                    )
                  }
                />
              )}
            </legend>
            {columns.map((column) => (
              <div key={column.id} className={styles['value']}>
                <span>{titleOf(column)}</span>
                {column.measure === '定类' ? (
                  <LevelPicker
                    levels={levelsOf([column])}
                    value={row[column.id]}
                    automatic={null}
                    label={{ text: `第 ${at + 1} 行 ${titleOf(column)}` }}
                    onChange={(next) => change(at, column.id, next)}
                  />
                ) : (
                  <NumberInput
                    value={typeof row[column.id] === 'number' ? Number(row[column.id]) : null}
                    label={{ text: `第 ${at + 1} 行 ${titleOf(column)}` }}
                    width={120}
                    onChange={(next) => change(at, column.id, next)}
                  />
                )}
              </div>
            ))}
          </fieldset>
        ))}
        {readOnly || rows.length >= field.max ? null : (
          <Button
            size="small"
            icon={<PlusOutlined />}
            onClick={() => set(field.key, [...rows, typical(columns)], { text: `${field.title}：加一行` })}
          >
            加一行
          </Button>
        )}
      </div>
    </FieldRow>
  );
}
