/** 备注 of a step: why it was done, for whoever reads the list later. */
import { Button, Input } from 'antd';
import { type ComponentRef, useEffect, useRef, useState } from 'react';

import { Dialog } from '../../ui/dialog.tsx';

const MOST = 1000;
/** The dialog takes the focus when it has opened; what is typed belongs into the field. */
const OPENED_MS = 60;

export interface NoteDialogProps {
  title: string;
  value: string;
  onSave: (note: string) => void;
  onClose: () => void;
}

export function NoteDialog({ title, value, onSave, onClose }: NoteDialogProps) {
  const [note, setNote] = useState(value);
  const field = useRef<ComponentRef<typeof Input.TextArea>>(null);
  useEffect(() => {
    const timer = setTimeout(() => field.current?.focus({ cursor: 'end' }), OPENED_MS);
    return () => clearTimeout(timer);
  }, []);
  const changed = note.trim() !== value;
  return (
    <Dialog
      open
      title={`备注：${title}`}
      width="form"
      outsideCloses={!changed}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!changed} onClick={() => onSave(note.trim())}>
            保存
          </Button>
        </>
      }
    >
      <Input.TextArea
        ref={field}
        aria-label="备注"
        rows={4}
        maxLength={MOST}
        showCount
        placeholder="例如：与导师商定，按问卷手册反向计分"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </Dialog>
  );
}
