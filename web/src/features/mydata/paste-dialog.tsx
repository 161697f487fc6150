/** A block copied from Excel or WPS becomes a table: by Ctrl+V anywhere on the page, or in this dialog. */
import { Button, Input } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { isTyping } from '../../lib/shortcuts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { blockToFile, isTable, parseBlock } from './upload/paste.ts';

export function usePasteAnywhere(onFile: (file: File) => void): void {
  const latest = useRef(onFile);
  useEffect(() => {
    latest.current = onFile;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      const [file] = Array.from(event.clipboardData?.files ?? []);
      const text = event.clipboardData?.getData('text/plain') ?? '';
      // Spreadsheets put a picture of the cells beside the text; the text is what is meant.
      if (isTable(text)) latest.current(blockToFile(text));
      else if (file && !file.type.startsWith('image/')) latest.current(file);
      else return;
      event.preventDefault();
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
}

interface PasteDialogProps {
  open: boolean;
  onFile: (file: File) => void;
  onClose: () => void;
}

export function PasteDialog({ open, onFile, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  const ready = isTable(text);
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <Dialog
      open={open}
      title="粘贴表格"
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>取消</Button>
          <Button
            type="primary"
            disabled={!ready}
            onClick={() => {
              onFile(blockToFile(text));
              close();
            }}
          >
            导入
          </Button>
        </>
      }
    >
      <Input.TextArea
        aria-label="粘贴的表格"
        placeholder="在 Excel 或 WPS 里选中表格（连同表头），复制后在这里按 Ctrl+V"
        rows={10}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="status" style={{ marginTop: 8, color: 'var(--ink-2)', fontSize: 13 }}>
        {ready ? sizeText(text) : '至少两行，或两列。'}
      </p>
    </Dialog>
  );
}

function sizeText(text: string): string {
  const rows = parseBlock(text);
  const columns = Math.max(...rows.map((row) => row.length));
  return `${rows.length} 行（含表头）× ${columns} 列`;
}
