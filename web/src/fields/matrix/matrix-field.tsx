/** Numbers typed in a grid (contract: matrix): arrows walk, blocks are pasted, the mirrored half follows and is grey. */
import type { MatrixField as Declaration } from '@hengxi/contracts/contract';
import { DeleteOutlined, LeftOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons';
import { Button, Input, Segmented, Select, Slider, Space } from 'antd';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useState } from 'react';

import { CheckMark } from '../../ui/check-mark.tsx';
import { useForm } from '../form-context.tsx';
import { NumberInput } from '../number/number-field.tsx';
import { readNumber } from '../number/read-number.ts';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint } from '../parts.tsx';
import styles from './matrix-field.module.css';
import type { Grid, SheetPlan } from './read-matrix.ts';
import {
  diagonalOf,
  filledPairs,
  isMirrored,
  isSquare,
  mirrored,
  plansOf,
  readMatrix,
  reshaped,
  sheetFor,
  shownNumber,
  withNumber,
  withPasted,
  withSheet,
} from './read-matrix.ts';

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface GridProps {
  field: Declaration;
  grid: Grid;
  /** Null: the names follow another field. */
  onNames: ((axis: 'rows' | 'columns', names: readonly string[]) => void) | null;
  onGrid: (grid: Grid, tag: string) => void;
}

