/** A period of a timeline (contract: moment), typed as people write it. */
import type { MomentField as Declaration } from '@hengxi/contracts/contract';
import { Input } from 'antd';

import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';

export function MomentField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly } = useForm();
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint}>
      <Input
        aria-labelledby={titleId(field.key)}
        style={{ width: 150 }}
        value={typeof value === 'string' ? value : ''}
        placeholder={field.auto?.title ?? '如 2008-03、2008'}
        maxLength={30}
        disabled={readOnly}
        onChange={(event) =>
          set(field.key, event.target.value === '' ? null : event.target.value, {
            text: `修改${field.title}`,
            tag: field.key,
          })
        }
      />
    </FieldRow>
  );
}
