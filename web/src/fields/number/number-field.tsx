/** A number or a whole number (contract: number, integer). Typed values travel as they are: the engine words what does not fit. */
import type { IntegerField, NumberField as NumberDeclaration } from '@hengxi/contracts/contract';
import { Input } from 'antd';
import type { KeyboardEvent } from 'react';
import { useId, useState } from 'react';

import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import styles from './number-field.module.css';
import { fromShown, readNumber, toShown } from './read-number.ts';

export interface NumberInputProps {
  value: number | null;
  onChange: (value: number | null) => void;
  percent?: boolean;
  whole?: boolean;
  unit?: string | null;
  least?: number | null;
  most?: number | null;
  placeholder?: string;
  disabled?: boolean;
  label: { id: string } | { text: string };
  width?: number;
  /** How people write these numbers where that is not in digits: times of day. */
  written?: Written;
}

export interface Written {
  read: (text: string) => number | null;
  show: (value: number) => string;
  noun: string;
}

const DIGITS: Written = { read: readNumber, show: String, noun: '数字' };

/** Largest step that keeps inside the limits: the arrows prevent, typing does not. */
function stepped(value: number, by: number, least: number | null | undefined, most: number | null | undefined): number {
  const next = Number((value + by).toPrecision(12));
  if (least !== null && least !== undefined && next < least) return least;
  if (most !== null && most !== undefined && next > most) return most;
  return next;
}

export function NumberInput(props: NumberInputProps) {
  const {
    value,
    onChange,
    percent = false,
    whole = false,
    unit,
    least,
    most,
    placeholder,
    disabled,
    label,
    width = 92,
    written = DIGITS,
  } = props;
  const shown = value === null ? '' : written.show(toShown(value, percent));
  // What is being typed; null while the field shows the form's value.
  const [typed, setTyped] = useState<string | null>(null);
  const [typing, setTyping] = useState(false);
  const faultId = useId();
  // What was typed stays, also where it is no number, until the form holds another value.
  const text = typed !== null && (typing || value === null) ? typed : null;
  const bad = text !== null && text.trim() !== '' && written.read(text) === null;

  const type = (next: string): void => {
    setTyped(next);
    const read = written.read(next);
    // What is no number is not worked with in the place of the number that stood here.
    if (read !== null) onChange(fromShown(read, percent));
    else if (next.trim() === '' || value !== null) onChange(null);
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || value === null)
      return;
    event.preventDefault();
    const unitStep = percent ? 0.01 : whole || Math.abs(value) >= 10 ? 1 : 0.1;
    setTyped(null);
    onChange(stepped(value, event.key === 'ArrowUp' ? unitStep : -unitStep, least, most));
  };
  const name = 'id' in label ? { 'aria-labelledby': label.id } : { 'aria-label': label.text };
  const fault = bad && !typing ? `“${text.trim()}”不是${written.noun}` : null;
  return (
    <>
      <Input
        {...name}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={fault === null ? undefined : faultId}
        inputMode={written !== DIGITS ? 'text' : whole ? 'numeric' : 'decimal'}
        style={{ width }}
        value={text ?? shown}
        placeholder={placeholder ?? ''}
        disabled={disabled ?? false}
        status={bad ? 'warning' : ''}
        suffix={percent ? '%' : (unit ?? null)}
        onChange={(event) => type(event.target.value)}
        onKeyDown={keys}
        onFocus={() => setTyping(true)}
        onBlur={() => {
          setTyping(false);
          if (!bad) setTyped(null);
        }}
      />
      {fault === null ? null : (
        <span id={faultId} role="alert" className={styles['fault']}>
          {fault}
        </span>
      )}
    </>
  );
}

export function NumberField({ field, value }: FieldProps<NumberDeclaration | IntegerField>) {
  const { set, resolved, readOnly } = useForm();
  const current = typeof value === 'number' ? value : value === null ? null : field.default;
  const automatic = resolved[field.key];
  const percent = field.type === 'number' && field.percent;
  const hint =
    field.auto === null ? '' : typeof automatic === 'number' ? `${toShown(automatic, percent)}（自动）` : '自动';
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint}>
      <NumberInput
        value={current}
        percent={percent}
        whole={field.type === 'integer'}
        unit={field.unit}
        least={field.least}
        most={field.most}
        placeholder={hint}
        disabled={readOnly}
        width={field.auto === null ? 92 : 120}
        label={{ id: titleId(field.key) }}
        onChange={(next) => set(field.key, next, { text: `修改${field.title}`, tag: field.key })}
      />
    </FieldRow>
  );
}
