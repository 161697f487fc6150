/** Which fields are on screen: conditions read against the resolved form, so that an automatic value counts as what it is. */
import type { When } from '@hengxi/contracts/contract';
import { useCallback } from 'react';

import type { Column } from './column.ts';
import type { Form } from './form.ts';
import { useForm } from './form-context.tsx';
import { holds } from './when.ts';

interface Named {
  key: string;
  when: When | null;
  default?: unknown;
}

/** The value a condition sees: the user's, else what the engine filled in, else the default. A hidden field counts as empty. */
export function reader(fields: readonly Named[], form: Form, resolved: Form, columns: ReadonlyMap<string, Column>) {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const asking = new Set<string>();
  const valueOf = (key: string): unknown => {
    const field = byKey.get(key);
    if (field === undefined) return form[key];
    // A cycle of conditions shows its fields rather than hanging the page.
    if (asking.has(key)) return form[key];
    asking.add(key);
    const shown = holds(field.when, { valueOf, columns });
    asking.delete(key);
    if (!shown) return null;
    return form[key] ?? resolved[key] ?? field.default ?? null;
  };
  return { valueOf, columns };
}

export function isShown(
  field: Named,
  fields: readonly Named[],
  form: Form,
  resolved: Form,
  columns: ReadonlyMap<string, Column>,
): boolean {
  return holds(field.when, reader(fields, form, resolved, columns));
}

export function useHolds(): (when: When | null) => boolean {
  const { fields, form, resolved, known } = useForm();
  return useCallback((when) => holds(when, reader(fields, form, resolved, known)), [fields, form, resolved, known]);
}
