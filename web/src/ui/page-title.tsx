/** Head of a page: title, a quiet line beside it, actions on the right. */
import type { ReactNode } from 'react';

import styles from './page-title.module.css';

export function PageTitle({ title, aside, actions }: { title: ReactNode; aside?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles['head']}>
      <h1>{title}</h1>
      {aside ? <span className={styles['aside']}>{aside}</span> : null}
      {actions ? <div className={styles['actions']}>{actions}</div> : null}
    </div>
  );
}
