/** A line of text (contract: words): a name, a delimiter, a pattern, a date format. */
import type { WordsField as Declaration } from '@hengxi/contracts/contract';
import { Input } from 'antd';

import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';

export function WordsField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly } = useForm();
  const wide = field.kind === 'text' || field.kind === 'pattern';
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked={wide}>
      <Input
        aria-labelledby={titleId(field.key)}
        style={{ width: wide ? '100%' : 180, fontFamily: field.kind === 'pattern' ? 'var(--font-code)' : undefined }}
        value={typeof value === 'string' ? value : (field.default ?? '')}
        placeholder={field.auto?.title ?? ''}
        maxLength={field.longest}
        disabled={readOnly}
        onChange={(event) => set(field.key, event.target.value, { text: `修改${field.title}`, tag: field.key })}
      />
    </FieldRow>
  );
}
