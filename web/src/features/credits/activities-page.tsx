/** /credits/activity: the activities that run, will run and have ended. */
import type { Ad } from '@hengxi/server/campaigns/schema';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './credits.module.css';
import { activitiesQuery } from './queries.ts';
import { ACTIVITY_STATES, datesText } from './words.ts';

const ORDER: readonly Ad['status'][] = ['running', 'planned', 'ended'];

export function ActivitiesPage() {
  const activities = useQuery(activitiesQuery);
  return (
    <div className={styles['page']}>
      <PageTitle title="积分活动" actions={<Link to="/credits">积分中心</Link>} />
      <Loaded query={activities}>
        {({ list }) =>
          list.length === 0 ? (
            <EmptyState
              title="现在没有活动"
              hint="有新活动时会显示在这里。"
              actions={<Link to="/credits">去积分中心</Link>}
            />
          ) : (
            <>
              {ORDER.map((status) => (
                <Group key={status} status={status} list={list.filter((one) => one.status === status)} />
              ))}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function Group({ status, list }: { status: Ad['status']; list: readonly Ad[] }) {
  if (list.length === 0) return null;
  return (
    <section className={styles['section']} aria-label={ACTIVITY_STATES[status]}>
      <h2>{ACTIVITY_STATES[status]}</h2>
      <ul className={styles['cards']}>
        {list.map((listed) => (
          <li key={listed.id} className={styles['card']}>
            {listed.cover === null ? null : <img src={listed.cover} alt="" className={styles['cover']} />}
            <h3>
              <Link to={`/credits/activity/${listed.id}`}>{listed.title}</Link>
            </h3>
            <p className={styles['quiet']}>{listed.summary}</p>
            <p className={styles['facts']}>{datesText(listed)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
