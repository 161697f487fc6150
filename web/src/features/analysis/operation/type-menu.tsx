/** The type icon as a button: a menu of types, each with what it means and what the change would do. */
import { Dropdown } from 'antd';
import type { ReactNode } from 'react';

import { isNumber } from '../../../fields/boxes/fit.ts';
import type { Column } from '../../../fields/column.ts';
import { KIND_MEANING, titleOf } from '../../../fields/column.ts';
import type { MeasureKind } from '../../../ui/measure-icon.tsx';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import styles from './variable-list.module.css';

const CHOICES: readonly MeasureKind[] = ['定量', '量表题', '定类', '定序', '时间', '文本', '标识'];

/** What a change would do to the values, said before it is done. */
function consequence(column: Column, kind: MeasureKind): string {
  if (kind === '定量' && !isNumber(column)) return '不是数字的单元格将作缺失，原文保留';
  if (kind === '时间' && column.measure !== '时间') return '认不出的日期将作缺失，原文保留';
  return KIND_MEANING[kind];
}

export interface TypeMenuProps {
  column: Column;
  /** How many are changed together. */
  count: number;
  children: ReactNode;
  onChange: (kind: MeasureKind) => void;
}

export function TypeMenu({ column, count, children, onChange }: TypeMenuProps) {
  const now = measureKind(column);
  const what = count > 1 ? `${count} 个变量` : `“${titleOf(column)}”`;
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectedKeys: [now],
        items: [
          {
            key: 'head',
            type: 'group',
            label: `${what}的类型`,
            children: CHOICES.map((kind) => ({
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
        onClick: ({ key }) => {
          const kind = CHOICES.find((one) => one === key);
          if (kind !== undefined && (kind !== now || count > 1)) onChange(kind);
        },
      }}
    >
      {children}
    </Dropdown>
  );
}
