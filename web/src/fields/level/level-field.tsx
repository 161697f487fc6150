/** Levels of chosen variables (contract: level): a picker with counts, never typed text. */
import type { LevelField as Declaration } from '@hengxi/contracts/contract';
import { SwapOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';

import { timed } from '../clock.ts';
import type { Column, Level } from '../column.ts';
import { countText, levelTitle } from '../column.ts';
import type { Form } from '../form.ts';
import { idsOf, listOf, recordsOf, same } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import { ManySelect } from '../../ui/many-select.tsx';
import styles from './level-field.module.css';

type Value = Level['value'];

/** Chips while they can be overlooked; a list with search beyond. */
const CHIPS = 12;

export function columnsOf(keys: readonly string[], form: Form, known: ReadonlyMap<string, Column>): Column[] {
  return keys
    .flatMap((key) => {
      const ids = idsOf(form[key]);
      // Variables in groups, as of a scale with its dimensions.
      return ids.length > 0 ? ids : recordsOf(form[key]).flatMap((block) => idsOf(block['columns']));
    })
    .map((id) => known.get(id))
    .filter((column) => column !== undefined);
}

/** Levels that occur; a value that only a label promises cannot be compared. */
export function levelsOf(columns: readonly Column[]): Level[] {
  const levels: Level[] = [];
  for (const level of columns.flatMap((column) => (column.levels ?? []).map((one) => timed(one, column)))) {
    if ((level.count ?? 0) > 0 && !levels.some((one) => one.value === level.value)) levels.push(level);
  }
  return levels;
}

const keyOf = (value: unknown): string => JSON.stringify(value);

export interface LevelPickerProps {
  levels: readonly Level[];
  value: unknown;
  /** Automatic: what the engine took, for the placeholder. */
  automatic: string | null;
  label: { id: string } | { text: string };
  disabled?: boolean;
  onChange: (value: Value | null) => void;
}

export function LevelPicker({ levels, value, automatic, label, disabled, onChange }: LevelPickerProps) {
  const chosen = levels.find((level) => same(level.value, value));
  const name = 'id' in label ? { 'aria-labelledby': label.id } : { 'aria-label': label.text };
  return (
    <Select
      {...name}
      style={{ minWidth: 148, maxWidth: '100%' }}
      popupMatchSelectWidth={false}
      placeholder={automatic ?? '选择类别'}
      allowClear={automatic !== null}
      disabled={disabled ?? levels.length === 0}
      showSearch={levels.length > CHIPS ? { optionFilterProp: 'search' } : false}
      value={chosen === undefined ? null : keyOf(chosen.value)}
      onChange={(key: string | null | undefined) =>
        onChange(levels.find((level) => keyOf(level.value) === key)?.value ?? null)
      }
      options={levels.map((level) => ({
        value: keyOf(level.value),
        search: levelTitle(level),
        label: (
          <span className={styles['option']}>
            <span>{levelTitle(level)}</span>
            <small>{countText(level)}</small>
          </span>
        ),
      }))}
    />
  );
}

interface SeveralProps {
  field: Declaration;
  levels: readonly Level[];
  chosen: readonly unknown[];
}

function Several({ field, levels, chosen }: SeveralProps) {
  const { set, readOnly } = useForm();
  const most = field.many?.[1] ?? null;
  const toggle = (level: Level): void => {
    const on = chosen.some((value) => same(value, level.value));
    const kept = chosen.filter((value) => !same(value, level.value));
    // A third pick of two takes the place of the last one: nobody has to take one out first.
    const next = on ? kept : [...(most !== null && kept.length >= most ? kept.slice(0, most - 1) : kept), level.value];
    const ordered = field.ordered
      ? next
      : levels.map((one) => one.value).filter((value) => next.some((one) => same(one, value)));
    set(field.key, ordered, { text: `${field.title}：${on ? '去掉' : '选'}${levelTitle(level)}` });
  };
  return (
    <div className={styles['several']}>
      <div className={styles['chips']} role="group" aria-labelledby={titleId(field.key)}>
        {levels.map((level) => {
          const at = chosen.findIndex((value) => same(value, level.value));
          return (
            <button
              key={keyOf(level.value)}
              type="button"
              className={styles['chip']}
              aria-pressed={at >= 0}
              disabled={readOnly}
              onClick={() => toggle(level)}
            >
              {field.ordered && at >= 0 ? <span className={styles['place']}>{at + 1}</span> : null}
              {levelTitle(level)}
              <small>{countText(level)}</small>
            </button>
          );
        })}
      </div>
      {field.ordered && chosen.length === 2 && !readOnly ? (
        <Button
          size="small"
          type="text"
          icon={<SwapOutlined />}
          onClick={() => set(field.key, chosen.toReversed(), { text: `交换${field.title}的方向` })}
        >
          交换方向
        </Button>
      ) : null}
    </div>
  );
}

export function LevelField({ field, value }: FieldProps<Declaration>) {
  const { form, resolved, known, set, readOnly } = useForm();
  const columns = columnsOf(field.of, form, known);
  const levels = levelsOf(columns);
  if (field.many !== null && levels.length <= CHIPS) {
    const own = listOf(value);
    const taken = listOf(resolved[field.key]);
    const [low, high] = field.many;
    // Exactly as many levels as are wanted: the automatic choice is all of them in their order.
    const whole = field.auto !== null && levels.length >= Math.max(1, low) && (high === null || levels.length <= high);
    const chosen = own.length > 0 ? own : taken.length > 0 ? taken : whole ? levels.map((level) => level.value) : [];
    return (
      <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
        {levels.length === 0 ? (
          <p className={styles['none']}>
            {columns.length === 0 ? '放入变量后在这里选' : '这个变量不是分类的：分成几段，或换一个'}
          </p>
        ) : (
          <Several field={field} levels={levels} chosen={chosen} />
        )}
      </FieldRow>
    );
  }
  if (field.many !== null) {
    const titles = new Map(levels.map((level) => [keyOf(level.value), level]));
    return (
      <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
        <ManySelect
          aria-labelledby={titleId(field.key)}
          style={{ width: '100%' }}
          disabled={readOnly}
          placeholder="选择类别"
          {...(field.many[1] === null ? {} : { maxCount: field.many[1] })}
          value={listOf(value).map(keyOf)}
          onChange={(keys: string[]) =>
            set(
              field.key,
              keys.map((key) => titles.get(key)?.value ?? null),
              { text: `修改${field.title}` },
            )
          }
          options={levels.map((level) => ({
            value: keyOf(level.value),
            label: `${levelTitle(level)}（${countText(level)}）`,
          }))}
        />
      </FieldRow>
    );
  }
  const taken = levels.find((level) => same(level.value, resolved[field.key]));
  const automatic =
    field.auto === null ? null : taken === undefined ? `自动（${field.auto.title}）` : `自动：${levelTitle(taken)}`;
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint}>
      <LevelPicker
        levels={levels}
        value={value}
        automatic={automatic}
        label={{ id: titleId(field.key) }}
        disabled={readOnly || levels.length === 0}
        onChange={(next) => set(field.key, next, { text: `修改${field.title}` })}
      />
    </FieldRow>
  );
}
