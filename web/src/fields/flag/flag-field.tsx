/** Yes or no (contract: flag). */
import type { FlagField as Declaration } from '@hengxi/contracts/contract';
import { Switch } from 'antd';

import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';

export function FlagField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly } = useForm();
  const on = typeof value === 'boolean' ? value : field.default;
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint}>
      <Switch
        size="small"
        aria-labelledby={titleId(field.key)}
        disabled={readOnly}
        checked={on}
        onChange={(next) => set(field.key, next, { text: `${next ? '打开' : '关闭'}${field.title}` })}
      />
    </FieldRow>
  );
}
