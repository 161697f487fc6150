/** The slots at the foot of every card (筛选, 分层, 加权): one dashed line each, tinted while in force. */
import { CloseOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';

import { useForm } from '../form-context.tsx';
import type { Box } from './box.ts';
import { roomText } from './box.ts';
import { RefusalCard } from './refusal-card.tsx';
import styles from './slot.module.css';
import { useBoxes, useDragStatus, useDropBox } from './variable-boxes.tsx';

export interface SlotProps {
  box: Box;
  icon: ReactNode;
  /** 筛选, 分层, 加权. */
  word: string;
  /** What is in force; null: nothing. */
  value: ReactNode | null;
  /** Said while it is empty. */
  empty: string;
  /** Said while something fitting is dragged. */
  invite: string;
  aside?: ReactNode;
  onClick?: () => void;
  onRemove?: () => void;
}

export function Slot({ box, icon, word, value, empty, invite, aside, onClick, onRemove }: SlotProps) {
  const { form, readOnly, selection } = useForm();
  const { refused, send } = useBoxes();
  const status = useDragStatus(box);
  const ref = useDropBox(box.key);
  const fits = status.is === 'fits';
  const wrong = status.is === 'misfit';
  const shown = refused?.box === box.key ? refused : null;
  // An empty slot takes what is selected in the list: the click twin of a drop.
  const takes = onClick === undefined && value === null && selection.length > 0;
  const act = takes ? () => void send(selection, box) : onClick;
  const inside = (
    <>
      {icon}
      <span>{word}</span>
      {fits ? (
        <strong>{invite}</strong>
      ) : wrong ? (
        <span className={styles['reason']}>{status.said}</span>
      ) : value === null ? (
        <span className={styles['empty']}>{takes ? '点此放入所选变量' : empty}</span>
      ) : (
        <span className={styles['value']}>{value}</span>
      )}
    </>
  );
  return (
    <div data-box={box.key}>
      <div
        ref={ref}
        className={styles['slot']}
        data-status={status.is}
        data-over={status.is !== 'idle' && status.over ? '' : undefined}
        data-filled={value === null ? undefined : ''}
      >
        {act === undefined || readOnly ? (
          <span className={styles['main']}>{inside}</span>
        ) : (
          <button type="button" className={styles['main']} onClick={act}>
            {inside}
          </button>
        )}
        <span className={styles['aside']}>{fits ? (box.opens === true ? '' : roomText(form, box)) : aside}</span>
        {value !== null && onRemove !== undefined && !readOnly && !fits ? (
          <button type="button" className={styles['remove']} aria-label={`取消${word}`} onClick={onRemove}>
            <CloseOutlined aria-hidden />
          </button>
        ) : null}
      </div>
      {wrong && status.over ? <RefusalCard box={box} misfit={status.misfit} ids={null} /> : null}
      {shown === null ? null : <RefusalCard box={box} misfit={shown.misfit} ids={shown.ids} />}
    </div>
  );
}
