/** The fields of a method in the order of importance: boxes, 常用选项, 高级选项. Hidden fields keep their values. */
import type { Declaration, Field } from '@hengxi/contracts/contract';
import { DownOutlined, UpOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';

import { type OptionTarget, useFocusOption } from './focus-option.ts';
import { isOpen, useForm } from './form-context.tsx';
import { MethodField } from './method-field.tsx';
import { Remedies } from './parts.tsx';
import { isShown } from './visible.ts';
import { CheckMark } from '../ui/check-mark.tsx';
import { useFocusStays } from '../ui/focus-back.ts';
import { changedCount } from './form-start.ts';
import styles from './method-form.module.css';

interface Sections {
  boxes: Field[];
  usual: Field[];
  advanced: Field[];
  weights: Field[];
}

/** A picker of levels stands right below the box whose levels it shows: that is where the question arises. */
function isOfBox(field: Field): boolean {
  return field.type === 'level' && field.of.length === 1 && !field.advanced;
}

/** What the user puts in or draws stands with the boxes: it is what the method works on. */
const CONTENT: ReadonlySet<Field['type']> = new Set([
  'blocks',
  'matched',
  'within',
  'timeline',
  'records',
  'tree',
  'matrix',
  'paths',
]);

/** Formulas over rows the user made, and the choice that stands before one (最大 or 最小), are content too. */
function isContent(field: Field, next: Field | undefined): boolean {
  if (CONTENT.has(field.type)) return true;
  const isSymbolic = (one: Field | undefined): boolean => one?.type === 'formula' && one.symbols !== 'columns';
  return isSymbolic(field) || (field.type === 'choice' && !field.advanced && isSymbolic(next));
}

export function sectionsOf(fields: readonly Field[]): Sections {
  const boxes: Field[] = [];
  for (const [at, field] of fields.entries()) {
    // Which model answers, which other table there is, is asked first: the variables follow from it.
    const isAskedFirst = field.type === 'model' || field.type === 'dataset';
    if (isAskedFirst || isContent(field, fields[at + 1])) boxes.push(field);
    if (field.type !== 'role') continue;
    boxes.push(field, ...fields.filter((one) => isOfBox(one) && one.type === 'level' && one.of[0] === field.key));
  }
  const rest = fields.filter((field) => !boxes.includes(field) && field.type !== 'weight');
  return {
    boxes,
    usual: rest.filter((field) => !field.advanced),
    advanced: rest.filter((field) => field.advanced),
    weights: fields.filter((field) => field.type === 'weight'),
  };
}

interface FoldProps {
  title: string;
  fields: readonly Field[];
  start: boolean;
  sought: OptionTarget | null;
  children: ReactNode;
}

function Fold({ title, fields, start, sought, children }: FoldProps) {
  const { faults, form } = useForm();
  const [open, setOpen] = useState(start);
  const [followed, setFollowed] = useState<OptionTarget | null>(null);
  // Opened while drawing: the option must be on screen when the reader is brought to it.
  if (sought !== followed) {
    setFollowed(sought);
    if (fields.some((field) => sought?.keys.includes(field.key) === true)) setOpen(true);
  }
  const troubled = faults.some((fault) => !isOpen(fault) && fields.some((field) => field.key === fault.field));
  const changed = changedCount(fields, form);
  // A fault is never hidden in a folded section.
  const shown = open || troubled;
  return (
    <section className={styles['fold']}>
      <button type="button" className={styles['foldHead']} aria-expanded={shown} onClick={() => setOpen(!shown)}>
        <h2>{title}</h2>
        {troubled ? <CheckMark state="care" /> : null}
        <span className={styles['changed']}>
          {start ? (changed > 0 ? `已改动 ${changed} 项` : '') : `已改动 ${changed} 项`}{' '}
          {shown ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
        </span>
      </button>
      {shown ? children : null}
    </section>
  );
}

/** Faults of no field, or of one that is not on screen. */
function GeneralFaults({ shown }: { shown: readonly Field[] }) {
  const { faults } = useForm();
  const loose = faults.filter(
    (fault) =>
      fault.field === null || (!fault.field.startsWith('_') && !shown.some((field) => field.key === fault.field)),
  );
  if (loose.length === 0) return null;
  return (
    <div className={styles['general']} role="alert">
      {loose.map((fault, at) => (
        <div key={`${fault.code}${at}`} className={styles['generalFault']}>
          <CheckMark state="care" />
          <div>
            {fault.text}
            <Remedies fault={fault} />
          </div>
        </div>
      ))}
    </div>
  );
}

interface MethodFormProps {
  declaration: Declaration;
  /** What a remedy has just set. */
  sought?: OptionTarget | null;
}

export function MethodForm({ declaration, sought = null }: MethodFormProps) {
  const { form, resolved, known } = useForm();
  const shown = declaration.fields.filter((field) => isShown(field, declaration.fields, form, resolved, known));
  const { boxes, usual, advanced } = sectionsOf(shown);
  const root = useRef<HTMLDivElement>(null);
  useFocusStays(root);
  useFocusOption(root, sought, shown.find((field) => sought?.keys.includes(field.key))?.key ?? null);
  const draw = (fields: readonly Field[]): ReactNode =>
    fields.map((field) => <MethodField key={field.key} field={field} value={form[field.key]} />);
  return (
    <div ref={root} className={styles['form']}>
      <GeneralFaults shown={shown} />
      <div className={styles['boxes']}>{draw(boxes)}</div>
      {usual.length > 0 ? (
        <Fold title="常用选项" fields={usual} sought={sought} start>
          {draw(usual)}
        </Fold>
      ) : null}
      {advanced.length > 0 ? (
        <Fold title="高级选项" fields={advanced} sought={sought} start={false}>
          {draw(advanced)}
        </Fold>
      ) : null}
    </div>
  );
}