function NumberGrid({ field, grid, onNames, onGrid }: GridProps) {
  const { readOnly } = useForm();
  const walk = (event: KeyboardEvent<HTMLElement>, row: number, column: number): void => {
    const step = STEPS[event.key];
    const input = event.target;
    if (step === undefined || event.nativeEvent.isComposing || !(input instanceof HTMLInputElement)) return;
    // Left and right first walk through what is typed.
    const at = input.selectionStart;
    if (step[1] < 0 && at !== 0) return;
    if (step[1] > 0 && at !== input.value.length) return;
    const cell = event.currentTarget
      .closest('table')
      ?.querySelector<HTMLInputElement>(`[data-cell="${row + step[0]}/${column + step[1]}"] input`);
    event.preventDefault();
    event.stopPropagation();
    cell?.focus();
    cell?.select();
  };
  const paste = (event: ClipboardEvent, row: number, column: number): void => {
    const next = withPasted(field, grid, row, column, event.clipboardData.getData('text'));
    if (next === null) return;
    event.preventDefault();
    onGrid(next, 'paste');
  };
  const rename = (axis: 'rows' | 'columns', at: number, name: string): void =>
    onNames?.(axis, grid[axis].with(at, name));
  const head = (axis: 'rows' | 'columns', name: string, at: number) =>
    onNames === null || (axis === 'columns' && isSquare(field)) ? (
      name
    ) : (
      <Input
        size="small"
        aria-label={`第 ${at + 1} ${axis === 'rows' ? '行' : '列'}的名称`}
        style={{ width: 78 }}
        disabled={readOnly}
        value={name}
        onChange={(event) => rename(axis, at, event.target.value)}
      />
    );

  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={field.title}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <td aria-hidden />
            {grid.columns.map((name, at) => (
              <th key={at} scope="col">
                {head('columns', name, at)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.rows.map((name, row) => (
            <tr key={row}>
              <th scope="row">{head('rows', name, row)}</th>
              {grid.columns.map((column, at) => {
                const value = grid.values[row]?.[at] ?? null;
                const isFixed = isSquare(field) && row === at && diagonalOf(field) !== null;
                if (isFixed || (isMirrored(field) && row > at))
                  return (
                    <td key={at} className={styles['follows']}>
                      {shownNumber(
                        field,
                        isFixed ? diagonalOf(field) : (value ?? mirrored(field, grid.values[at]?.[row] ?? null)),
                      )}
                    </td>
                  );
                return (
                  <td
                    key={at}
                    data-cell={`${row}/${at}`}
                    onKeyDownCapture={(event) => walk(event, row, at)}
                    onPaste={(event) => paste(event, row, at)}
                  >
                    <NumberInput
                      value={value}
                      width={60}
                      disabled={readOnly}
                      label={{ text: `${name}对${column}` }}
                      written={{ read: readNumber, show: (number) => shownNumber(field, number), noun: '数字' }}
                      onChange={(next) => onGrid(withNumber(field, grid, row, at, next), `${row}.${at}`)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** −8 … 8 on the slider is 9 … 1 … 1/9: left, the first matters more. */
const toJudgement = (place: number): number => (place <= 0 ? 1 - place : 1 / (1 + place));
const toPlace = (value: number | null): number =>
  value === null ? 0 : value >= 1 ? 1 - Math.round(value) : Math.round(1 / value) - 1;

function Pairs({ field, grid, onGrid }: Pick<GridProps, 'field' | 'grid' | 'onGrid'>) {
  const { readOnly } = useForm();
  const pairs = grid.rows.flatMap((_, row) =>
    grid.rows.slice(row + 1).map((__, step): [number, number] => [row, row + 1 + step]),
  );
  return (
    <ul className={styles['pairs']}>
      {pairs.map(([row, column]) => {
        const value = grid.values[row]?.[column] ?? null;
        const [first, second] = [grid.rows[row] ?? '', grid.rows[column] ?? ''];
        const words =
          value === null
            ? '未判断'
            : value === 1
              ? '同样重要'
              : value > 1
                ? `${first}重要 ${shownNumber(field, value)} 倍`
                : `${second}重要 ${shownNumber(field, 1 / value)} 倍`;
        return (
          <li key={`${row}/${column}`}>
            <span>{first}</span>
            <Slider
              min={-8}
              max={8}
              disabled={readOnly}
              value={toPlace(value)}
              tooltip={{ formatter: () => words }}
              ariaLabelForHandle={`${first}对${second}`}
              ariaValueTextFormatterForHandle={() => words}
              onChange={(place) => onGrid(withNumber(field, grid, row, column, toJudgement(place)), `${row}.${column}`)}
            />
            <span>{second}</span>
            <small>{words}</small>
          </li>
        );
      })}
    </ul>
  );
}

/** What the engine says of the matrix being typed, with what it offers; nothing is changed unasked. */
function Note({
  field,
  sheet,
  grid,
  onGrid,
}: Pick<GridProps, 'field' | 'grid' | 'onGrid'> & { sheet: readonly string[] }) {
  const { notes, readOnly } = useForm();
  const note = notes?.find((one) => one.field === field.key && one.sheet.join('/') === sheet.join('/'));
  return (
    <div className={styles['note']} role="status">
      {note === undefined ? null : (
        <>
          <CheckMark state={note.state} />
          <span>{note.text}</span>
          {note.offer === null || readOnly ? null : (
            <Button
              size="small"
              onClick={() => {
                const { row, column, value } = note.offer ?? { row: 0, column: 0, value: null };
                // The upper half is what is typed; of a pair proposed the other way round, its reciprocal.
                onGrid(withNumber(field, grid, row, column, value), 'offer');
              }}
            >
              {note.offer.title}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

export function MatrixField({ field, value }: FieldProps<Declaration>) {
  const { form, set, readOnly, notes } = useForm();
  const [view, setView] = useState<'grid' | 'pairs'>('grid');
  const [chosen, setChosen] = useState('');
  const compared = field.of === null ? undefined : form[field.of];
  const plans =
    field.sheets.length === 0
      ? []
      : plansOf(
          field.sheets.map((key) => form[key]),
          compared,
        );
  const at = Math.max(
    plans.findIndex(({ key }) => key.join('/') === chosen),
    0,
  );
  const plan = plans[at];
  const careful = new Set(
    (notes ?? []).filter((one) => one.field === field.key && one.state === 'care').map((one) => one.sheet.join('/')),
  );
  const optionOf = ({ key, title, names }: SheetPlan): { value: string; label: string } => {
    const done = filledPairs(sheetFor(field, value, { key, title, names }));
    const all = (names.length * (names.length - 1)) / 2;
    const progress = done === all ? '' : done === 0 ? '（未填）' : `（填了 ${done}/${all}）`;
    const id = key.join('/');
    return { value: id, label: `${title}${progress}${careful.has(id) ? '（CR 超限）' : ''}` };
  };
  const walkTo = (step: number): void => setChosen(plans[at + step]?.key.join('/') ?? '');
  const isSheets = field.sheets.length > 0;
  const grid = plan === undefined ? readMatrix(field, value) : sheetFor(field, value, plan);

  const store = (next: Grid, tag: string): void => {
    const whole = plan === undefined ? next : withSheet(field, value, plans, { ...next, key: plan.key });
    set(field.key, whole, { text: `修改${field.title}`, tag: `${field.key}.${plan?.key.join('/') ?? ''}.${tag}` });
  };
  const rename = (axis: 'rows' | 'columns', names: readonly string[]): void => {
    const rows = axis === 'rows' ? names : grid.rows;
    const columns = isSquare(field) ? rows : axis === 'columns' ? names : grid.columns;
    store(reshaped(field, grid, rows, columns), axis);
  };
  const [least, most] = field.size;

  return (
    <section className={styles['matrix']} data-field={field.key} aria-labelledby={`matrix-${field.key}`}>
      <div className={styles['head']}>
        <h2 id={`matrix-${field.key}`}>
          {field.title}
          <Hint text={field.hint} />
        </h2>
        {plans.length > 1 ? (
          <Select
            size="small"
            aria-label="哪一张矩阵"
            className={styles['which']}
            showSearch={{ optionFilterProp: 'label' }}
            popupMatchSelectWidth={false}
            value={plan?.key.join('/') ?? ''}
            options={plans.map(optionOf)}
            onChange={setChosen}
          />
        ) : null}
        {plans.length > 1 ? (
          <Space.Compact size="small">
            <Button
              aria-label="上一张矩阵"
              icon={<LeftOutlined aria-hidden />}
              disabled={at === 0}
              onClick={() => walkTo(-1)}
            />
            <Button
              aria-label="下一张矩阵"
              icon={<RightOutlined aria-hidden />}
              disabled={at === plans.length - 1}
              onClick={() => walkTo(1)}
            />
          </Space.Compact>
        ) : null}
        {field.kind === 'reciprocal' ? (
          <Segmented
            size="small"
            aria-label="怎样填"
            value={view}
            options={[
              { value: 'grid', label: '矩阵' },
              { value: 'pairs', label: '逐对比较' },
            ]}
            onChange={setView}
          />
        ) : null}
      </div>
      {isSheets && plan === undefined ? (
        <p className={styles['none']}>先填好要比较的内容和专家，这里会列出每一张矩阵</p>
      ) : view === 'pairs' && field.kind === 'reciprocal' ? (
        <Pairs field={field} grid={grid} onGrid={store} />
      ) : (
        <NumberGrid field={field} grid={grid} onNames={isSheets ? null : rename} onGrid={store} />
      )}
      {isSheets && plan === undefined ? null : (
        <Note field={field} sheet={plan?.key ?? []} grid={grid} onGrid={store} />
      )}
      {isSheets || readOnly ? null : (
        <div className={styles['foot']}>
          <Button
            size="small"
            icon={<PlusOutlined aria-hidden />}
            disabled={grid.rows.length >= most}
            onClick={() => rename('rows', [...grid.rows, `对象${grid.rows.length + 1}`])}
          >
            加一行
          </Button>
          <Button
            size="small"
            icon={<DeleteOutlined aria-hidden />}
            disabled={grid.rows.length <= Math.max(least, 1)}
            onClick={() => rename('rows', grid.rows.slice(0, -1))}
          >
            去掉末行
          </Button>
          {isSquare(field) ? null : (
            <>
              <Button
                size="small"
                icon={<PlusOutlined aria-hidden />}
                disabled={grid.columns.length >= most}
                onClick={() => rename('columns', [...grid.columns, `列${grid.columns.length + 1}`])}
              >
                加一列
              </Button>
              <Button
                size="small"
                icon={<DeleteOutlined aria-hidden />}
                disabled={grid.columns.length <= 1}
                onClick={() => rename('columns', grid.columns.slice(0, -1))}
              >
                去掉末列
              </Button>
            </>
          )}
        </div>
      )}
      <Faults of={field.key} />
    </section>
  );
}
