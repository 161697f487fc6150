/** One step of the rail: its number and title, what it changed, and what can be done with it. */
import type { StepRow as Step } from '@hengxi/server/files/schema';
import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  DeleteOutlined,
  EditOutlined,
  EyeInvisibleOutlined,
  EyeOutlined,
  FormOutlined,
  MessageOutlined,
} from '@ant-design/icons';
import { integer } from '@hengxi/contracts/format';
import { Tooltip } from 'antd';
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useRef } from 'react';

import { formatInstant } from '../../lib/format-size.ts';
import { takesFocus } from './focus.ts';
import styles from './steps-rail.module.css';

export interface StepActs {
  rename: () => void;
  note: () => void;
  toggle: () => void;
  remove: () => void;
  /** Null where the step has no settings to change. */
  edit: (() => void) | null;
  /** Null for the first and the last. */
  up: (() => void) | null;
  down: (() => void) | null;
}

interface ToolProps {
  label: string;
  icon: ReactNode;
  onClick: () => void;
}

function Tool({ label, icon, onClick }: ToolProps) {
  return (
    <Tooltip title={label}>
      <button type="button" className={styles['tool']} aria-label={label} onClick={onClick}>
        {icon}
      </button>
    </Tooltip>
  );
}

export interface StepRowProps {
  step: Step;
  /** From 1 after the import, which is 0. */
  number: number;
  shown: boolean;
  /** Grows when a change is over and the same list stays: the focus that was lost meanwhile is given back. */
  settled: number;
  acts: StepActs | null;
  /** The rows that this step left out, and where they can be looked at. */
  leftOut: { rows: number; url: string } | null;
  onShow: () => void;
}

export function StepRow({ step, number, shown, settled, acts, leftOut, onShow }: StepRowProps) {
  const title = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus(number)) title.current?.focus();
  }, [number, settled]);
  const keys = (event: KeyboardEvent): void => {
    if (acts === null || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    (event.key === 'ArrowUp' ? acts.up : acts.down)?.();
  };
  const isOff = step.disabled === true;
  return (
    <li className={styles['step']} data-off={isOff ? '' : undefined} aria-current={shown ? 'step' : undefined}>
      <button
        ref={title}
        type="button"
        className={styles['title']}
        aria-keyshortcuts={acts === null ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
        onKeyDown={keys}
        onClick={onShow}
      >
        <span className={styles['number']}>{number}</span>
        <span>
          {step.title}
          {isOff ? <em>（已停用）</em> : null}
        </span>
      </button>
      {step.changes.length > 0 && !isOff ? (
        <p className={styles['changes']} title={step.changes.join('\n')}>
          {step.changes.slice(0, 2).join('；')}
          {step.changes.length > 2 ? ` 等 ${step.changes.length} 处` : ''}
        </p>
      ) : null}
      {leftOut === null ? null : (
        <p className={styles['changes']}>
          <a className={styles['left']} href={leftOut.url} target="_blank" rel="noreferrer">
            看去掉的 {integer(leftOut.rows)} 行
          </a>
        </p>
      )}
      {step.note === undefined ? null : <p className={styles['remark']}>备注：{step.note}</p>}
      <p className={styles['by']}>
        {step.author === null ? null : <span>{step.author}</span>}
        <time dateTime={step.made_at}>{formatInstant(step.made_at)}</time>
      </p>
      {acts === null ? null : (
        <div className={styles['tools']}>
          {acts.edit === null ? null : (
            <Tool label={`修改第 ${number} 步的设置`} icon={<FormOutlined aria-hidden />} onClick={acts.edit} />
          )}
          <Tool label={`重命名第 ${number} 步`} icon={<EditOutlined aria-hidden />} onClick={acts.rename} />
          <Tool label={`备注第 ${number} 步`} icon={<MessageOutlined aria-hidden />} onClick={acts.note} />
          <Tool
            label={isOff ? `启用第 ${number} 步` : `停用第 ${number} 步`}
            icon={isOff ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
            onClick={acts.toggle}
          />
          {acts.up === null ? null : (
            <Tool label={`上移第 ${number} 步`} icon={<ArrowUpOutlined aria-hidden />} onClick={acts.up} />
          )}
          {acts.down === null ? null : (
            <Tool label={`下移第 ${number} 步`} icon={<ArrowDownOutlined aria-hidden />} onClick={acts.down} />
          )}
          <Tool label={`删除第 ${number} 步`} icon={<DeleteOutlined aria-hidden />} onClick={acts.remove} />
        </div>
      )}
    </li>
  );
}
