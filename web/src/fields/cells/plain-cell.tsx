/** A plain field as the cell of a row: in settings, blocks and records. It names itself, since the column's head is far away. */
import type { Field } from '@hengxi/contracts/contract';
import { Input, Select, Switch } from 'antd';

import { isRecord } from '../form.ts';
import { NumberInput } from '../number/number-field.tsx';

export interface PlainCellProps {
  cell: Field;
  value: unknown;
  /** 满意度：测量方式. */
  label: string;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

/** What named numbers of a row are called on the screen. */
const NAMES: Readonly<Record<string, string>> = { min: '下界', max: '上界' };

const numberOr = (value: unknown, otherwise: number | null): number | null =>
  typeof value === 'number' ? value : otherwise;

export function PlainCell({ cell, value, label, disabled, onChange }: PlainCellProps) {
  switch (cell.type) {
    case 'number':
    case 'integer':
      return (
        <NumberInput
          value={numberOr(value, cell.default)}
          whole={cell.type === 'integer'}
          percent={cell.type === 'number' && cell.percent}
          unit={cell.unit}
          least={cell.least}
          most={cell.most}
          placeholder={cell.auto?.title ?? ''}
          disabled={disabled}
          label={{ text: label }}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <Select
          aria-label={label}
          disabled={disabled}
          style={{ minWidth: 88 }}
          value={typeof value === 'string' ? value : cell.default}
          options={cell.options.map((option) => ({ value: option.key, label: option.title }))}
          onChange={onChange}
        />
      );
    case 'flag':
      return (
        <Switch
          size="small"
          aria-label={label}
          disabled={disabled}
          checked={typeof value === 'boolean' ? value : cell.default}
          onChange={onChange}
        />
      );
    case 'words':
      return (
        <Input
          aria-label={label}
          disabled={disabled}
          style={{ minWidth: 64 }}
          maxLength={cell.longest}
          placeholder={cell.auto?.title ?? ''}
          value={typeof value === 'string' ? value : (cell.default ?? '')}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'numbers': {
      const given = isRecord(value) ? value : {};
      const names = cell.names ?? [];
      const numbers = Object.fromEntries(
        names.map((name, at) => [name, numberOr(given[name], cell.default[at] ?? null)]),
      );
      return (
        <span style={{ display: 'inline-flex', gap: 4 }}>
          {names.map((name) => (
            <NumberInput
              key={name}
              value={numbers[name] ?? null}
              width={66}
              placeholder={NAMES[name] ?? name}
              disabled={disabled}
              label={{ text: `${label} ${NAMES[name] ?? name}` }}
              onChange={(next) => onChange({ ...numbers, [name]: next })}
            />
          ))}
        </span>
      );
    }
    default:
      // The contract gives rows no variables, lists or rows of their own.
      return null;
  }
}
