/** 撤销 and 重做 of the processing page: the buttons say what would be taken back. */
import { RedoOutlined, UndoOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import type { ReactNode } from 'react';

import { isTyping, useShortcut } from '../../../lib/shortcuts.ts';
import styles from './dispose.module.css';

export interface NamedMove {
  text: string;
  run: () => void;
}

export const named = (run: (() => void) | null, text: string): NamedMove | null =>
  run === null ? null : { text, run };

interface MovesProps {
  undo: NamedMove | null;
  redo: NamedMove | null;
}

/** In a text field the letters typed are taken back first, as everywhere. */
export function useUndoKeys(undo: NamedMove | null, redo: NamedMove | null): void {
  useShortcut('Ctrl+Z', (event) => {
    if (isTyping(event.target)) document.execCommand('undo');
    else undo?.run();
  });
  useShortcut('Ctrl+Shift+Z', (event) => {
    if (isTyping(event.target)) document.execCommand('redo');
    else redo?.run();
  });
}

function Move({ word, keys, icon, move }: { word: string; keys: string; icon: ReactNode; move: NamedMove | null }) {
  const label = move === null ? `没有可${word}的` : `${word}：${move.text}`;
  return (
    <Tooltip title={move === null ? label : `${label}（${keys}）`}>
      <Button
        type="text"
        size="small"
        aria-label={move === null ? word : label}
        aria-disabled={move === null}
        icon={icon}
        className={move === null ? styles['off'] : undefined}
        onClick={() => move?.run()}
      />
    </Tooltip>
  );
}

export function UndoButtons({ undo, redo }: MovesProps) {
  return (
    <span>
      <Move word="撤销" keys="Ctrl Z" icon={<UndoOutlined aria-hidden />} move={undo} />
      <Move word="重做" keys="Ctrl Shift Z" icon={<RedoOutlined aria-hidden />} move={redo} />
    </span>
  );
}
