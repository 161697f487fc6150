/** Several numbers (contract: numbers): chips, or one input for each name. */
import type { NumbersField as Declaration } from '@hengxi/contracts/contract';
import { CloseOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { useState } from 'react';

import { isRecord, listOf } from '../form.ts';
import { useForm } from '../form-context.tsx';
import { NumberInput } from '../number/number-field.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import styles from './numbers-field.module.css';
import { readNumbers } from './read-numbers.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';

function Named({ field, value, names }: FieldProps<Declaration> & { names: readonly string[] }) {
  const { set, readOnly } = useForm();
  const given = isRecord(value) ? value : {};
  const cell = (name: string, at: number): number | null => {
    const own = given[name];
    return isNumber(own) ? own : (field.default[at] ?? null);
  };
  return (
    <div className={styles['named']} role="group" aria-labelledby={titleId(field.key)}>
      {names.map((name, at) => (
        <span key={name} className={styles['cell']}>
          <span>{name}</span>
          <NumberInput
            value={cell(name, at)}
            whole={field.whole}
            least={field.least}
            most={field.most}
            width={68}
            disabled={readOnly}
            label={{ text: `${field.title} ${name}` }}
            onChange={(next) => {
              const all = Object.fromEntries(names.map((one, index) => [one, one === name ? next : cell(one, index)]));
              set(field.key, all, { text: `修改${field.title}`, tag: `${field.key}.${name}` });
            }}
          />
        </span>
      ))}
    </div>
  );
}

function List({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly, announce } = useForm();
  const [typed, setTyped] = useState('');
  const numbers =
    value === undefined || value === null ? field.default.filter(isNumber) : listOf(value).filter(isNumber);
  const store = (next: readonly number[], text: string): void => {
    const unique = [...new Set(next)];
    set(field.key, field.increasing ? unique.toSorted((a, b) => a - b) : unique, { text });
  };
  const read = readNumbers(typed);
  const add = (): void => {
    if (read === null || read.length === 0) return;
    store([...numbers, ...read], `${field.title}：加入 ${read.join('、')}`);
    announce(`已加入 ${read.join('、')}`);
    setTyped('');
  };
  return (
    <div className={styles['chips']} role="group" aria-labelledby={titleId(field.key)}>
      {numbers.map((number) => (
        <span key={number} className={styles['chip']}>
          {number}
          {readOnly ? null : (
            <button
              type="button"
              aria-label={`去掉 ${number}`}
              onClick={() =>
                store(
                  numbers.filter((one) => one !== number),
                  `${field.title}：去掉 ${number}`,
                )
              }
            >
              <CloseOutlined aria-hidden />
            </button>
          )}
        </span>
      ))}
      {readOnly ? null : (
        <Input
          className={styles['add'] ?? ''}
          size="small"
          aria-label={`加入${field.title}`}
          placeholder="0.1, 0.5 或 0:0.1:1"
          value={typed}
          status={typed !== '' && read === null ? 'warning' : ''}
          onChange={(event) => setTyped(event.target.value)}
          onPressEnter={(event) => {
            if (!event.nativeEvent.isComposing) add();
          }}
          onBlur={add}
          onKeyDown={(event) => {
            const last = numbers.at(-1);
            if (event.key === 'Backspace' && typed === '' && last !== undefined)
              store(numbers.slice(0, -1), `${field.title}：去掉 ${last}`);
          }}
        />
      )}
    </div>
  );
}

export function NumbersField({ field, value }: FieldProps<Declaration>) {
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked={field.names === null}>
      {field.names === null ? (
        <List field={field} value={value} />
      ) : (
        <Named field={field} value={value} names={field.names} />
      )}
    </FieldRow>
  );
}
