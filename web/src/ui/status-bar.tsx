/** The honesty bar under the header: data set, filter, weight, split always visible. Pages fill it; it only gives the shape. */
import { CloseOutlined } from '@ant-design/icons';
import { type ReactNode, useRef } from 'react';

import styles from './status-bar.module.css';

export function StatusBar({ left, right }: { left: ReactNode; right?: ReactNode }) {
  return (
    <section className={styles['bar']} aria-label="数据状态">
      <div className={styles['left']}>{left}</div>
      <div className={styles['right']}>{right}</div>
    </section>
  );
}

export function StatusSeparator() {
  return <span className={styles['separator']} aria-hidden="true" />;
}

export interface StatusItemProps {
  icon?: ReactNode;
  text: ReactNode;
  /** Something is in force: tinted, and removable where `onRemove` is given. */
  active?: boolean;
  onClick?: () => void;
  onRemove?: () => void;
  /** What a screen reader hears for the cross: 取消筛选. */
  removeLabel?: string;
}

export function StatusItem({ icon, text, active = false, onClick, onRemove, removeLabel }: StatusItemProps) {
  const main = useRef<HTMLButtonElement>(null);
  return (
    <span className={active ? `${styles['item']} ${styles['active']}` : styles['item']}>
      {onClick ? (
        <button ref={main} type="button" className="hx-plain" onClick={onClick}>
          {icon} {text}
        </button>
      ) : (
        <span>
          {icon} {text}
        </span>
      )}
      {active && onRemove ? (
        <button
          type="button"
          className={styles['remove']}
          aria-label={removeLabel ?? '取消'}
          onClick={() => {
            // The cross goes; what it stood beside stays.
            main.current?.focus();
            onRemove();
          }}
        >
          <CloseOutlined aria-hidden />
        </button>
      ) : null}
    </span>
  );
}
