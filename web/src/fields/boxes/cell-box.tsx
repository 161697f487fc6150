/** One cell of a grid of boxes: a chip while filled, a dashed place while empty; takes drops, clicks and Enter as a box does. */
import { CloseOutlined } from '@ant-design/icons';

import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import { titleOf } from '../column.ts';
import { useForm } from '../form-context.tsx';
import type { Box } from './box.ts';
import { idsIn, remove } from './box.ts';
import styles from './cell-box.module.css';
import { RefusalCard } from './refusal-card.tsx';
import { useBoxes, useDraggablePill, useDragStatus, useDropBox } from './variable-boxes.tsx';

function Chip({ box, id }: { box: Box; id: string }) {
  const { form, known, apply, announce, readOnly } = useForm();
  const { ref, listeners } = useDraggablePill(box.key, id);
  const column = known.get(id);
  const title = column === undefined ? `已不存在的变量 ${id}` : titleOf(column);
  const takeOut = (): void => {
    apply(remove(form, box, [id]), `将“${title}”移出${box.title}`);
    announce(`已将“${title}”移出${box.title}`);
  };
  return (
    <span ref={readOnly ? undefined : ref} className={styles['chip']} {...(readOnly ? {} : listeners)}>
      {column === undefined ? null : <MeasureIcon kind={measureKind(column)} size={13} />}
      <span className={styles['text']} title={title}>
        {title}
      </span>
      {readOnly ? null : (
        <button type="button" aria-label={`从${box.title}移出“${title}”`} onClick={takeOut}>
          <CloseOutlined aria-hidden />
        </button>
      )}
    </span>
  );
}

export function CellBox({ box, empty }: { box: Box; empty: string }) {
  const { form, selection, readOnly } = useForm();
  const { refused, send } = useBoxes();
  const status = useDragStatus(box);
  const ref = useDropBox(box.key);
  const [id] = idsIn(form, box);
  const shown = refused?.box === box.key ? refused : null;
  return (
    <div data-box={box.key}>
      <div
        ref={ref}
        className={styles['cell']}
        data-status={status.is}
        data-over={status.is !== 'idle' && status.over ? '' : undefined}
      >
        {id === undefined ? (
          <button
            type="button"
            className={styles['place']}
            disabled={readOnly || selection.length === 0}
            aria-label={`把所选变量放入${box.title}`}
            onClick={() => void send(selection, box)}
          >
            {status.is === 'misfit' && status.over ? status.said : empty}
          </button>
        ) : (
          <Chip box={box} id={id} />
        )}
      </div>
      {shown === null ? null : <RefusalCard box={box} misfit={shown.misfit} ids={shown.ids} />}
    </div>
  );
}
