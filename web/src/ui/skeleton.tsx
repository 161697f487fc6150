/** The shape of what is coming, shown only after 300 ms: what is there sooner needs no announcement. */
import { type ReactNode, useEffect, useState } from 'react';

import styles from './skeleton.module.css';

const AFTER_MS = 300;

/** Draws its children late; screen readers hear that something is loading. */
export function Late({ children, label = '正在加载' }: { children: ReactNode; label?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true">
      <span className="hx-hidden">{label}</span>
      {late ? <div aria-hidden="true">{children}</div> : null}
    </div>
  );
}

export function Bar({ width = '100%', height = 12 }: { width?: number | string; height?: number }) {
  return <span className={styles['bar']} style={{ width, height }} />;
}

/** Rows of a list or table. */
export function ListSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Late>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles['row']}>
          <Bar width={`${24 + ((row * 37) % 22)}%`} />
          <Bar width="12%" />
          <Bar width="18%" />
        </div>
      ))}
    </Late>
  );
}

/** A report: three rules with grey bars between them. */
export function ReportSkeleton() {
  return (
    <Late label="正在计算">
      <div className={styles['report']}>
        <Bar width="72%" height={18} />
        <Bar width="48%" height={18} />
        <div className={styles['table']}>
          {[0, 1, 2].map((row) => (
            <div key={row} className={styles['cells']}>
              <Bar width="20%" />
              <Bar width="8%" />
              <Bar width="8%" />
              <Bar width="8%" />
            </div>
          ))}
        </div>
        <Bar height={200} />
      </div>
    </Late>
  );
}

/** A whole page before its code is there. */
export function PageSkeleton() {
  return (
    <div className={styles['page']}>
      <ListSkeleton rows={8} />
    </div>
  );
}
