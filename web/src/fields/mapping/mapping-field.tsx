/** Recoding rules (contract: mapping): old values picked with their counts, new values typed; one line each. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';

import type { Level } from '../column.ts';
import { countText, levelTitle } from '../column.ts';
import { useForm } from '../form-context.tsx';
import { columnsOf } from '../level/level-field.tsx';
import { NumberInput } from '../number/number-field.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow } from '../parts.tsx';
import { ManySelect } from '../../ui/many-select.tsx';
import styles from './mapping-field.module.css';
import { unmapped, valuesOf } from './old-values.ts';
import type { New, Old, Rule } from './read-rules.ts';
import { Schemes } from './schemes.tsx';
import { isFinished, readRules, readValue, readValues, reversed, writeRules } from './read-rules.ts';

export interface MappingDeclaration {
  key: string;
  title: string;
  hint: string | null;
  of: string[];
  max: number;
}

const OLD_WORDS = [
  { value: 'values', label: '取值' },
  { value: 'span', label: '区间' },
  { value: 'missing', label: '缺失' },
] as const;

const NEW_WORDS = [
  { value: 'value', label: '改为' },
  { value: 'missing', label: '设为缺失' },
  { value: 'copy', label: '保持原值' },
] as const;

const LEFT_SHOWN = 8;

function oldOf(is: Old['is']): Old {
  if (is === 'span') return { is, low: null, high: null, open: 'none' };
  return is === 'missing' ? { is } : { is, values: [] };
}

function newOf(is: New['is']): New {
  return is === 'value' ? { is, value: '' } : { is };
}

interface OldProps {
  old: Old;
  levels: readonly Level[];
  name: string;
  onChange: (old: Old) => void;
}

function OldPart({ old, levels, name, onChange }: OldProps) {
  if (old.is === 'missing') return <span className={styles['part']} />;
  if (old.is === 'span') {
    return (
      <span className={styles['part']}>
        <NumberInput
          value={old.low}
          label={{ text: `${name} 下限` }}
          placeholder="−∞"
          width={72}
          onChange={(low) => onChange({ ...old, low })}
        />
        –
        <NumberInput
          value={old.high}
          label={{ text: `${name} 上限` }}
          placeholder="+∞"
          width={72}
          onChange={(high) => onChange({ ...old, high })}
        />
      </span>
    );
  }
  if (levels.length > 0) {
    return (
      <ManySelect
        className={styles['part'] ?? ''}
        aria-label={`${name} 旧值`}
        placeholder="选择旧值"
        value={old.values.map((value) => JSON.stringify(value))}
        onChange={(keys: string[]) =>
          onChange({
            is: 'values',
            values: levels.filter((level) => keys.includes(JSON.stringify(level.value))).map((level) => level.value),
          })
        }
        options={levels.map((level) => ({
          value: JSON.stringify(level.value),
          label: `${levelTitle(level)}（${countText(level)}）`,
        }))}
      />
    );
  }
  return (
    <Input
      className={styles['part'] ?? ''}
      aria-label={`${name} 旧值`}
      placeholder="1, 2, 3"
      defaultValue={old.values.join(', ')}
      onChange={(event) => onChange({ is: 'values', values: readValues(event.target.value) })}
    />
  );
}

export function MappingField({ field, value }: FieldProps<MappingDeclaration>) {
  const { form, known, set, readOnly } = useForm();
  const columns = columnsOf(field.of, form, known);
  const levels = valuesOf(columns);
  const rules = readRules(value);
  const store = (next: readonly Rule[], text: string, tag?: string): void =>
    set(field.key, writeRules(next), tag === undefined ? { text } : { text, tag });
  const change = (at: number, next: Partial<Rule>): void =>
    store(
      rules.map((rule, place) => (place === at ? { ...rule, ...next } : rule)),
      `修改${field.title}第 ${at + 1} 条`,
      `${field.key}.${at}`,
    );
  const numbers = levels.map((level) => level.value).filter((one) => typeof one === 'number');
  const left = rules.length === 0 ? [] : unmapped(rules, levels);
  const canReverse = numbers.length >= 3 && numbers.length === levels.length;
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div className={styles['rules']}>
        {rules.map((rule, at) => (
          // Lines have no identity of their own: their place is what the engine's messages name.
          <fieldset key={at} className={styles['rule']} disabled={readOnly}>
            <legend className="hx-hidden">第 {at + 1} 条</legend>
            <Select
              aria-label={`第 ${at + 1} 条 种类`}
              className={styles['kind'] ?? ''}
              value={rule.old.is}
              options={[...OLD_WORDS]}
              onChange={(is) => change(at, { old: oldOf(is) })}
            />
            <OldPart old={rule.old} levels={levels} name={`第 ${at + 1} 条`} onChange={(old) => change(at, { old })} />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={`删除第 ${at + 1} 条`}
              onClick={() =>
                store(
                  rules.filter((_, place) => place !== at),
                  `删除${field.title}第 ${at + 1} 条`,
                )
              }
            />
            <Select
              aria-label={`第 ${at + 1} 条 处理`}
              className={styles['kind'] ?? ''}
              value={rule.new.is}
              options={[...NEW_WORDS]}
              onChange={(is) => change(at, { new: newOf(is) })}
            />
            {rule.new.is === 'value' ? (
              <span className={styles['part']}>
                <Input
                  aria-label={`第 ${at + 1} 条 新值`}
                  placeholder="新值"
                  value={String(rule.new.value)}
                  onChange={(event) => change(at, { new: { is: 'value', value: readValue(event.target.value) } })}
                />
                <Input
                  aria-label={`第 ${at + 1} 条 标签`}
                  placeholder="标签（选填）"
                  maxLength={200}
                  value={rule.label}
                  onChange={(event) => change(at, { label: event.target.value })}
                />
              </span>
            ) : (
              <span className={styles['part']} />
            )}
          </fieldset>
        ))}
        {left.length === 0 ? null : (
          <p className={styles['left']}>
            还没有规则的取值：
            {left
              .slice(0, LEFT_SHOWN)
              .map((level) => `${levelTitle(level)}（${countText(level)}）`)
              .join('、')}
            {left.length > LEFT_SHOWN ? ` 等 ${left.length} 个` : ''}
          </p>
        )}
        {readOnly ? null : (
          <div className={styles['acts']}>
            {rules.length >= field.max ? null : (
              <Button
                size="small"
                icon={<PlusOutlined aria-hidden />}
                onClick={() =>
                  store([...rules, { old: oldOf('values'), new: newOf('value'), label: '' }], `${field.title}：加一条`)
                }
              >
                加一条
              </Button>
            )}
            {canReverse && rules.length < field.max ? (
              <Button size="small" onClick={() => store(reversed(numbers), `${field.title}：反向计分`)}>
                反向计分
              </Button>
            ) : null}
            <Schemes
              rules={writeRules(rules.filter(isFinished))}
              max={field.max}
              onApply={(next, name) => set(field.key, next, { text: `套用编码方案“${name}”` })}
            />
          </div>
        )}
      </div>
    </FieldRow>
  );
}
