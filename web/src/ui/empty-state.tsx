/** Nothing here yet: what belongs here, how to start, one or two buttons. Left-aligned. */
import type { ReactNode } from 'react';

import styles from './empty-state.module.css';
import { SteelyardArt } from './logo.tsx';

export interface EmptyStateProps {
  title: string;
  hint?: ReactNode;
  actions?: ReactNode;
  art?: boolean;
}

export function EmptyState({ title, hint, actions, art = false }: EmptyStateProps) {
  return (
    <div className={styles['box']}>
      {art ? <SteelyardArt /> : null}
      <div>
        <p className={styles['title']}>{title}</p>
        {hint ? <p className={styles['hint']}>{hint}</p> : null}
        {actions ? <div className={styles['actions']}>{actions}</div> : null}
      </div>
    </div>
  );
}
