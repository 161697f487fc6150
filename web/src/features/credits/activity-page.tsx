/** /credits/activity/{aid}: rules and dates of one activity, its tasks and what can be exchanged for in it. */
import { integer } from '@hengxi/contracts/format';
import type { AdDetail } from '@hengxi/server/campaigns/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { Link, useNavigate, useParams } from 'react-router';

import { isNotFound } from '../../lib/api.ts';
import { useMe } from '../../lib/me.ts';
import { usePageTitle } from '../../lib/title.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Prose } from '../../ui/prose/prose.tsx';
import styles from './credits.module.css';
import { activityQuery } from './queries.ts';
import { ACTIVITY_STATES, datesText, givesText, lastDay } from './words.ts';

export function ActivityPage() {
  const activity = useQuery(activityQuery(Number(useParams()['aid'])));
  usePageTitle(activity.data?.title ?? null);
  if (isNotFound(activity.error)) return <NotFound title="没有这个活动" hint="可能是地址有误，或活动已经撤下。" />;
  return (
    <div className={styles['page']}>
      <Loaded query={activity}>{(one) => <Activity activity={one} />}</Loaded>
    </div>
  );
}

function Activity({ activity }: { activity: AdDetail }) {
  const { title, status, body_md: body, quests, items, cta, ends_at: end } = activity;
  // Tasks and exchanges are no matter of enterprises.
  const isPersonal = useMe()?.identity !== 2;
  const isOver = status === 'ended';
  return (
    <>
      <PageTitle title={title} actions={<Link to="/credits/activity">全部活动</Link>} />
      <p className={styles['lead']}>
        {isOver ? `活动已于 ${lastDay(end)} 结束` : `${ACTIVITY_STATES[status]}　${datesText(activity)}`}
      </p>
      <Prose text={body} />
      {isPersonal && quests.length > 0 ? (
        <section className={styles['section']} aria-labelledby="activity-quests">
          <h2 id="activity-quests">活动任务</h2>
          <ul className={styles['tasks']}>
            {quests.map((quest) => (
              <li key={quest.id} className={styles['task']}>
                <div className={styles['about']}>
                  <h3>{quest.title}</h3>
                  <p className={styles['quiet']}>{quest.why}</p>
                </div>
                <div className={styles['reward']}>{integer(quest.bonus)} 积分</div>
              </li>
            ))}
          </ul>
          {isOver ? null : <Link to="/credits?tab=tasks">查看进度</Link>}
        </section>
      ) : null}
      {isPersonal && items.length > 0 ? (
        <section className={styles['section']} aria-labelledby="activity-items">
          <h2 id="activity-items">活动兑换</h2>
          <ul className={styles['tasks']}>
            {items.map((item) => (
              <li key={item.id} className={styles['task']}>
                <div className={styles['about']}>
                  <h3>{item.title}</h3>
                  <p className={styles['quiet']}>
                    {item.summary === '' ? givesText(item.grant_kind, item.grant_value) : item.summary}
                  </p>
                </div>
                <div className={styles['reward']}>{integer(item.price_credits)} 积分</div>
              </li>
            ))}
          </ul>
          {isOver ? null : <Link to="/credits?tab=mall">去商城兑换</Link>}
        </section>
      ) : null}
      {cta === null || isOver ? null : (
        <p className={styles['acts']}>
          <Way {...cta} />
        </p>
      )}
    </>
  );
}

/** Own pages open here; anything else is another site and says so to the browser. */
function Way({ text, url }: { text: string; url: string }) {
  const navigate = useNavigate();
  return /^\/(?![/\\])/.test(url) ? (
    <Button type="primary" onClick={() => void navigate(url)}>
      {text}
    </Button>
  ) : (
    <Button type="primary" href={url} target="_blank" rel="noreferrer">
      {text}
    </Button>
  );
}
