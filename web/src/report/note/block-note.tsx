/** 附注: what the reader wrote below a block. It goes out with exports and shares, so the box says so. */
import { NOTE_MOST, withNote } from '@hengxi/contracts/report/presentation';
import { Button, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { useEffect, useRef, useState } from 'react';

import { useReport } from '../context.ts';
import styles from './block-note.module.css';
import { useNoting } from './noting.ts';

/** `offer`: the block has no tools of its own, so the way to a first note stands here. */
export function BlockNote({ name, offer = false }: { name: string; offer?: boolean }) {
  const { presentation, readonly } = useReport();
  const { at, open, close } = useNoting();
  const note = presentation.value.notes[name] ?? '';
  if (at === name && !readonly) {
    return (
      <NoteBox
        note={note}
        onClose={close}
        onSave={(next) => {
          if (next.trim() !== note) presentation.change(withNote(presentation.value, name, next));
          close();
        }}
      />
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

function NoteBox({ note, onSave, onClose }: { note: string; onSave: (next: string) => void; onClose: () => void }) {
  const [text, setText] = useState(note);
  const box = useRef<TextAreaRef>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className={styles['box']}>
      <Input.TextArea
        aria-label="附注"
        ref={box}
        autoSize={{ minRows: 2, maxRows: 8 }}
        maxLength={NOTE_MOST}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(text);
        }}
      />
      <p className={styles['hint']}>附注随导出和分享出去；留空即删除。</p>
      <div className={styles['acts']}>
        <Button size="small" onClick={onClose}>
          取消
        </Button>
        <Button size="small" type="primary" onClick={() => onSave(text)}>
          保存
        </Button>
      </div>
    </div>
  );
}
