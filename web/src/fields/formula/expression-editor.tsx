/** Writes an expression with names: completion of variables and functions, a list of functions, faults under their token. */
import { FunctionOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Popover } from 'antd';
import type { KeyboardEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';

import { loadPinyin, search } from '../../lib/search.ts';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import type { Column } from '../column.ts';
import { titleOf } from '../column.ts';
import { faultsFor, isOpen, useForm } from '../form-context.tsx';
import styles from './formula-field.module.css';
import type { FormulaFunction } from './functions.ts';
import { FUNCTION_GROUPS, FUNCTIONS } from './functions.ts';
import { markAt, quotedName, toText, toWire, typedBefore } from './names.ts';

const LONGEST = 2000;
const OFFERED = 8;

type Offer = { is: 'column'; column: Column } | { is: 'function'; one: FormulaFunction };

/** Variables first, by name, label or pinyin; then functions that begin so. */
function offersFor(query: string, columns: readonly Column[]): Offer[] {
  if (query.trim() === '') return [];
  const items = columns.map((column) => ({ column, title: titleOf(column), words: [column.name] }));
  const found = search(query, items, OFFERED).map((item): Offer => ({ is: 'column', column: item.column }));
  const begun = FUNCTIONS.filter((one) => one.name.startsWith(query.toUpperCase()));
  return [...found, ...begun.map((one): Offer => ({ is: 'function', one }))].slice(0, OFFERED);
}

const textOf = (offer: Offer): string => (offer.is === 'column' ? quotedName(offer.column.name) : `${offer.one.name}(`);

export interface ExpressionEditorProps {
  name: string;
  /** What it is called: the id of a text on the page, or its own words. */
  labelledBy?: string;
  label?: string;
  placeholder?: string;
  value: string;
  /** Where the wire is at fault, when it is not judged with the form. */
  faultAt?: number | null;
  onChange: (wire: string) => void;
}

export function ExpressionEditor(props: ExpressionEditorProps) {
  const { name, labelledBy, label, placeholder = '例如 体重 / (身高 / 100) ^ 2', value, faultAt, onChange } = props;
  const { columns, known, readOnly, faults } = useForm();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => toText(value, known));
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  // Another formula came from outside (a remedy, an undo): it is shown with names; what is typed stays as it is typed.
  const [taken, setTaken] = useState(value);
  if (value !== taken) {
    setTaken(value);
    if (value !== toWire(text, columns)) setText(toText(value, known));
  }
  useEffect(() => void loadPinyin(), []);
  const typed = caret === null ? null : typedBefore(text, caret);
  const offers = useMemo(() => (typed === null ? [] : offersFor(typed.query, columns)), [typed, columns]);
  const active = offers[Math.min(at, offers.length - 1)];
  const fault = faultsFor(faults, name).find((one) => !isOpen(one) && typeof one.facts?.['at'] === 'number');
  const place = faultAt ?? fault?.facts?.['at'];

  const change = (next: string, to: number | null): void => {
    setText(next);
    setCaret(to);
    setAt(0);
    onChange(toWire(next, columns));
  };
  const insert = (piece: string, from: number, end: number): void => {
    change(text.slice(0, from) + piece + text.slice(end), null);
    const to = from + piece.length;
    // After the new text is drawn: the caret stands behind what was put in.
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(to, to);
    });
  };
  const put = (piece: string): void => {
    const end = area.current?.selectionStart ?? text.length;
    insert(piece, end, area.current?.selectionEnd ?? end);
  };
  const accept = (offer: Offer): void => {
    if (typed !== null && caret !== null) insert(textOf(offer), typed.from, caret);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || offers.length === 0 || active === undefined) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((Math.min(at, offers.length - 1) + step + offers.length) % offers.length);
    else if ((event.key === 'Enter' && !event.ctrlKey) || event.key === 'Tab') accept(active);
    else if (event.key === 'Escape') setCaret(null);
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles['editor']}>
      <textarea
        ref={area}
        aria-labelledby={labelledBy}
        aria-label={label}
        aria-controls={offers.length === 0 ? undefined : `${name}-offers`}
        aria-activedescendant={active === undefined ? undefined : `${name}-offer-${offers.indexOf(active)}`}
        aria-autocomplete="list"
        aria-invalid={typeof place === 'number'}
        className={styles['code']}
        rows={Math.min(8, Math.max(2, text.split('\n').length + Math.floor(text.length / 44)))}
        maxLength={LONGEST}
        disabled={readOnly}
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) => change(event.target.value, event.target.selectionStart)}
        onKeyDown={keys}
        onBlur={() => setCaret(null)}
      />
      {offers.length === 0 ? null : (
        <div id={`${name}-offers`} role="listbox" aria-label="变量和函数" className={styles['offers']}>
          {offers.map((offer, place) => (
            // The field holds the focus; keys reach the list there.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={textOf(offer)}
              id={`${name}-offer-${place}`}
              role="option"
              aria-selected={offer === active}
              className={styles['offer']}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => accept(offer)}
            >
              {offer.is === 'column' ? (
                <>
                  <MeasureIcon kind={measureKind(offer.column)} decorative />
                  <span>{offer.column.name}</span>
                  <small>{offer.column.label ?? ''}</small>
                </>
              ) : (
                <>
                  <FunctionOutlined aria-hidden />
                  <span>{offer.one.name}</span>
                  <small>{offer.one.text}</small>
                </>
              )}
            </div>
          ))}
        </div>
      )}
      {typeof place === 'number' ? <Place marked={markAt(text, columns, place)} /> : null}
      {readOnly ? null : (
        <div className={styles['acts']}>
          <DropMenu
            menu={{
              style: { maxHeight: 320, overflowY: 'auto' },
              items: columns.map((column) => ({
                key: column.id,
                icon: <MeasureIcon kind={measureKind(column)} decorative />,
                label: titleOf(column),
              })),
              onClick: ({ key }) => put(quotedName(known.get(key)?.name ?? '')),
            }}
          >
            <Button size="small" icon={<PlusOutlined />}>
              插入变量
            </Button>
          </DropMenu>
          <Popover trigger="click" placement="bottomLeft" content={<FunctionList onPut={(one) => put(`${one}(`)} />}>
            <Button size="small" icon={<FunctionOutlined />}>
              函数
            </Button>
          </Popover>
        </div>
      )}
    </div>
  );
}

/** The formula once more with the faulty token marked; the words stand below, as with every field. */
function Place({ marked }: { marked: ReturnType<typeof markAt> }) {
  return (
    <pre className={styles['place']}>
      {marked.before}
      <mark>{marked.token}</mark>
      {marked.after}
    </pre>
  );
}

function FunctionList({ onPut }: { onPut: (name: string) => void }) {
  return (
    <div className={styles['functions']}>
      {FUNCTION_GROUPS.map((group) => (
        <section key={group.title}>
          <h3>{group.title}</h3>
          <ul>
            {group.functions.map((entry) => (
              <li key={entry.name}>
                <button type="button" className="hx-plain" onClick={() => onPut(entry.name)}>
                  <code>
                    {entry.name}({entry.args})
                  </code>
                  <span>{entry.text}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
