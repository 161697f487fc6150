/** 已删除的编码: brought back with all their marks. */
import type { Code, Coding } from '@hengxi/server/answer-coding/schema';
import { Button } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './coding.module.css';

interface RestoreDialogProps {
  coding: Coding;
  open: boolean;
  onSave: (code: Code) => Promise<void>;
  onClose: () => void;
}

export function RestoreDialog({ coding, open, onSave, onClose }: RestoreDialogProps) {
  const [fault, setFault] = useState<string | null>(null);
  const gone = coding.codes.filter((one) => one.gone);
  const restore = async (code: Code): Promise<void> => {
    setFault(null);
    try {
      await onSave({ ...code, gone: false });
      if (gone.length === 1) onClose();
    } catch (error) {
      setFault(errorText(error));
    }
  };
  return (
    <Dialog open={open} title="已删除的编码" width="form" onClose={onClose}>
      <ul className={styles['plain']}>
        {gone.map((code) => (
          <li key={code.id} className={styles['inline']}>
            <span className={styles['grow']}>
              {code.name}
              <small className={styles['quiet']}>
                　{coding.counts.find((one) => one.code === code.id)?.answers ?? 0} 条回答
              </small>
            </span>
            <Button size="small" onClick={() => void restore(code)}>
              恢复
            </Button>
          </li>
        ))}
      </ul>
      {fault ? (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      ) : null}
    </Dialog>
  );
}
