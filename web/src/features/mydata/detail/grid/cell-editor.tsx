/**
 * The field over the active cell. While cells may be edited it is always there and has the focus, unseen until something is
 * typed: an input method begins its composition in it, so that the first letter of a Chinese word is not lost.
 */
import type { CSSProperties, Ref } from 'react';

import styles from './data-grid.module.css';
import type { EditMode } from './edit-keys.ts';

interface CellEditorProps {
  ref: Ref<HTMLInputElement>;
  /** What the active cell is called, for screen readers. */
  label: string;
  /** Its row and column as the grid counts them for screen readers. */
  row: number;
  column: number;
  mode: EditMode;
  text: string;
  fault: string | null;
  place: CSSProperties;
  /** Where there is room to say what is wrong: not below the last row in sight, not right of the last column. */
  room: { below: boolean; right: boolean };
  isNumber: boolean;
  onText: (text: string) => void;
  onCompose: () => void;
  onBlur: () => void;
}

export function CellEditor(props: CellEditorProps) {
  const { ref, label, row, column, mode, text, fault, place, room, isNumber, onText, onCompose, onBlur } = props;
  return (
    <div role="row" aria-rowindex={row} className={styles['editorRow']}>
      <div
        role="gridcell"
        aria-colindex={column}
        className={styles['editor']}
        data-open={mode !== 'closed'}
        data-own
        style={place}
      >
        <input
          ref={ref}
          aria-label={label}
          aria-invalid={fault !== null}
          autoComplete="off"
          spellCheck={false}
          className={isNumber ? styles['number'] : undefined}
          value={mode === 'closed' ? '' : text}
          onChange={(event) => onText(event.target.value)}
          onCompositionStart={onCompose}
          onBlur={onBlur}
        />
        {fault === null ? null : (
          <p
            role="alert"
            className={styles['refusal']}
            data-above={room.below ? undefined : ''}
            data-end={room.right ? undefined : ''}
          >
            {fault}
          </p>
        )}
      </div>
    </div>
  );
}
