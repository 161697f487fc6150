/** A form for tests: columns of a small survey, a declaration's fields, and tools that keep the form in state. */
import type { Field } from '@hengxi/contracts/contract';
import type { FieldFault } from '@hengxi/contracts/http';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';

import { boxesOfField } from '../form-start.ts';
import type { Box } from '../boxes/box.ts';
import type { Column } from '../column.ts';
import { byId } from '../column.ts';
import type { Form } from '../form.ts';
import { withValues } from '../form.ts';
import type { FormTools } from '../form-context.tsx';
import { FormProvider } from '../form-context.tsx';

export function column(id: string, name: string, measure: Column['measure'], more: Partial<Column> = {}): Column {
  return {
    id,
    name,
    label: null,
    measure,
    ordered: false,
    flags: [],
    storage: measure === '定量' ? 'float' : measure === '时间' ? 'date' : 'text',
    decimals: 1,
    unit: null,
    why: '',
    levels: null,
    missing: { values: [], ranges: [] },
    ...more,
    profile: {
      n: 100,
      missing: 2,
      distinct: measure === '定量' ? 60 : (more.levels?.length ?? 4),
      min: 0,
      max: 9,
      median: 3.25,
      whole: false,
      non_negative: true,
      positive: false,
      ...more.profile,
    },
  };
}

const levels = (...pairs: [string, number][]): Column['levels'] =>
  pairs.map(([label, count]) => ({ value: label, label, count }));

export const SURVEY: readonly Column[] = [
  column('c1', '性别', '定类', { levels: levels(['男', 40], ['女', 58]) }),
  column('c2', '年级', '定类', { ordered: true, levels: levels(['大一', 30], ['大二', 30], ['大三', 38]) }),
  column('c3', '运动时长', '定量', { unit: '小时' }),
  column('c4', '睡眠时长', '定量', { unit: '小时' }),
  column('c5', '意见', '文本'),
  column('c6', '入学', '时间'),
  column('c7', '压力', '定量', { flags: ['量表'], storage: 'int' }),
];

const COMMON = { hint: null, when: null, advanced: false, auto: null, required: true };

export function role(
  key: string,
  title: string,
  more: Partial<Extract<Field, { type: 'role' }>> = {},
): Extract<Field, { type: 'role' }> {
  return {
    ...COMMON,
    key,
    title,
    type: 'role',
    table: null,
    many: false,
    min: 1,
    max: 1,
    measure: '任意',
    levels: null,
    values: null,
    each: false,
    use: null,
    shared_with: [],
    ordered: false,
    varies: false,
    sets: false,
    ...more,
  };
}

export const GROUP = role('group', '分组变量X', { measure: '定类' });
export const OUTCOME = role('y', '检验变量Y', { measure: '定量', many: true, max: null });
export { COMMON };

export function boxesFor(fields: readonly Field[], form: Form = {}): Box[] {
  return fields.flatMap((field) => boxesOfField(field, form[field.key]));
}

export interface HarnessProps {
  fields: readonly Field[];
  start?: Form;
  resolved?: Form;
  faults?: readonly FieldFault[];
  selection?: readonly string[];
  tools?: Partial<FormTools>;
  /** Every form the user makes. */
  onForm?: (form: Form) => void;
  onSay?: (text: string) => void;
  children: (form: Form) => ReactNode;
}

const nothing = (): void => undefined;

export function Harness({
  fields,
  start = {},
  resolved,
  faults = [],
  selection = [],
  tools,
  onForm = nothing,
  onSay = nothing,
  children,
}: HarnessProps) {
  const [form, setForm] = useState<Form>(start);
  const value = useMemo<FormTools>(() => {
    const store = (next: Form): void => {
      setForm(next);
      onForm(next);
    };
    return {
      fields,
      form,
      resolved: resolved ?? form,
      columns: SURVEY,
      sets: [],
      known: byId(SURVEY),
      boxes: boxesFor(fields, form),
      faults,
      selection,
      readOnly: false,
      set: (key, one) => store(withValues(form, { [key]: one })),
      apply: (next) => store(next),
      remedy: nothing,
      retype: nothing,
      offers: () => true,
      probe: async () => [],
      count: async () => ({ count: 60, rows: 100 }),
      announce: onSay,
      ...tools,
    };
  }, [fields, form, resolved, faults, selection, tools, onForm, onSay]);
  return <FormProvider value={value}>{children(form)}</FormProvider>;
}
