/**
 * Formulas over what the user made (decision variables): one expression, or a list of constraints. Written by keyboard or by
 * the keys below: variables, signs, functions, 上标 for powers, 删除 for the last piece.
 */
import type { FormulaField as Declaration } from '@hengxi/contracts/contract';
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ClipboardEvent, KeyboardEvent, ReactNode, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

import { toast } from '../../lib/toast.ts';
import { listOf, recordsOf, textOf } from '../form.ts';
import { faultsFor, isOpen, useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint, titleId } from '../parts.tsx';
import { Keys } from './keys.tsx';
import { typed, withoutLast } from './raised.ts';
import styles from './symbolic-field.module.css';

interface LineProps {
  value: string;
  label: string;
  placeholder: string;
  invalid: boolean;
  power: boolean;
  box: RefObject<HTMLInputElement | null>;
  onPower: (on: boolean) => void;
  onChange: (text: string, caret: number) => void;
  onFocus?: () => void;
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void;
}

function Line({ value, label, placeholder, invalid, power, box, onPower, onChange, ...rest }: LineProps) {
  const { readOnly } = useForm();
  return (
    <input
      ref={box}
      className={styles['line']}
      aria-label={label}
      aria-invalid={invalid}
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
      disabled={readOnly}
      placeholder={placeholder}
      value={value}
      onFocus={rest.onFocus}
      onBlur={() => {
        if (power) onPower(false);
      }}
      onKeyDown={rest.onKey}
      onPaste={rest.onPaste}
      onChange={(event) => {
        const { value: text, selectionStart } = event.target;
        const next = typed(value, text, selectionStart ?? text.length, power);
        if (next.power !== power) onPower(next.power);
        onChange(next.text, next.caret);
      }}
    />
  );
}

/** After the new text is drawn the caret stands where writing goes on. */
function caretAt(box: RefObject<HTMLInputElement | null>, at: number): void {
  requestAnimationFrame(() => {
    if (box.current !== null && document.activeElement === box.current) box.current.setSelectionRange(at, at);
  });
}

function symbolsOf(field: Declaration, form: Readonly<Record<string, unknown>>): string[] {
  return recordsOf(form[field.symbols]).flatMap((row) => {
    const name = textOf(row['name']).trim();
    return name === '' ? [] : [name];
  });
}

/** The value of one line with the keys' doings: they write where the caret is, or at the end. */
function useWriting(value: string, change: (text: string) => void) {
  const box = useRef<HTMLInputElement>(null);
  const [power, setPower] = useState(false);
  const write = (text: string, caret: number): void => {
    change(text);
    caretAt(box, caret);
  };
  const focus = (): number => {
    const end = document.activeElement === box.current ? (box.current?.selectionStart ?? value.length) : value.length;
    box.current?.focus();
    return end;
  };
  const put = (piece: string): void => {
    const at = focus();
    const next = typed(value, value.slice(0, at) + piece + value.slice(at), at + piece.length, power);
    setPower(next.power);
    write(next.text, next.caret);
  };
  const back = (): void => {
    const next = withoutLast(value, focus());
    write(next.text, next.caret);
  };
  const toggle = (): void => {
    focus();
    setPower(!power);
  };
  return { box, power, setPower, write, put, back, toggle };
}

type Writing = ReturnType<typeof useWriting>;

function KeysOf({ writing, names, compares }: { writing: Writing; names: readonly string[]; compares: boolean }) {
  return (
    <Keys
      names={names}
      compares={compares}
      power={writing.power}
      onPower={writing.toggle}
      onPut={writing.put}
      onBack={writing.back}
    />
  );
}

function Frame({ field, children }: { field: Declaration; children: ReactNode }) {
  return (
    <section className={styles['frame']} data-field={field.key} aria-labelledby={titleId(field.key)}>
      <h2 id={titleId(field.key)}>
        {field.title}
        <Hint text={field.hint} />
      </h2>
      {children}
      <Faults of={field.key} />
    </section>
  );
}

/** One expression: the target. */
export function SymbolicField({ field, value }: FieldProps<Declaration>) {
  const { form, set, readOnly, faults } = useForm();
  const text = textOf(value);
  const change = (next: string): void =>
    set(field.key, next === '' ? null : next, { text: `修改${field.title}`, tag: field.key });
  const writing = useWriting(text, change);
  return (
    <Frame field={field}>
      <Line
        value={text}
        label={field.title}
        placeholder="例如 3X + 5Y"
        invalid={faultsFor(faults, field.key).some((fault) => !isOpen(fault))}
        power={writing.power}
        box={writing.box}
        onPower={writing.setPower}
        onChange={writing.write}
      />
      {readOnly ? null : <KeysOf writing={writing} names={symbolsOf(field, form)} compares={false} />}
    </Frame>
  );
}

