/** 附注: what the reader wrote below a block. It goes out with exports and shares, so the box says so. */
import { NOTE_MOST, withNote } from '@hengxi/contracts/report/presentation';
import { Button, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { useEffect, useRef, useState } from 'react';

import { useReport } from '../context.ts';
import styles from './block-note.module.css';
import { readNoteDraft, writeNoteDraft } from './note-draft.ts';
import { useNoting } from './noting.ts';

/** `offer`: the block has no tools of its own, so the way to a first note stands here. */
export function BlockNote({ name, offer = false }: { name: string; offer?: boolean }) {
  const { presentation, readonly, keptAs } = useReport();
  const { at, open, close } = useNoting();
  const [draft, setDraft] = useState(() => readNoteDraft(keptAs, name));
  const note = presentation.value.notes[name] ?? '';
  // Another report has blocks of the same names: its boxes do not open with this one.
  useEffect(
    () => () => {
      if (useNoting.getState().at === name) useNoting.getState().close();
    },
    [name],
  );
  const write = (text: string | null): void => {
    const next = text === note ? null : text;
    setDraft(next);
    writeNoteDraft(keptAs, name, next);
  };
  const end = (): void => {
    write(null);
    if (at === name) close();
  };
  if ((at === name || draft !== null) && !readonly) {
    return (
      <>
        {note === '' ? null : (
          <p className={`${styles['note']} ${styles['printed']}`}>
            <b>附注</b> {note}
          </p>
        )}
        <NoteBox
          text={draft ?? note}
          isAsked={at === name}
          onText={write}
          onClose={end}
          onSave={() => {
            const next = draft ?? note;
            if (next.trim() !== note) presentation.change(withNote(presentation.value, name, next));
            end();
          }}
        />
      </>
    );
  }
  if (note === '') {
    return offer && !readonly ? (
      <button type="button" className={`hx-link ${styles['offer']}`} onClick={() => open(name)}>
        写附注
      </button>
    ) : null;
  }
  return (
    <p className={styles['note']}>
      <b>附注</b> {note}
      {readonly ? null : (
        <button type="button" className="hx-link" onClick={() => open(name)}>
          修改
        </button>
      )}
    </p>
  );
}

interface NoteBoxProps {
  text: string;
  /** Opened by the reader, not by what was left unsaved: it takes the focus. */
  isAsked: boolean;
  onText: (next: string) => void;
  onSave: () => void;
  onClose: () => void;
}

function NoteBox({ text, isAsked, onText, onSave, onClose }: NoteBoxProps) {
  const box = useRef<TextAreaRef>(null);
  useEffect(() => {
    if (isAsked) box.current?.focus();
  }, [isAsked]);
  return (
    <div className={styles['box']}>
      <Input.TextArea
        aria-label="附注"
        ref={box}
        autoSize={{ minRows: 2, maxRows: 8 }}
        maxLength={NOTE_MOST}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave();
        }}
      />
      <p className={styles['hint']}>附注随导出和分享出去；留空即删除。</p>
      <div className={styles['acts']}>
        <Button size="small" onClick={onClose}>
          取消
        </Button>
        <Button size="small" type="primary" onClick={onSave}>
          保存
        </Button>
      </div>
    </div>
  );
}
