/** A formula over the columns (contract: formula): a condition is built from rows, an expression is written with names. */
import type { FormulaField as Declaration } from '@hengxi/contracts/contract';

import { ConditionEditor } from '../condition/condition-editor.tsx';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import { ExpressionEditor } from './expression-editor.tsx';
import { SymbolicField, SymbolicLines } from './symbolic-field.tsx';

export function FormulaField({ field, value }: FieldProps<Declaration>) {
  if (field.symbols === 'columns') return <ColumnsFormula field={field} value={value} />;
  return field.lines === null ? (
    <SymbolicField field={field} value={value} />
  ) : (
    <SymbolicLines field={field} value={value} />
  );
}

function ColumnsFormula({ field, value }: FieldProps<Declaration>) {
  const { set } = useForm();
  const formula = typeof value === 'string' ? value : '';
  const change = (next: string): void =>
    set(field.key, next.trim() === '' ? null : next, { text: `修改${field.title}`, tag: field.key });
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      {field.kind === 'condition' ? (
        <ConditionEditor judged value={formula} onChange={change} />
      ) : (
        <ExpressionEditor name={field.key} labelledBy={titleId(field.key)} value={formula} onChange={change} />
      )}
    </FieldRow>
  );
}
