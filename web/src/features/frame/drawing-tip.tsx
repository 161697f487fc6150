/** 可视化绘图已上线: shown once beside its menu entry, gone for good when it is closed. */
import { CloseOutlined } from '@ant-design/icons';
import { useState } from 'react';

import { readStored, STORAGE, writeStored } from '../../lib/storage.ts';
import styles from './header.module.css';

export function DrawingTip() {
  const [open, setOpen] = useState(() => readStored(STORAGE.proTip) === null);
  if (!open) return null;
  return (
    <span className={styles['tip']} role="note">
      可视化绘图已上线
      <button
        type="button"
        aria-label="不再提示"
        onClick={() => {
          writeStored(STORAGE.proTip, '1');
          setOpen(false);
        }}
      >
        <CloseOutlined aria-hidden />
      </button>
    </span>
  );
}