/** A list: Enter inserts an empty line below and goes there, Backspace in an empty one takes it away. */
export function SymbolicLines({ field, value }: FieldProps<Declaration>) {
  const { form, set, readOnly, faults, announce } = useForm();
  const least = field.lines?.[0] ?? 0;
  const most = field.lines?.[1] ?? 1;
  const given = listOf(value).map(textOf);
  const lines = given.length === 0 ? [''] : given;
  const [at, setAt] = useState(0);
  const here = Math.min(at, lines.length - 1);
  const moving = useRef(false);
  const put = (next: readonly string[], text: string, tag?: string): void =>
    set(field.key, next, tag === undefined ? { text } : { text, tag });
  const change = (next: string, line = here): void =>
    put(
      lines.map((one, index) => (index === line ? next : one)),
      `修改${field.title}`,
      `${field.key}.${line}`,
    );
  const writing = useWriting(lines[here] ?? '', change);
  const wrong = new Set(
    faultsFor(faults, field.key).flatMap((one) => (typeof one.facts?.['line'] === 'number' ? [one.facts['line']] : [])),
  );

  useEffect(() => {
    if (!moving.current) return;
    moving.current = false;
    writing.box.current?.focus();
  });

  const go = (line: number): void => {
    moving.current = true;
    writing.setPower(false);
    setAt(line);
  };
  const insert = (line: number, more: readonly string[] = ['']): void => {
    if (lines.length + more.length > most) return;
    put([...lines.slice(0, line), ...more, ...lines.slice(line)], `${field.title}：插入一条`);
    go(line + more.length - 1);
  };
  const drop = (line: number): void => {
    if (lines.length <= Math.max(1, least)) {
      if (least > 0) toast.note('至少需要一个约束条件！', { ms: 2000 });
      else if ((lines[line] ?? '') !== '') put([], `${field.title}：删除第 ${line + 1} 条`);
      return;
    }
    announce(`已删除第 ${line + 1} 条`);
    put(
      lines.filter((_, index) => index !== line),
      `${field.title}：删除第 ${line + 1} 条`,
    );
    go(Math.max(0, line - 1));
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>, line: number): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) insert(line + 1);
    else if (event.key === 'Backspace' && lines[line] === '' && lines.length > 1) drop(line);
    else if (event.key === 'ArrowDown' && line + 1 < lines.length) go(line + 1);
    else if (event.key === 'ArrowUp' && line > 0) go(line - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>, line: number): void => {
    const pieces = event.clipboardData
      .getData('text')
      .split(/\r?\n|;|；/u)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
    if (pieces.length < 2) return;
    event.preventDefault();
    const room = pieces.slice(0, most - lines.length + 1);
    const isFree = lines[line] === '';
    put(
      [...lines.slice(0, line + (isFree ? 0 : 1)), ...room, ...lines.slice(line + 1)],
      `${field.title}：粘贴 ${room.length} 条`,
    );
    announce(`已粘贴 ${room.length} 条`);
    go(line + room.length - (isFree ? 1 : 0));
  };
  const unused = useRef<HTMLInputElement>(null);

  return (
    <Frame field={field}>
      <ol className={styles['lines']}>
        {lines.map((line, index) => (
          // Lines have no name of their own; one that is moved keeps its text in the form.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className={styles['row']}>
            <span className={styles['number']} aria-hidden>
              {index + 1}
            </span>
            <Line
              value={line}
              label={`${field.title}第 ${index + 1} 条`}
              placeholder="例如 3X + 2Y <= 18"
              invalid={wrong.has(index)}
              power={index === here && writing.power}
              box={index === here ? writing.box : unused}
              onPower={writing.setPower}
              onChange={(next, caret) => {
                change(next, index);
                caretAt(index === here ? writing.box : unused, caret);
              }}
              onFocus={() => {
                if (index !== here) {
                  writing.setPower(false);
                  setAt(index);
                }
              }}
              onKey={(event) => keys(event, index)}
              onPaste={(event) => paste(event, index)}
            />
            {readOnly ? null : (
              <>
                <Button
                  type="text"
                  icon={<PlusOutlined aria-hidden />}
                  aria-label={`在第 ${index + 1} 条下面插入一条`}
                  disabled={lines.length >= most}
                  onClick={() => insert(index + 1)}
                />
                <Button
                  type="text"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={`删除第 ${index + 1} 条`}
                  onClick={() => drop(index)}
                />
              </>
            )}
          </li>
        ))}
      </ol>
      {readOnly ? null : (
        <KeysOf writing={writing} names={symbolsOf(field, form)} compares={field.kind !== 'expression'} />
      )}
    </Frame>
  );
}
