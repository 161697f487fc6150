/** A labelled field with its fault below; the child gets the id that ties them together. */
import { type ReactNode, useId } from 'react';

import styles from './sections.module.css';

export interface FormLineProps {
  label: string;
  fault: string | undefined;
  children: (id: string) => ReactNode;
}

export function FormLine({ label, fault, children }: FormLineProps) {
  const id = useId();
  return (
    <div className={styles['label']}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {fault ? (
        <span className={styles['fault']} role="alert">
          {fault}
        </span>
      ) : null}
    </div>
  );
}
