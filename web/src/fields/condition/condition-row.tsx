/** One row of a condition: 变量 / 条件 / 值. Values are picked from the levels where there are some. */
import { DeleteOutlined } from '@ant-design/icons';
import { integer } from '@hengxi/contracts/format';
import { isCode } from '@hengxi/contracts/missing-codes';
import { Button, Input, Select } from 'antd';
import { useEffect } from 'react';

import { loadPinyin, score } from '../../lib/search.ts';
import { ManySelect } from '../../ui/many-select.tsx';
import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import { isNumber } from '../boxes/fit.ts';
import { clockText, isClock, readClock, timed } from '../clock.ts';
import type { Column } from '../column.ts';
import { codesOf, countText, levelTitle, titleOf } from '../column.ts';
import { useForm } from '../form-context.tsx';
import { readNumber } from '../number/read-number.ts';
import { NumberInput, type Written } from '../number/number-field.tsx';
import styles from './condition-editor.module.css';
import type { Operator, Row } from './condition.ts';
import { OPERATOR_WORD, plainValue } from './condition.ts';

const NUMBERS: readonly Operator[] = ['=', '!=', '>', '>=', '<', '<=', 'missing', 'present'];
const LEVELS: readonly Operator[] = ['in', 'not in', 'missing', 'present'];
/** Operators that name values one by one. */
const LISTED: readonly Operator[] = ['=', '!=', 'in', 'not in'];
const TEXTS: readonly Operator[] = ['=', '!=', 'missing', 'present'];

const hasLevels = (column: Column): boolean =>
  column.measure === '定类' && column.levels !== null && column.levels.length <= 200;

export function operatorsOf(column: Column | undefined): readonly Operator[] {
  if (column === undefined) return NUMBERS;
  if (hasLevels(column)) return column.ordered && isNumber(column) ? [...LEVELS, ...NUMBERS.slice(2, 6)] : LEVELS;
  return isNumber(column) || column.measure === '时间' ? NUMBERS : TEXTS;
}

/** Only where a code for a missing answer is asked for by its value: of every other value it is no answer at all. */
function withValues(row: Row, column: Column | undefined, values: Row['values']): Row {
  const { entered: _, ...rest } = row;
  const asks = LISTED.includes(row.operator) && column !== undefined && values.some((value) => isCode(value, column));
  return { ...rest, values, ...(asks ? { entered: true } : {}) };
}

/** A new row for a column: the operator most people want for its type. */
export function rowOf(column: Column | undefined): Row {
  if (column === undefined) return { column: '', operator: '=', values: [] };
  return { column: column.id, operator: hasLevels(column) ? 'in' : isNumber(column) ? '>=' : '=', values: [] };
}

/** Answers with how often they were given, then the codes that stand for none. */
function optionsOf(column: Column | undefined) {
  const levels = column?.levels ?? [];
  const codes = column === undefined ? [] : codesOf(column);
  return [
    ...levels.map((level) => ({ level: column === undefined ? level : timed(level, column), note: countText(level) })),
    ...codes.map((level) => ({
      level,
      note: ['缺失码', ...(level.count === undefined ? [] : [integer(level.count)])].join(' '),
    })),
  ].map(({ level, note }) => {
    const plain = plainValue(level.value);
    return { plain, value: JSON.stringify(plain), label: `${levelTitle(level)}（${note}）` };
  });
}

/** Times are read and shown as times, also entered in seconds; codes for a missing answer are no times. */
const clockOf = (column: Column): Written => ({
  read: (text) => readNumber(text) ?? readClock(text, column),
  show: (value) => (isCode(value, column) ? String(value) : clockText(value)),
  noun: '时刻，如 08:30:15',
});

function spanOf(column: Column): string {
  const { min, max } = column.profile;
  if (typeof min !== 'number' || typeof max !== 'number') return '';
  return isClock(column) ? `${clockText(min)}–${clockText(max)}` : `${min}–${max}`;
}

interface ValueProps {
  row: Row;
  column: Column | undefined;
  onChange: (values: Row['values']) => void;
}

/** Compared with what is written in quotes: texts that look like numbers, and days. */
const isWritten = (column: Column | undefined): boolean =>
  column !== undefined && (column.storage === 'text' || column.measure === '时间');

function momentHint(column: Column | undefined): string {
  if (column?.measure !== '时间') return '';
  return column.storage === 'datetime' ? '2024-01-31 08:30' : '2024-01-31';
}

function Value({ row, column, onChange }: ValueProps) {
  if (row.operator === 'missing' || row.operator === 'present') return <span className={styles['value']} />;
  const [first] = row.values;
  if (row.operator === 'in' || row.operator === 'not in') {
    const options = optionsOf(column);
    return (
      <ManySelect
        aria-label="值"
        className={styles['value'] ?? ''}
        placeholder="选择类别"
        value={row.values.map((value) => JSON.stringify(value))}
        onChange={(keys: string[]) =>
          onChange(options.filter(({ value }) => keys.includes(value)).map(({ plain }) => plain))
        }
        options={options}
      />
    );
  }
  if (column !== undefined && isNumber(column)) {
    return (
      <span className={styles['value']}>
        <NumberInput
          value={typeof first === 'number' ? first : null}
          {...(isClock(column) ? { written: clockOf(column) } : { unit: column.unit })}
          width={isClock(column) ? 168 : 132}
          label={{ text: '值' }}
          placeholder={spanOf(column)}
          onChange={(value) => onChange(value === null ? [] : [value])}
        />
      </span>
    );
  }
  return (
    <Input
      aria-label="值"
      className={styles['value'] ?? ''}
      placeholder={momentHint(column)}
      value={String(first ?? '')}
      onChange={(event) => {
        const text = event.target.value;
        const number = isWritten(column) ? null : readNumber(text);
        onChange(text === '' ? [] : [number ?? text]);
      }}
    />
  );
}

export interface ConditionRowProps {
  row: Row;
  onChange: (row: Row) => void;
  onRemove: () => void;
}

export function ConditionRow({ row, onChange, onRemove }: ConditionRowProps) {
  const { columns, known } = useForm();
  const column = known.get(row.column);
  // Found by pinyin too, as everywhere.
  useEffect(() => void loadPinyin(), []);
  return (
    <div className={styles['row']}>
      <Select
        aria-label="变量"
        className={styles['variable'] ?? ''}
        popupMatchSelectWidth={false}
        placeholder="选择变量"
        showSearch={{
          filterOption: (typed, option) => score(typed, { title: option?.title ?? '', words: option?.words ?? [] }) > 0,
        }}
        value={row.column === '' ? null : row.column}
        onChange={(id: string) => onChange(rowOf(known.get(id)))}
        options={columns.map((option) => ({
          value: option.id,
          title: titleOf(option),
          words: [option.name],
          label: (
            <span>
              <MeasureIcon kind={measureKind(option)} /> {titleOf(option)}
            </span>
          ),
        }))}
      />
      <Select
        aria-label="条件"
        className={styles['operator'] ?? ''}
        value={row.operator}
        onChange={(operator: Operator) => {
          const list = (one: Operator): boolean => one === 'in' || one === 'not in';
          const values = list(operator) === list(row.operator) ? row.values : [];
          onChange(withValues({ ...row, operator }, column, values));
        }}
        options={operatorsOf(column).map((operator) => ({ value: operator, label: OPERATOR_WORD[operator] }))}
      />
      <Value row={row} column={column} onChange={(values) => onChange(withValues(row, column, values))} />
      <Button type="text" icon={<DeleteOutlined />} aria-label="删除这一行" onClick={onRemove} />
    </div>
  );
}
