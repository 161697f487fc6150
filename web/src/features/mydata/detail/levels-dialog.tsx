/** Value labels of one variable, and the order of its categories. */
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import type { Column, Level } from '@hengxi/server/files/schema';
import { Button, Input } from 'antd';
import { useState } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import styles from './levels-dialog.module.css';

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
      <p className={styles['hint']}>次序就是表和图里类别的次序。</p>
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
