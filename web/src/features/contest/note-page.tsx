/** /contest/note: the rules that are agreed to, the problems and their data once released, corrections and answers. */
import type { Contest } from '@hengxi/server/contest/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format-size.ts';
import { toast } from '../../lib/toast.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Prose } from '../../ui/prose/prose.tsx';
import styles from './contest.module.css';
import { ContestFrame } from './frame.tsx';
import { Notices } from './notices.tsx';
import { problemsQuery, saveProblemFile } from './queries.ts';
import { deadline } from './words.ts';

export function NotePage() {
  const navigate = useNavigate();
  return (
    <ContestFrame title="规则与赛题">
      {({ contest }) => (
        <>
          <Notices contest={contest} />
          <section className={styles['section']} aria-labelledby="contest-rules">
            <h2 id="contest-rules">参赛规则</h2>
            <Prose text={contest.rules} />
            <p className={styles['quiet']}>规则第 {contest.rules_version} 版</p>
            {contest.phase === 'signup' && contest.me === null ? (
              <div className={styles['acts']}>
                <Button type="primary" onClick={() => void navigate(`/contest/answer?cid=${contest.id}`)}>
                  去报名
                </Button>
              </div>
            ) : null}
          </section>
          <section className={styles['section']} aria-labelledby="contest-problems">
            <h2 id="contest-problems">赛题与数据</h2>
            {['upcoming', 'signup', 'waiting'].includes(contest.phase) ? (
              <p>赛题 {deadline(contest.phases.answer_from)}发布。</p>
            ) : (
              <ProblemSheet contest={contest} />
            )}
          </section>
        </>
      )}
    </ContestFrame>
  );
}

function ProblemSheet({ contest }: { contest: Contest }) {
  const problems = useQuery(problemsQuery(contest.id));
  const save = (file: number): void => {
    saveProblemFile(contest.id, file).catch((error: unknown) => toast.bad(errorText(error)));
  };
  return (
    <Loaded query={problems}>
      {({ problems: text, files }) => (
        <>
          <Prose text={text} />
          {files.length === 0 ? null : (
            <ul className={styles['works']}>
              {files.map(({ id, name, size, sha256 }) => (
                <li key={id}>
                  <header>
                    <b>{name}</b>
                    <span className={styles['quiet']}>{formatBytes(size)}</span>
                    <Button size="small" aria-label={`下载 ${name}`} onClick={() => save(id)}>
                      下载
                    </Button>
                  </header>
                  <p className={styles['quiet']}>
                    SHA-256 <span className={styles['hash']}>{sha256}</span>
                  </p>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  );
}
