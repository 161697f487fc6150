/** 筛选, 分层, 加权: at the foot of every card, whatever the method. */
import type { Declaration } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';
import type { Active } from '@hengxi/server/files/schema';
import { ControlOutlined, FilterOutlined, PartitionOutlined } from '@ant-design/icons';

import { Slot } from '../../../fields/boxes/slot.tsx';
import { useBoxes } from '../../../fields/boxes/variable-boxes.tsx';
import { titleOf } from '../../../fields/column.ts';
import { conditionWords } from '../../../fields/condition/words.ts';
import { useForm } from '../../../fields/form-context.tsx';
import { MethodField } from '../../../fields/method-field.tsx';
import { Faults } from '../../../fields/parts.tsx';
import { isShown } from '../../../fields/visible.ts';
import { FILTER, filterOf, SPLIT, splitOf, WEIGHT, weightOf } from './boxes-of.ts';
import styles from './slots.module.css';

export interface SlotsProps {
  declaration: Declaration;
  active: Active;
  /** Rows kept of all, for the filter in force. */
  counted: { count: number; rows: number } | null;
  onFilter: () => void;
}

export function Slots({ declaration, active, counted, onFilter }: SlotsProps) {
  const { form, resolved, known, boxes, set } = useForm();
  const { dragged } = useBoxes();
  const box = (key: string) => boxes.find((one) => one.key === key);
  const [filter, split, weight] = [box(FILTER), box(SPLIT), box(WEIGHT)];
  const inForce = { filter: filterOf(form, active), split: splitOf(form, active), weight: weightOf(form, active) };
  const name = (id: string): string => {
    const column = known.get(id);
    return column === undefined ? `已不存在的变量 ${id}` : titleOf(column);
  };
  const own = declaration.fields.filter(
    (field) => field.type === 'weight' && isShown(field, declaration.fields, form, resolved, known),
  );
  return (
    <div className={styles['slots']} data-dragging={dragged === null ? undefined : ''}>
      {filter === undefined ? null : (
        <Slot
          box={filter}
          icon={<FilterOutlined aria-hidden />}
          word="筛选"
          value={
            inForce.filter === null
              ? null
              : `${inForce.filter.filter_type === 'drop' ? '除去 ' : ''}${conditionWords(inForce.filter.condition, known)}`
          }
          empty="全部行，点此加条件"
          invite="放到这里：按它筛选"
          aside={counted === null ? '' : `${integer(counted.count)} / ${integer(counted.rows)}`}
          onClick={onFilter}
          onRemove={() => set(FILTER, active.filter === null ? undefined : null, { text: '取消筛选' })}
        />
      )}
      <Faults of={FILTER} />
      {split === undefined ? null : (
        <Slot
          box={split}
          icon={<PartitionOutlined aria-hidden />}
          word="分层"
          value={inForce.split === null ? null : `${name(inForce.split.column)}：每组各做一次`}
          empty="拖入分层变量"
          invite="放到这里：每组各做一次"
          onRemove={() => set(SPLIT, active.split === null ? undefined : null, { text: '取消分层' })}
        />
      )}
      <Faults of={SPLIT} />
      {own.map((field) => (
        <MethodField key={field.key} field={field} value={form[field.key]} />
      ))}
      {weight === undefined ? null : (
        <Slot
          box={weight}
          icon={<ControlOutlined aria-hidden />}
          word="加权"
          value={inForce.weight === null ? null : name(inForce.weight.column)}
          empty="拖入权重变量"
          invite="放到这里：每行按它计数"
          onRemove={() => set(WEIGHT, active.weight === null ? undefined : null, { text: '取消加权' })}
        />
      )}
      <Faults of={WEIGHT} />
    </div>
  );
}
