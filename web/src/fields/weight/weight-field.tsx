/** The variable that says how much each row counts (contract: weight); a slot at the foot of the card. */
import type { WeightField as Declaration } from '@hengxi/contracts/contract';
import { ControlOutlined } from '@ant-design/icons';

import type { Box } from '../boxes/box.ts';
import { idsIn, remove } from '../boxes/box.ts';
import { Slot } from '../boxes/slot.tsx';
import { titleOf } from '../column.ts';
import { idsOf } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults } from '../parts.tsx';

export const WEIGHT_WORD = { frequency: '频数权重', sampling: '抽样权重', precision: '精度权重' } as const;

export function weightBox(field: Pick<Declaration, 'key' | 'title' | 'whole'>): Box {
  return {
    key: field.key,
    title: field.title,
    needs: { measure: '定量', values: field.whole ? 'whole' : 'non_negative', use: 'weight' },
    many: false,
    min: 0,
    max: 1,
    // A weight may also be a variable of the analysis; the engine says where that makes no sense.
    shared: [],
    badge: '权',
  };
}

export function WeightField({ field }: FieldProps<Declaration>) {
  const { fields, boxes, form, resolved, known, apply } = useForm();
  const box = boxes.find((one) => one.key === field.key);
  if (box === undefined) return null;
  const [id] = idsIn(form, box);
  const column = id === undefined ? undefined : known.get(id);
  // Not touched by the user: the engine takes the version's active weight of the same kind.
  const inherited = !(field.key in form) ? known.get(idsOf(resolved[field.key])[0] ?? '') : undefined;
  const shown = column ?? inherited;
  // Two weights of different kinds on one card need their full names.
  const several = fields.filter((one) => one.type === 'weight').length > 1;
  return (
    <div>
      <Slot
        box={box}
        icon={<ControlOutlined aria-hidden />}
        word={several ? WEIGHT_WORD[field.kind] : '加权'}
        value={shown === undefined ? null : titleOf(shown)}
        empty="拖入权重变量"
        invite="放到这里：每行按它计数"
        aside={shown === undefined || several ? '' : WEIGHT_WORD[field.kind]}
        onRemove={() => apply(remove(form, box, id === undefined ? [] : [id]), '取消加权')}
      />
      <Faults of={field.key} />
    </div>
  );
}
