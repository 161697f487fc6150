/** One box of the card: title and needs, the variables in it, how it looks while something is dragged, and what a misfit offers. */
import { ArrowRightOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import type { KeyboardEvent, ReactNode } from 'react';

import { RESTS } from '../../ui/focus-back.ts';
import { MeasureIcon, type MeasureKind } from '../../ui/measure-icon.tsx';
import { useForm } from '../form-context.tsx';
import { Faults, Hint } from '../parts.tsx';
import type { Box } from './box.ts';
import { idsIn, roomText } from './box.ts';
import { needsLine } from './fit.ts';
import { Pill } from './pill.tsx';
import { RefusalCard } from './refusal-card.tsx';
import styles from './variable-boxes.module.css';
import { useBoxes, useDragStatus, useDropBox } from './variable-boxes.tsx';

const NEED_ICON: Record<string, MeasureKind> = { 定类: '定类', 有序: '定序', 定量: '定量', 时间: '时间', 文本: '文本' };

export interface VariableBoxProps {
  box: Box;
  hint?: string | null;
  /** 1…9: the key that sends the selection here. */
  number: number | null;
  /** Instead of the title, where that can be edited. */
  heading?: ReactNode;
  /** Buttons beside the title. */
  tools?: ReactNode;
}

export function VariableBox({ box, hint, number, heading, tools }: VariableBoxProps) {
  const { form, known, faults, selection, readOnly } = useForm();
  const { send, refused, over } = useBoxes();
  const status = useDragStatus(box);
  const ref = useDropBox(box.key);
  const ids = idsIn(form, box);
  const wrong = status.is === 'misfit';
  const dimmed = status.is === 'misfit' && !status.over;
  const shown = refused?.box === box.key ? refused : null;
  const mine = faults.filter((fault) => fault.field === box.key);
  const has = mine.length > 0;
  // What was asked for is there, only not judged yet: the boxes below would move when the word goes a moment later.
  const isAnswered = ids.length > 0 && mine.every(({ code }) => code.endsWith('.required'));
  const titleId = `box-${box.key}`;
  const needs = needsLine(box.needs, box.min, box.max);
  const icon = NEED_ICON[box.needs.measure];

  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    send(selection, box);
  };

  return (
    <section className={styles['box']} data-box={box.key} data-dim={dimmed ? '' : undefined}>
      <div className={styles['head']}>
        {heading === undefined ? (
          <h2 id={titleId}>
            {box.title}
            <Hint text={hint} />
          </h2>
        ) : (
          <>
            <h2 id={titleId} className="hx-hidden">
              {box.title}
            </h2>
            {heading}
          </>
        )}
        <span className={styles['needs']}>
          {status.is === 'fits' ? (
            <span className={styles['room']}>{roomText(form, box)}</span>
          ) : heading !== undefined ? null : (
            <>
              {icon === undefined ? null : <MeasureIcon kind={icon} size={13} decorative />}
              {needs}
            </>
          )}
        </span>
        {readOnly ? null : (
          <Tooltip title={number === null ? '放入所选变量' : `放入所选变量（${number}）`}>
            <Button
              type="text"
              size="small"
              icon={<ArrowRightOutlined />}
              aria-label={`把所选变量放入${box.title}`}
              disabled={selection.length === 0}
              onClick={() => send(selection, box)}
            />
          </Tooltip>
        )}
        {tools}
      </div>
      <span id={`${titleId}-needs`} className="hx-hidden">
        {needs}。已放 {ids.length} 个
      </span>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the box takes focus so that Enter can send the selection into it */}
      <div
        ref={ref}
        {...RESTS}
        className={styles['area']}
        data-status={status.is}
        data-over={status.is !== 'idle' && status.over ? '' : undefined}
        data-fault={has && !isAnswered && ids.length > 0 ? '' : undefined}
        role="group"
        aria-labelledby={titleId}
        aria-describedby={`${titleId}-needs`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={keys}
      >
        {ids.length === 0 ? (
          <p className={styles['empty']}>{status.is === 'fits' ? '放到这里' : '拖入变量，或选中后按 Enter'}</p>
        ) : (
          <ul className={styles['pills']}>
            {ids.map((id, at) => {
              const column = known.get(id);
              const swapped =
                status.is === 'fits' &&
                status.full &&
                status.over &&
                (over?.item === id || (over?.item === null && at === ids.length - 1));
              return (
                <Pill
                  key={id}
                  box={box}
                  id={id}
                  column={column}
                  swapped={swapped}
                  line={status.is === 'fits' && !status.full && over?.item === id}
                />
              );
            })}
          </ul>
        )}
        {dimmed ? (
          <p className={styles['reason']}>
            <span>{status.said}</span>
          </p>
        ) : null}
      </div>
      {wrong && status.over ? <RefusalCard box={box} misfit={status.misfit} ids={null} /> : null}
      {shown !== null ? <RefusalCard box={box} misfit={shown.misfit} ids={shown.ids} /> : null}
      {shown === null && !isAnswered ? <Faults of={box.key} /> : null}
    </section>
  );
}
