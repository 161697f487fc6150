/** Unsaved cells that were typed into another version of this file: nobody looks for them there. */
import type { Version } from '@hengxi/server/files/schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { formatCount } from '../../../lib/format-size.ts';
import { type LeftCells, leftCells } from './cell-draft.ts';
import styles from './data-tab.module.css';

export function UnsavedCellsBar({ version }: { version: Version }) {
  const [left, setLeft] = useState<LeftCells[]>(() => leftCells(version));
  const navigate = useNavigate();
  const [newest] = left;
  if (!newest) return null;
  const { vid, number, count, drop } = newest;
  return (
    <div className={styles['bar']} role="status">
      <span>
        你在 v{number} 改过 {formatCount(count)} 个单元格，还没有保存。
      </span>
      <Button size="small" onClick={() => void navigate(`/mydata/detail/${vid}`)}>
        去 v{number} 继续
      </Button>
      <Button
        size="small"
        onClick={() => {
          drop();
          setLeft(leftCells(version));
        }}
      >
        放弃这些改动
      </Button>
    </div>
  );
}
