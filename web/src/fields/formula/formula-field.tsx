/** A formula over the columns (contract: formula): a condition is built from rows, an expression is written with names. */
import { ConditionEditor } from '../condition/condition-editor.tsx';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import { ExpressionEditor } from './expression-editor.tsx';

export interface FormulaDeclaration {
  key: string;
  title: string;
  hint: string | null;
  kind: 'expression' | 'condition';
}

export function FormulaField({ field, value }: FieldProps<FormulaDeclaration>) {
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
