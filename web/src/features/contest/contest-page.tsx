/** /contest: where the contest stands, what to do now, prizes, how it is judged. `utm_source` is added to the address. */
import { RUBRIC } from '@hengxi/server/contest/schema';
import type { Contest } from '@hengxi/server/contest/schema';
import { Button } from 'antd';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { keepSource, sourceNow } from '../../lib/campaign-source.ts';
import { useSession } from '../../lib/session.ts';
import { Prose } from '../../ui/prose/prose.tsx';
import tableStyles from '../../ui/plain-table.module.css';
import styles from './contest.module.css';
import { ContestFrame, useSignInFor } from './frame.tsx';
import { Notices } from './notices.tsx';
import { SOURCE, deadline, prizeText, stepsOf } from './words.ts';

/** The source of the visit, or that of the contest; in place, so that Back leaves the page. */
function useContestSource(): void {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    const query = new URLSearchParams(search);
    if (query.has('utm_source')) return;
    const source = sourceNow() ?? SOURCE;
    keepSource(source);
    query.set('utm_source', source);
    void navigate({ pathname, search: `?${query.toString()}`, hash }, { replace: true, preventScrollReset: true });
  }, [navigate, pathname, search, hash]);
}

export function ContestPage() {
  useContestSource();
  return (
    <ContestFrame title="数据分析大赛">
      {({ contest }) => (
        <>
          {contest.summary === '' ? null : <p className={styles['lead']}>{contest.summary}</p>}
          <ol className={styles['steps']} aria-label="赛程">
            {stepsOf(contest).map(({ title, when, state }) => (
              <li
                key={title}
                className={styles['step']}
                data-state={state}
                aria-current={state === 'now' ? 'step' : undefined}
              >
                <b>{title}</b>
                <span>{when}</span>
              </li>
            ))}
          </ol>
          <Next contest={contest} />
          <Notices contest={contest} />
          <Prizes contest={contest} />
          <Rubric />
          <section className={styles['section']} aria-labelledby="contest-scores">
            <h2 id="contest-scores">怎么评分</h2>
            <Prose text={SCORING} />
          </section>
        </>
      )}
    </ContestFrame>
  );
}

const SCORING = `
- 盲评：评委只看到编号和去掉文档属性的报告，看不到姓名、学校和电话。
- 每份作品由三位评委打分，最高分与最低分相差超过 20 分时，再请第四位评委。评委不评本单位的作品。
- 作品达到 12 份、评委达到 4 位时，用混合模型扣除评委宽严的影响；不足时用平均分，并在结果页说明。
- 同分同名次。奖项线上同分的都获奖，提交早晚不影响名次。
- 使用衡析不加分，作品的权利归作者。
`;

function Next({ contest }: { contest: Contest }) {
  const isSignedIn = useSession((state) => state.token !== null);
  const signIn = useSignInFor();
  const navigate = useNavigate();
  const { phase, phases, me, team } = contest;
  const query = `?cid=${contest.id}`;
  const go = (to: string) => () => void navigate(to + query);
  const way = ((): { text: string; act: () => void; hint: string } => {
    switch (phase) {
      case 'upcoming':
        return { text: '查看规则', act: go('/contest/note'), hint: `${deadline(phases.signup_from)}开始报名` };
      case 'signup':
        if (!isSignedIn)
          return { text: '登录报名', act: () => signIn(`/contest/answer${query}`), hint: '登录后填写报名表' };
        if (!me) return { text: '报名', act: go('/contest/answer'), hint: '1 至 3 人一队，每人只能在一支队伍' };
        return team
          ? {
              text: '查看我的队伍',
              act: go('/contest/answer'),
              hint: `您在“${team.name}”队，${team.members.length} 人`,
            }
          : { text: '创建或加入队伍', act: go('/contest/answer'), hint: '已报名，还没有队伍' };
      case 'waiting':
        return { text: '查看规则', act: go('/contest/note'), hint: `赛题 ${deadline(phases.answer_from)}发布` };
      case 'answer':
        return team
          ? { text: '提交作品', act: go('/contest/answer'), hint: `${deadline(phases.answer_to)}截止` }
          : { text: '查看赛题', act: go('/contest/note'), hint: '报名已截止' };
      case 'review':
        return { text: '查看进度', act: go('/contest/result'), hint: `预计 ${deadline(phases.results_at)}公布` };
      default:
        return { text: '查看结果', act: go('/contest/result'), hint: '' };
    }
  })();
  return (
    <div className={styles['acts']}>
      <Button type="primary" size="large" onClick={way.act}>
        {way.text}
      </Button>
      <span className={styles['quiet']}>{way.hint}</span>
    </div>
  );
}

function Prizes({ contest }: { contest: Contest }) {
  if (contest.prizes.length === 0) return null;
  return (
    <section className={styles['section']} aria-labelledby="contest-prizes">
      <h2 id="contest-prizes">奖项</h2>
      <table className={tableStyles['table']}>
        <thead>
          <tr>
            <th scope="col">奖项</th>
            <th scope="col">名额</th>
            <th scope="col">奖励</th>
          </tr>
        </thead>
        <tbody>
          {contest.prizes.map(({ award, places, kind, value }) => (
            <tr key={award}>
              <td>{award}</td>
              <td>{places} 队</td>
              <td>{prizeText(kind, value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles['quiet']}>参评的队伍都有参赛证书。</p>
    </section>
  );
}

function Rubric() {
  return (
    <section className={styles['section']} aria-labelledby="contest-rubric">
      <h2 id="contest-rubric">评分标准</h2>
      <div className={styles['scroll']} tabIndex={0} role="region" aria-labelledby="contest-rubric">
        <table className={tableStyles['table']}>
          <thead>
            <tr>
              <th scope="col">项目</th>
              <th scope="col">满分</th>
              <th scope="col">从低到高四档</th>
            </tr>
          </thead>
          <tbody>
            {RUBRIC.map(({ key, title, most, levels }) => (
              <tr key={key}>
                <th scope="row">{title}</th>
                <td>{most}</td>
                <td>{levels.join('；')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
