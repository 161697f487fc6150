/** Several of several (contract: many). */
import type { ManyField as Declaration } from '@hengxi/contracts/contract';
import { Checkbox, Tooltip } from 'antd';

import { listOf } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import { useHolds } from '../visible.ts';
import styles from './many-field.module.css';

export function ManyField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly } = useForm();
  const holds = useHolds();
  const chosen = value === undefined || value === null ? field.default : listOf(value);
  const full = field.max !== null && chosen.length >= field.max;

  const toggle = (key: string, on: boolean): void => {
    // Always in the order of the declaration: the order of ticking must not change a result.
    const next = field.options.map((option) => option.key).filter((one) => (one === key ? on : chosen.includes(one)));
    const title = field.options.find((option) => option.key === key)?.title ?? key;
    set(field.key, next, { text: `${field.title}：${on ? '加上' : '去掉'}${title}` });
  };

  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div className={styles['options']} role="group" aria-labelledby={titleId(field.key)}>
        {field.options.map((option) => {
          const greyed = option.unless !== null && holds(option.unless);
          const on = chosen.includes(option.key);
          const why = greyed ? option.why : option.hint;
          const box = (
            <Checkbox
              checked={on}
              disabled={readOnly || greyed || (full && !on)}
              onChange={(event) => toggle(option.key, event.target.checked)}
            >
              {option.title}
            </Checkbox>
          );
          return (
            <span key={option.key}>{why === null || why === '' ? box : <Tooltip title={why}>{box}</Tooltip>}</span>
          );
        })}
      </div>
    </FieldRow>
  );
}
