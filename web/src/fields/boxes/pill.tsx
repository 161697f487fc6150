/** A variable in a box: drag to reorder or out, Delete takes out, Alt+↑↓ reorders, the arrows walk. */
import { CloseOutlined } from '@ant-design/icons';
import type { KeyboardEvent } from 'react';

import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import type { Column } from '../column.ts';
import { levelsLine, titleOf } from '../column.ts';
import { setOf } from '../answer-sets.ts';
import { useForm } from '../form-context.tsx';
import type { Box } from './box.ts';
import { idsIn, move, remove } from './box.ts';
import styles from './variable-boxes.module.css';
import { useDraggablePill } from './variable-boxes.tsx';

export interface PillProps {
  box: Box;
  id: string;
  /** Undefined when the data version has no such column any more. */
  column: Column | undefined;
  /** A drop now would replace this one. */
  swapped: boolean;
  /** A drop now would go in front of this one. */
  line: boolean;
}

/** How many options a multiple-answer question has; null for an ordinary variable. */
function optionsLine(column: Column): string | null {
  const set = setOf(column);
  return set === null ? null : `${set.columns.length} 个选项`;
}

export function Pill({ box, id, column, swapped, line }: PillProps) {
  const { form, apply, announce, readOnly } = useForm();
  const { ref, listeners, isDragging } = useDraggablePill(box.key, id);
  const title = column === undefined ? `已不存在的变量 ${id}` : titleOf(column);

  const takeOut = (): void => {
    apply(remove(form, box, [id]), `将“${title}”移出${box.title}`);
    announce(`已将“${title}”移出${box.title}`);
  };
  const shift = (by: -1 | 1): void => {
    const next = move(form, box, id, by);
    if (next === form) return;
    apply(next, `调整${box.title}的顺序`);
    announce(`“${title}”现在是第 ${idsIn(next, box).indexOf(id) + 1} 个`);
  };
  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    if (readOnly) return;
    const item = event.currentTarget.closest('li');
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button')?.focus();
      takeOut();
    } else if (step !== 0 && event.altKey) shift(step === 1 ? 1 : -1);
    else if (step === 1) item?.nextElementSibling?.querySelector('button')?.focus();
    else if (step === -1) item?.previousElementSibling?.querySelector('button')?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <li
      ref={readOnly ? undefined : ref}
      className={styles['pill']}
      data-dragging={isDragging ? '' : undefined}
      data-swapped={swapped ? '' : undefined}
      data-line={line ? '' : undefined}
      {...(readOnly ? {} : listeners)}
    >
      <button
        type="button"
        className={styles['name']}
        aria-keyshortcuts="Delete Alt+ArrowUp Alt+ArrowDown"
        onKeyDown={keys}
      >
        {column === undefined ? null : <MeasureIcon kind={measureKind(column)} />}
        <span className={styles['text']}>{title}</span>
        <span className={styles['levels']}>
          {swapped ? '松手替换' : column === undefined ? '' : (optionsLine(column) ?? levelsLine(column))}
        </span>
      </button>
      {readOnly ? null : (
        <button type="button" className={styles['remove']} aria-label={`移出“${title}”`} onClick={takeOut}>
          <CloseOutlined aria-hidden />
        </button>
      )}
    </li>
  );
}
