/** 公告: corrections, answered questions, postponements, with their times. */
import type { Contest } from '@hengxi/server/contest/schema';

import styles from './contest.module.css';
import { beijing } from './words.ts';

const KINDS = { correction: '更正', answer: '答疑', postponed: '延期' } as const;

export function Notices({ contest }: { contest: Contest }) {
  if (contest.notices.length === 0) return null;
  return (
    <section className={styles['section']} aria-labelledby="contest-notices">
      <h2 id="contest-notices">公告</h2>
      <ul className={styles['notices']}>
        {contest.notices.map(({ kind, text, at }) => (
          <li key={at + text}>
            <span className={styles['tag']}>{KINDS[kind]}</span>{' '}
            <span className={styles['quiet']}>{beijing(at)}（北京时间）</span>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
