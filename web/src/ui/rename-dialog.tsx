/** The rename dialog of the specification: title 重命名, at most 30 characters by default, counter, cancel and confirm. */
import { Button, Input, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { Dialog } from './dialog.tsx';

export interface RenameDialogProps {
  open: boolean;
  value: string;
  title?: string;
  max?: number;
  working?: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}

export function RenameDialog({ open, title = '重命名', ...rest }: RenameDialogProps) {
  return (
    <Dialog open={open} title={title} width="form" onClose={rest.onClose}>
      <RenameForm {...rest} title={title} />
    </Dialog>
  );
}

/** Counts what a reader calls characters: 𠮷 is one. */
function length(text: string): number {
  return Array.from(text).length;
}

function RenameForm({ value, title, max = 30, working = false, onSave, onClose }: Omit<RenameDialogProps, 'open'>) {
  // A name given before there was a limit must still be editable, so it is cut where the limit is.
  const [name, setName] = useState(() => Array.from(value).slice(0, max).join(''));
  const input = useRef<InputRef>(null);
  useEffect(() => {
    // Who is typing already must not find the first letters selected and overwritten.
    const timer = setTimeout(() => {
      if (document.activeElement !== input.current?.input) input.current?.focus({ cursor: 'all' });
    }, 60);
    return () => clearTimeout(timer);
  }, []);
  const trimmed = name.trim();
  const ready = trimmed !== '' && length(trimmed) <= max;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSave(trimmed);
      }}
    >
      <Input
        ref={input}
        aria-label={title ?? '重命名'}
        value={name}
        placeholder={`最多 ${max} 个字符`}
        count={{
          show: true,
          max,
          strategy: length,
          exceedFormatter: (text, { max: most }) => Array.from(text).slice(0, most).join(''),
        }}
        onChange={(event) => setName(event.target.value)}
      />
      <div style={{ display: 'flex', justifyContent: 'flex-end', gap: 8, marginTop: 24 }}>
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" htmlType="submit" loading={working} disabled={!ready}>
          确定
        </Button>
      </div>
    </form>
  );
}
