/** Nothing here yet: what belongs here, how to start, one or two buttons. Left-aligned. */
import type { ReactNode } from 'react';

import styles from './empty-state.module.css';
import { SteelyardArt } from './logo.tsx';

export interface EmptyStateProps {
  title: string;
  hint?: ReactNode;
  actions?: ReactNode;
  art?: boolean;
  /** True where this is all there is on the page: its title is then the page's heading. */
  heading?: boolean;
}

export function EmptyState({ title, hint, actions, art = false, heading = false }: EmptyStateProps) {
  return (
    <div className={styles['box']}>
      {art ? <SteelyardArt /> : null}
      <div>
        {heading ? <h1 className={styles['title']}>{title}</h1> : <p className={styles['title']}>{title}</p>}
        {hint ? <p className={styles['hint']}>{hint}</p> : null}
        {actions ? <div className={styles['actions']}>{actions}</div> : null}
      </div>
    </div>
  );
}
