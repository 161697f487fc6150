/** What every field control may ask for and do. The page that holds the form provides it; fields know nothing else of the page. */
import type { Field, FormNote } from '@hengxi/contracts/contract';
import type { FieldFault, Remedy } from '@hengxi/contracts/http';
import type { TextPreview } from '@hengxi/server/files/schema';
import { createContext, use } from 'react';

import type { Box } from './boxes/box.ts';
import type { Column, Measure } from './column.ts';
import type { Form } from './form.ts';

export interface FormTools {
  fields: readonly Field[];
  /** Of the method whose form it is; missing where it is no method's. */
  path?: string;
  form: Form;
  /** Every `auto` filled in by the engine; the form itself until it has answered. */
  resolved: Form;
  columns: readonly Column[];
  /** Multiple-answer questions, as entries of lists and boxes. */
  sets: readonly Column[];
  /** Columns and sets by id. */
  known: ReadonlyMap<string, Column>;
  boxes: readonly Box[];
  faults: readonly FieldFault[];
  /** What the engine says of the settings as they stand, beside what is wrong with them; hinders nothing. */
  notes?: readonly FormNote[] | undefined;
  /** Ids selected in the variable list: what the arrow button and Enter send. */
  selection: readonly string[];
  readOnly: boolean;
  /** Sets one key. `tag` joins quick changes (typing) into one undo step; `text` names the step. */
  set(key: string, value: unknown, how?: { text?: string; tag?: string }): void;
  /** Replaces the whole form: what a drop does, which may touch several boxes. */
  apply(form: Form, text: string): void;
  remedy(remedy: Remedy, fault: FieldFault): void;
  /** Changes the type of columns (a new data version) and takes over `form` where one is given: the drop that asked for it. */
  retype(ids: readonly string[], measure: Measure, form?: Form): void;
  /** Can this remedy be carried out here? Methods that do not exist yet are not offered. */
  offers(remedy: Remedy): boolean;
  /** The engine's judgement of a form that is only being considered. */
  probe(form: Form): Promise<readonly FieldFault[]>;
  /** Rows kept by a condition; null text when the engine cannot read it comes as a rejection. */
  count(condition: string): Promise<{ count: number; rows: number }>;
  /** Where the rows of a condition can be looked at, in a page beside this one; missing where there is none. */
  rowsAt?(condition: string): string;
  /** What a text column is like; missing where the form stands on no version. */
  previewText?(column: string): Promise<TextPreview>;
  announce(text: string): void;
}

const FormContext = createContext<FormTools | null>(null);
export const FormProvider = FormContext.Provider;

export function useForm(): FormTools {
  const tools = use(FormContext);
  if (tools === null) throw new Error('a field stands outside of a form');
  return tools;
}

/** What is to be said about one field: the same sentence for several dependents is said once. */
export function faultsFor(faults: readonly FieldFault[], key: string): FieldFault[] {
  const mine = faults.filter((fault) => fault.field === key);
  return mine.filter((fault, at) => mine.findIndex((one) => one.text === fault.text) === at);
}

/** Is this fault only "not filled in yet"? Those are said quietly: nothing is wrong so far. */
export function isOpen(fault: FieldFault): boolean {
  return fault.code.endsWith('.required') || fault.code.endsWith('.few');
}
