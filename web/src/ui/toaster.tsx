/** Draws the one toast: top centre, shape and sentence, at most one action. */
import { CloseOutlined } from '@ant-design/icons';
import { useEffect } from 'react';

import { toast, type ToastKind, useToasts } from '../lib/toast.ts';
import { CheckMark, type CheckState } from './check-mark.tsx';
import styles from './toaster.module.css';

const SHAPE: Record<ToastKind, CheckState> = { done: 'pass', note: 'unknown', warn: 'care', bad: 'fail' };

export function Toaster() {
  const current = useToasts((state) => state.current);
  useEffect(() => {
    if (!current || current.ms === null) return;
    const timer = setTimeout(() => toast.close(current.id), current.ms);
    return () => clearTimeout(timer);
  }, [current]);
  const urgent = current?.kind === 'bad' || current?.kind === 'warn';
  return (
    <div className={styles['place']} role={urgent ? 'alert' : 'status'} aria-live={urgent ? 'assertive' : 'polite'}>
      {current ? (
        <div key={current.id} className={styles['toast']}>
          <CheckMark state={SHAPE[current.kind]} decorative />
          <span>{current.text}</span>
          {current.action ? (
            <button
              type="button"
              className="hx-link"
              onClick={() => {
                current.action?.run();
                toast.close(current.id);
              }}
            >
              {current.action.text}
            </button>
          ) : null}
          {current.ms === null ? (
            <button type="button" className={styles['close']} aria-label="关闭" onClick={() => toast.close(current.id)}>
              <CloseOutlined aria-hidden />
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
