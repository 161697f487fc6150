/** Variables that belong together, row by row (contract: matched); several dropped at once fill the column downwards. */
import type { MatchedField as Declaration } from '@hengxi/contracts/contract';
import { ArrowRightOutlined, DeleteOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';

import { CellBox } from '../boxes/cell-box.tsx';
import { useBoxes } from '../boxes/variable-boxes.tsx';
import { ForeignColumn } from '../dataset/foreign-column.tsx';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint } from '../parts.tsx';
import styles from './matched-field.module.css';
import { cellKey, readMatched, withCell, withoutRow } from './read-matched.ts';

const slotNeeds = ({ measure, min }: Declaration['slots'][number]): string =>
  [measure === '任意' ? '' : measure, min > 0 ? '' : '可不选'].filter((word) => word !== '').join('，');

export function MatchedField({ field, value }: FieldProps<Declaration>) {
  const { boxes, selection, set, readOnly, announce } = useForm();
  const { send } = useBoxes();
  const rows = readMatched(field, value);
  const byKey = new Map(boxes.map((box) => [box.key, box]));
  const isOpen = !readOnly && byKey.has(cellKey(field.key, rows.length, field.slots[0]?.key ?? ''));
  const shown = rows.length + (isOpen ? 1 : 0);

  const fillDown = (slot: string): void => {
    const at = rows.findIndex((row) => row[slot] === null);
    const box = byKey.get(cellKey(field.key, at < 0 ? rows.length : at, slot));
    if (box !== undefined) send(selection, box);
  };
  const drop = (at: number): void => {
    set(field.key, withoutRow(field, value, at), { text: `${field.title}：删除第 ${at + 1} 行` });
    announce(`已删除第 ${at + 1} 行`);
  };

  return (
    <section className={styles['matched']} data-field={field.key} aria-labelledby={`matched-${field.key}`}>
      <h2 id={`matched-${field.key}`}>
        {field.title}
        <Hint text={field.hint} />
      </h2>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">
                <span className="hx-hidden">行</span>
              </th>
              {field.slots.map((slot) => (
                <th key={slot.key} scope="col">
                  <span className={styles['head']}>
                    {slot.title}
                    <small>{slotNeeds(slot)}</small>
                    {readOnly || slot.table !== null ? null : (
                      <Tooltip title="所选变量依次向下填">
                        <Button
                          type="text"
                          size="small"
                          icon={<ArrowRightOutlined aria-hidden />}
                          aria-label={`把所选变量依次填入${slot.title}`}
                          disabled={selection.length === 0}
                          onClick={() => fillDown(slot.key)}
                        />
                      </Tooltip>
                    )}
                  </span>
                </th>
              ))}
              <th scope="col">
                <span className="hx-hidden">删除</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, at) => (
              <tr key={at}>
                <th scope="row">{at + 1}</th>
                {field.slots.map((slot) => {
                  if (slot.table !== null)
                    return (
                      <td key={slot.key}>
                        <ForeignColumn
                          table={slot.table}
                          label={`第 ${at + 1} 行${slot.title}`}
                          value={rows[at]?.[slot.key] ?? null}
                          onChange={(id) =>
                            set(field.key, withCell(field, value, at, slot.key, id), {
                              text: `${field.title}：第 ${at + 1} 行${slot.title}`,
                            })
                          }
                        />
                      </td>
                    );
                  const box = byKey.get(cellKey(field.key, at, slot.key));
                  return <td key={slot.key}>{box === undefined ? null : <CellBox box={box} empty="拖入变量" />}</td>;
                })}
                <td>
                  {at < rows.length && !readOnly ? (
                    <Button
                      type="text"
                      size="small"
                      icon={<DeleteOutlined aria-hidden />}
                      aria-label={`删除第 ${at + 1} 行`}
                      onClick={() => drop(at)}
                    />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Faults of={field.key} />
    </section>
  );
}
