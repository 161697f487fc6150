/** A box for variables (contract: role). What it takes and how is boxes/; this turns the declaration into a box. */
import type { RoleField as Declaration } from '@hengxi/contracts/contract';
import type { MethodRole } from '@hengxi/server/analysis/schema';

import type { Box } from '../boxes/box.ts';
import { badgeOf } from '../boxes/box.ts';
import { VariableBox } from '../boxes/variable-box.tsx';
import { idsOf } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { TextPreviewButton } from './text-preview.tsx';

export function roleBox(field: MethodRole): Box {
  return {
    key: field.key,
    title: field.title,
    needs: {
      measure: field.measure,
      levels: field.levels,
      values: field.values,
      ordered: field.ordered,
      varies: field.varies,
      use: field.use,
      sets: field.sets,
    },
    many: field.many,
    min: field.min,
    max: field.max,
    shared: field.shared_with,
    badge: badgeOf(field.title),
  };
}

export function RoleField({ field }: FieldProps<Declaration>) {
  const { boxes, form, known } = useForm();
  const at = boxes.findIndex((box) => box.key === field.key);
  const box = boxes[at];
  if (box === undefined) return null;
  const text = field.measure === '文本' ? known.get(idsOf(form[field.key])[0] ?? '') : undefined;
  return (
    <>
      <VariableBox box={box} hint={field.hint} number={at < 9 ? at + 1 : null} />
      {text === undefined ? null : <TextPreviewButton column={text} field={field.key} />}
    </>
  );
}
