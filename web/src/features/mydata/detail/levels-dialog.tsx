/** Value labels of one variable, and the order of its categories. */
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import type { Column, Level } from '@hengxi/server/files/schema';
import { Button, Input } from 'antd';
import { type ClipboardEvent, useState } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { isTable, parseBlock } from '../upload/paste.ts';
import { pastedText } from './grid/clipboard.ts';
import styles from './levels-dialog.module.css';
import { withPasted } from './paste-levels.ts';

type EditedLevel = Pick<Level, 'value' | 'label'>;

interface LevelsDialogProps {
  column: Column;
  onSave: (levels: EditedLevel[]) => void;
  onClose: () => void;
}

/** Where no label was given the engine says the value itself; the field is then empty. */
function ownLabel(level: Level): string {
  return level.label === String(level.value) ? '' : (level.label ?? '');
}

export function LevelsDialog({ column, onSave, onClose }: LevelsDialogProps) {
  const [levels, setLevels] = useState(() =>
    (column.levels ?? []).map((level) => ({ value: level.value, label: ownLabel(level), count: level.count })),
  );
  const relabel = (at: number, label: string) =>
    setLevels((old) => old.map((level, place) => (place === at ? { ...level, label } : level)));
  const paste = (at: number) => (event: ClipboardEvent) => {
    const text = pastedText(event.clipboardData);
    if (!isTable(text)) return;
    event.preventDefault();
    const { levels: next, left } = withPasted(levels, at, parseBlock(text));
    setLevels(next);
    if (left > 0) toast.note(`多出的 ${left} 行没有粘贴：没有与它们对应的取值`);
  };
  const move = (at: number, by: -1 | 1) =>
    setLevels((old) => {
      const next = [...old];
      const [moved] = next.splice(at, 1);
      if (moved) next.splice(at + by, 0, moved);
      return next;
    });
  return (
    <Dialog
      open
      title={`“${titleOf(column)}”的值标签`}
      width="choose"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            onClick={() => onSave(levels.map(({ value, label }) => ({ value, label: label.trim() || String(value) })))}
          >
            确定
          </Button>
        </>
      }
    >
      <p className={styles['hint']}>次序就是表和图里类别的次序。标签可以从 Excel 粘贴一列，或取值和标签两列。</p>
      <ul className={styles['list']}>
        {levels.map((level, at) => (
          <li key={String(level.value)}>
            <code>{String(level.value)}</code>
            <Input
              aria-label={`${String(level.value)} 的标签`}
              value={level.label}
              maxLength={500}
              placeholder={String(level.value)}
              onChange={(event) => relabel(at, event.target.value)}
              onPaste={paste(at)}
            />
            <span className={styles['count']}>{level.count === null ? '' : formatCount(level.count)}</span>
            <Button
              type="text"
              size="small"
              disabled={at === 0}
              aria-label={`把 ${String(level.value)} 上移`}
              icon={<ArrowUpOutlined aria-hidden />}
              onClick={() => move(at, -1)}
            />
            <Button
              type="text"
              size="small"
              disabled={at === levels.length - 1}
              aria-label={`把 ${String(level.value)} 下移`}
              icon={<ArrowDownOutlined aria-hidden />}
              onClick={() => move(at, 1)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
