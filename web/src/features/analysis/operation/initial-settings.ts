/** With which settings an analysis opens: what the address asks for, the newest draft, the report's own, the last used, nothing. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Config } from '@hengxi/server/reports/schema';

import { firstFitting, place } from '../../../fields/boxes/box.ts';
import type { Column } from '../../../fields/column.ts';
import { byId } from '../../../fields/column.ts';
import type { Form } from '../../../fields/form.ts';
import { idOfItem, itemsOf, same, withValues } from '../../../fields/form.ts';
import { setOf } from '../../../fields/answer-sets.ts';
import { emptyForm, withoutMissingColumns } from '../../../fields/form-start.ts';
import type { LocalDraft } from '../local.ts';
import type { OpenReport } from '../queries.ts';
import { boxesOf } from './boxes-of.ts';

/** Puts variables chosen elsewhere into the boxes that take them, one after the other. */
export function formWith(declaration: Declaration, columns: readonly Column[], ids: readonly string[]): Form {
  const known = byId(columns);
  let form = emptyForm(declaration);
  for (const id of ids) {
    const boxes = boxesOf(declaration, form, form, known);
    const box = firstFitting(form, boxes, [id], columns);
    if (box !== null) form = place(form, boxes, box, [id], columns).form;
  }
  return form;
}

/** A form kept from another version or method: columns and sets that are gone leave their boxes. */
export function fitted(declaration: Declaration, columns: readonly Column[], form: Form): Form {
  const known = byId(columns);
  const changes: Record<string, unknown> = {};
  for (const field of declaration.fields) {
    if (field.type !== 'role' && field.type !== 'weight') {
      const value = form[field.key];
      const left = withoutMissingColumns(field, value, (id) => known.has(id));
      if (left !== undefined && !same(left, value)) changes[field.key] = left;
      continue;
    }
    const before = itemsOf(form[field.key]);
    const after = before.flatMap((item) => {
      const column = known.get(idOfItem(item));
      // The options of a set are those it has now.
      return column === undefined ? [] : [setOf(column) ?? item];
    });
    if (same(before, after)) continue;
    changes[field.key] = field.type === 'role' && field.many ? after : (after[0] ?? null);
  }
  return withValues({ ...emptyForm(declaration), ...form }, changes);
}

/** Fields of another method's form that this one has too. */
export function carried(declaration: Declaration, columns: readonly Column[], form: Form): Form {
  const keys = new Set(declaration.fields.map((field) => field.key));
  const kept = Object.fromEntries(Object.entries(form).filter(([key]) => keys.has(key) || key.startsWith('_')));
  return fitted(declaration, columns, kept);
}

export interface Sources {
  declaration: Declaration;
  /** With the sets. */
  columns: readonly Column[];
  /** Variables named in the address. */
  asked: readonly string[];
  /** Handed over by another analysis. */
  carry: Form | null;
  report: OpenReport | null;
  config: Config | null;
  draft: LocalDraft | null;
}

export interface Start {
  form: Form;
  /** A draft newer than the report: said in the status bar. */
  restored: boolean;
}

export function startForm({ declaration, columns, asked, carry, report, config, draft }: Sources): Start {
  if (carry !== null) return { form: carried(declaration, columns, carry), restored: false };
  if (asked.length > 0) return { form: formWith(declaration, columns, asked), restored: false };
  const drafts: { form: Form; at: string }[] = [];
  if (draft !== null) drafts.push({ form: draft.form, at: draft.at });
  if (config?.form != null) drafts.push({ form: config.form.form, at: config.form.saved_at });
  const newest = drafts.toSorted((a, b) => b.at.localeCompare(a.at))[0];
  if (report === null)
    return {
      form: newest === undefined ? emptyForm(declaration) : fitted(declaration, columns, newest.form),
      restored: newest !== undefined,
    };
  if (newest === undefined || newest.at <= report.made_at || same(newest.form, report.form))
    return { form: { ...emptyForm(declaration), ...report.form }, restored: false };
  return { form: fitted(declaration, columns, newest.form), restored: true };
}
