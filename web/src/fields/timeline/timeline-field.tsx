/** The variable of time (contract: timeline): a box, and below it the frequency, read from the data unless chosen. */
import type { TimelineField as Declaration } from '@hengxi/contracts/contract';
import { Select } from 'antd';

import type { Box } from '../boxes/box.ts';
import { badgeOf } from '../boxes/box.ts';
import { VariableBox } from '../boxes/variable-box.tsx';
import { idsOf, isRecord } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import styles from './timeline-field.module.css';

const AUTOMATIC = 'auto';

const frequencyOf = (value: unknown): string | null =>
  isRecord(value) && typeof value['frequency'] === 'string' ? value['frequency'] : null;

export function timelineBox(field: Declaration): Box {
  return {
    key: field.key,
    title: field.title,
    needs: { measure: '时间', varies: true },
    many: false,
    min: field.required ? 1 : 0,
    max: 1,
    shared: [],
    badge: badgeOf(field.title),
    read: idsOf,
    write: (current, [id]) => (id === undefined ? null : { column: id, frequency: frequencyOf(current) }),
  };
}

export function TimelineField({ field, value }: FieldProps<Declaration>) {
  const { boxes, set, readOnly } = useForm();
  const index = boxes.findIndex((box) => box.key === field.key);
  const box = boxes[index];
  if (box === undefined) return null;
  const [column] = idsOf(value);
  return (
    <div data-field={field.key}>
      <VariableBox box={box} hint={field.hint} number={index < 9 ? index + 1 : null} />
      {column === undefined ? null : (
        <div className={styles['frequency']}>
          <span>频率</span>
          <Select
            size="small"
            aria-label={`${field.title}的频率`}
            disabled={readOnly}
            style={{ minWidth: 128 }}
            value={frequencyOf(value) ?? AUTOMATIC}
            options={[
              { value: AUTOMATIC, label: '自动识别' },
              ...Object.entries(field.frequencies).map(([key, label]) => ({ value: key, label })),
            ]}
            onChange={(next) =>
              set(
                field.key,
                { column, frequency: next === AUTOMATIC ? null : next },
                { text: `修改${field.title}的频率` },
              )
            }
          />
        </div>
      )}
    </div>
  );
}
