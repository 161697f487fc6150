/** What a step does: how much in numbers, and where, marked in the table or in some rows before and after side by side. */
import type { DataStep, PreviewColumn, Report } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';
import { Segmented } from 'antd';
import { useState } from 'react';

import type { Column } from '../../../fields/column.ts';
import { CellWords, HeadWords, isGap } from './cell-words.tsx';
import styles from './compare.module.css';
import { isTimeOn, Mark, Sheet } from './sheet.tsx';

/** The account of the step in a processing method's report. */
export function stepOf(report: Report | null): DataStep | null {
  for (const element of report?.parts.flatMap((part) => part.elements) ?? [])
    if (element.type === 'data') return element.step;
  return null;
}

/** 改动 37 格 · 新增 1 列 · 删除 2 列 */
export function changesText(step: DataStep): string {
  const removed = step.removed.length > 0 ? [`删除 ${step.removed.length} 列`] : [];
  const renamed = step.reworded.length > 0 ? [`修改 ${step.reworded.length} 列的名称或标签`] : [];
  const changed = step.cells > 0 || !step.reshaped ? [`改动 ${integer(step.cells)} 格`] : [];
  return [...changed, `新增 ${step.added.length} 列`, ...removed, ...renamed].join(' · ');
}

interface Count {
  what: string;
  before: number;
  after: number;
}

export const countsOf = (step: DataStep): Count[] => [
  { what: '行', before: step.rows_before, after: step.rows_after },
  { what: '列', before: step.columns_before, after: step.columns_after },
  { what: '缺失值', before: step.missing_before, after: step.missing_after },
];

function Counts({ step }: { step: DataStep }) {
  return (
    <dl className={styles['numbers']}>
      {countsOf(step).map(({ what, before, after }) => (
        <div key={what} data-differs={before === after ? undefined : ''}>
          <dt>{what}</dt>
          <dd>{before === after ? `${integer(after)}（不变）` : `${integer(before)} → ${integer(after)}`}</dd>
        </div>
      ))}
    </dl>
  );
}

const SIDES = { before: '处理前', after: '处理后' } as const;
const LABELS = { before: 'labels_before', after: 'labels_after' } as const;

interface SideProps {
  side: keyof typeof SIDES;
  step: DataStep;
  known: ReadonlyMap<string, Column>;
}

function Side({ side, step, known }: SideProps) {
  const { preview } = step;
  const shown = (column: PreviewColumn): boolean => column.change !== (side === 'before' ? 'new' : 'removed');
  const columns = preview.columns.map((column, at) => ({ column, at })).filter(({ column }) => shown(column));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wide tables scroll, also by keyboard
    <div className={styles['side']} tabIndex={0} role="region" aria-label={SIDES[side]}>
      <table>
        <caption>{SIDES[side]}</caption>
        <thead>
          <tr>
            <th scope="col">行</th>
            {columns.map(({ column }) => (
              <th key={column.id} scope="col" data-change={column.change}>
                <HeadWords column={column} />
                <Mark change={column.change} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((number, row) => {
            const cells = preview[side][row];
            // Of another shape the two sides are tables of their own, the shorter of which ends earlier.
            if (step.reshaped && (cells === null || cells === undefined)) return null;
            if (cells === null || cells === undefined)
              return (
                <tr key={number} className={styles['gone']}>
                  <th scope="row">{number}</th>
                  <td colSpan={columns.length}>删除</td>
                </tr>
              );
            const dropped = !step.reshaped && preview.after[row] === null;
            return (
              <tr key={number} className={dropped ? styles['leaves'] : undefined}>
                <th scope="row">{number}</th>
                {columns.map(({ column, at }) => {
                  const isTime = isTimeOn(side, column, cells[at], known.get(column.id));
                  const differs =
                    side === 'after' &&
                    !step.reshaped &&
                    (column.change === 'new' || preview.before[row]?.[at] !== preview.after[row]?.[at]);
                  return (
                    <td
                      key={column.id}
                      data-number={typeof cells[at] === 'number' ? '' : undefined}
                      data-gap={isGap(cells[at]) ? '' : undefined}
                      data-differs={differs ? '' : undefined}
                    >
                      <CellWords cell={cells[at]} labels={column[LABELS[side]]} isTime={isTime} />
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface CompareProps {
  step: DataStep;
  /** The columns before the step. */
  known: ReadonlyMap<string, Column>;
  old: boolean;
  /** Where the rows of a condition can be looked at. */
  rowsAt?: ((condition: string) => string) | undefined;
  /** A click on the head of a column. */
  onPick?: (id: string) => void;
}

type View = 'marked' | 'beside';

export function Compare({ step, known, old, rowsAt, onPick }: CompareProps) {
  const [view, setView] = useState<View>('marked');
  const { left_out: leftOut } = step;
  // Of another shape, no row after is a row of before.
  const beside = step.reshaped || view === 'beside';
  return (
    <div className={styles['compare']} data-old={old ? '' : undefined}>
      <div className={styles['summary']}>
        <Counts step={step} />
        {step.reshaped ? null : (
          <Segmented
            size="small"
            aria-label="预览方式"
            value={view}
            onChange={setView}
            options={[
              { value: 'marked', label: '标出改动' },
              { value: 'beside', label: '前后并排' },
            ]}
          />
        )}
      </div>
      <p className={styles['counts']} role="status">
        {changesText(step)}
        {leftOut !== null && rowsAt !== undefined ? (
          <a href={rowsAt(leftOut)} target="_blank" rel="noreferrer">
            看去掉的行
          </a>
        ) : null}
        {step.sampled ? <span>按前 10,000 行预览，应用时处理全部数据</span> : null}
      </p>
      {beside ? (
        <div className={styles['sides']}>
          <Side side="before" step={step} known={known} />
          <Side side="after" step={step} known={known} />
        </div>
      ) : (
        <Sheet step={step} known={known} onPick={onPick ?? null} />
      )}
    </div>
  );
}
