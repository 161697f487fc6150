/** The outline left of the sheet: where one is, and a way to every section. */
import type { Report } from '@hengxi/contracts/contract';
import { useEffect, useMemo, useState } from 'react';

import { outlineOf } from '@hengxi/contracts/report/outline';
import styles from './outline-nav.module.css';

export function OutlineNav({ report, onGo }: { report: Report; onGo?: () => void }) {
  const entries = useMemo(() => outlineOf(report), [report]);
  const current = useCurrent(entries.map((e) => e.id).join(' '));
  return (
    <nav aria-label="报告目录" className={styles['outline']}>
      <ol>
        {entries.map((entry) => (
          <li key={entry.id}>
            <a
              href={`#${entry.id}`}
              className={entry.level === 2 ? styles['inner'] : undefined}
              aria-current={entry.id === current ? 'location' : undefined}
              onClick={(event) => {
                event.preventDefault();
                goTo(entry.id);
                onGo?.();
              }}
            >
              {entry.title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function goTo(id: string): void {
  const target = document.getElementById(id);
  if (target === null) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** The last section whose top has passed the upper third of the window. */
function useCurrent(ids: string): string {
  const [current, setCurrent] = useState(ids.split(' ')[0] ?? '');
  useEffect(() => {
    const look = (): void => {
      const passed = ids
        .split(' ')
        .filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < innerHeight / 3);
      setCurrent(passed.at(-1) ?? ids.split(' ')[0] ?? '');
    };
    look();
    // Capture: the pane that scrolls may be any ancestor.
    addEventListener('scroll', look, { capture: true, passive: true });
    return () => removeEventListener('scroll', look, { capture: true });
  }, [ids]);
  return current;
}
