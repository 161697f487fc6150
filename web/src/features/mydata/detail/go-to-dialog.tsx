/** Ctrl+G: to a row by its number, to a variable by name, label or pinyin. */
import type { Column } from '@hengxi/server/files/schema';
import { Button, Input, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { loadPinyin, search } from '../../../lib/search.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import type { Place } from './grid/move.ts';

interface GoToDialogProps {
  columns: readonly Column[];
  rows: number;
  onGo: (place: Partial<Place>) => void;
  onClose: () => void;
}

/** A number is a row (as written at its left, from 1); anything else is a variable. */
export function targetOf(text: string, columns: readonly Column[], rows: number): Partial<Place> | null {
  const wanted = text.normalize('NFKC').replaceAll(',', '').trim();
  if (wanted === '') return null;
  if (/^\d+$/.test(wanted)) {
    const row = Number(wanted);
    return row >= 1 && row <= rows ? { row: row - 1 } : null;
  }
  const items = columns.map((column, place) => ({ title: titleOf(column), words: [column.name], place }));
  const [hit] = search(wanted, items, 1);
  return hit ? { column: hit.place } : null;
}

export function GoToDialog({ columns, rows, onGo, onClose }: GoToDialogProps) {
  const [text, setText] = useState('');
  const input = useRef<InputRef>(null);
  useEffect(() => {
    void loadPinyin();
    const timer = setTimeout(() => input.current?.focus(), 60);
    return () => clearTimeout(timer);
  }, []);
  const target = targetOf(text, columns, rows);
  const column = target?.column === undefined ? null : columns[target.column];
  return (
    <Dialog open title="转到" width="form" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (target) onGo(target);
        }}
      >
        <Input
          ref={input}
          aria-label="行号或变量"
          placeholder={`行号 1–${formatCount(rows)}，或变量名、标签、拼音`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="status" style={{ minHeight: 22, margin: '6px 0 16px', color: 'var(--ink-2)', fontSize: 13 }}>
          {text.trim() === ''
            ? ''
            : column
              ? `变量：${titleOf(column)}`
              : target
                ? `第 ${text.trim()} 行`
                : '没有这一行，也没有这个变量'}
        </p>
        <div style={{ display: 'flex', justifyContent: 'flex-end', gap: 8 }}>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" htmlType="submit" disabled={target === null}>
            转到
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
