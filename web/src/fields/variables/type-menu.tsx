/** The type icon as a button: a menu of types, each with what it means and what the change would do. */
// oxlint-disable-next-line no-restricted-imports -- open from the start and focused by itself; no button stays to go back to
import { Dropdown } from 'antd';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';

import { isNumber } from '../boxes/fit.ts';
import type { Column } from '../column.ts';
import { KIND_MEANING, titleOf } from '../column.ts';
import { scoringOf, scoringText, unscorable } from '../scoring.ts';
import type { MeasureKind } from '../../ui/measure-icon.tsx';
import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import styles from './variable-list.module.css';

const CHOICES: readonly MeasureKind[] = ['定量', '量表题', '定类', '定序', '时间', '文本', '标识'];

/** What a change would do to the values, said before it is done. */
function consequence(column: Column, kind: MeasureKind): string {
  const scoring = kind === '定量' ? scoringOf(column) : null;
  if (scoring !== null) return scoringText(scoring);
  if (kind === '定量' && !isNumber(column)) return '不是数字的单元格将作缺失，原文保留';
  if (kind === '时间' && column.measure !== '时间') return '认不出的日期将作缺失，原文保留';
  return KIND_MEANING[kind];
}

export interface TypeMenuProps {
  column: Column;
  /** How many are changed together. */
  count: number;
  onChange: (kind: MeasureKind) => void;
}

export function TypeMenu({ column, count, onChange }: TypeMenuProps) {
  // The menu is made when it is asked for: a list of thousands cannot carry one in every row.
  const [open, setOpen] = useState(false);
  const now = measureKind(column);
  const title = titleOf(column);
  const stop = (event: SyntheticEvent): void => event.stopPropagation();
  const button = (
    <button
      type="button"
      tabIndex={-1}
      className={styles['kind']}
      aria-label={`${now}，改变“${title}”的类型`}
      aria-haspopup="menu"
      aria-expanded={open}
      title={`${now}：${KIND_MEANING[now]}`}
      onMouseDown={stop}
      onTouchStart={stop}
      onDoubleClick={stop}
      onClick={(event) => {
        stop(event);
        setOpen(true);
      }}
    >
      <MeasureIcon kind={now} decorative />
    </button>
  );
  if (!open) return button;
  return (
    <Dropdown
      open
      trigger={['click']}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the menu was asked for by a click on its button
      autoFocus
      onOpenChange={(next) => {
        if (!next) setOpen(false);
      }}
      menu={{
        selectedKeys: [now],
        items: [
          {
            key: 'head',
            type: 'group',
            label: `${count > 1 ? `${count} 个变量` : `“${title}”`}的类型`,
            children: CHOICES.filter((kind) => kind !== '定量' || unscorable([column]).length === 0).map((kind) => ({
              key: kind,
              label: (
                <span className={styles['typeChoice']}>
                  <MeasureIcon kind={kind} size={16} decorative />
                  <span>
                    {kind}
                    <small>{consequence(column, kind)}</small>
                  </span>
                </span>
              ),
            })),
          },
        ],
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation();
          setOpen(false);
          const kind = CHOICES.find((one) => one === key);
          if (kind !== undefined && (kind !== now || count > 1)) onChange(kind);
        },
      }}
    >
      {button}
    </Dropdown>
  );
}
