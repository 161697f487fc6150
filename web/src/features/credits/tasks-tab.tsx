/** 任务: what to do, what it helps with, how far one is, and the reward. */
import { integer } from '@hengxi/contracts/format';
import type { Quest } from '@hengxi/server/quests/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { formatInstant } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { askToBind } from '../../lib/sign-in.ts';
import { toast } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Appeal } from './appeal.tsx';
import styles from './credits.module.css';
import { acceptBonus, questRecordQuery, questsQuery, refreshCredits } from './queries.ts';
import { QUEST_KINDS, questKey } from './words.ts';

export function TasksTab() {
  const quests = useQuery(questsQuery);
  return (
    <section className={styles['section']} aria-label="任务">
      <Unbound />
      <Loaded query={quests}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="现在没有任务" hint="有新任务时会显示在这里。" />
          ) : (
            <ul className={styles['tasks']}>
              {list.map((quest) => (
                <Task key={questKey(quest)} quest={quest} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** Rewards are for people who can be told apart. */
function Unbound() {
  const me = useMe();
  if (me === null || me.phone !== null || me.demo) return null;
  return (
    <div className={styles['held']}>
      <p>绑定手机号后可以领取积分，进度照常记录。</p>
      <Button size="small" onClick={askToBind}>
        绑定手机号
      </Button>
    </div>
  );
}

function Task({ quest }: { quest: Quest }) {
  const { title, why, kind, target, progress, state, held_reason: reason, record_id: record } = quest;
  return (
    <li className={styles['task']}>
      <div className={styles['about']}>
        <h3>
          {title}
          <span className={styles['tag']}>{QUEST_KINDS[kind]}</span>
        </h3>
        <p className={styles['quiet']}>{why}</p>
        <p className={styles['progress']}>
          <progress max={target} value={progress} aria-label={`${title}的进度`} />
          {integer(progress)}/{integer(target)}
        </p>
        {state === 3 || state === 4 ? (
          <p className={styles['why']}>
            {state === 3 ? '审核中' : '已作废'}
            {reason === null ? '' : `：${reason}`}
            <Appeal record={record} about={title} />
          </p>
        ) : null}
        {record === null ? null : <Hits record={record} />}
      </div>
      <Reward quest={quest} />
    </li>
  );
}

function Reward({ quest }: { quest: Quest }) {
  const { bonus, state, record_id: record, action_url: url, title } = quest;
  const accept = useMutation({
    mutationFn: acceptBonus,
    onSuccess: async ({ amount, already }) => {
      if (already) toast.note('这份奖励已经领取过');
      else toast.done(`已领取 ${integer(amount)} 积分`);
      await refreshCredits();
    },
  });
  if (state === 1 && record !== null)
    return (
      <Button
        loading={accept.isPending}
        aria-label={`领取 ${bonus} 积分：${title}`}
        onClick={() => accept.mutate(record)}
      >
        领取 {integer(bonus)} 积分
      </Button>
    );
  if (state === 0)
    return (
      <div className={styles['reward']}>
        <span>{integer(bonus)} 积分</span>
        {/* What has no page of its own says in its sentence where it is done. */}
        {url === '' ? null : (
          <Link to={url} aria-label={`去完成：${title}`}>
            去完成
          </Link>
        )}
      </div>
    );
  return (
    <span className={`${styles['reward']} ${styles['quiet']}`}>
      {state === 2 ? `已领取 ${integer(bonus)} 积分` : `${integer(bonus)} 积分`}
    </span>
  );
}

/** What counted towards it; asked for when it is looked at. */
function Hits({ record }: { record: number }) {
  const [isOpen, setOpen] = useState(false);
  const recordQuery = useQuery({ ...questRecordQuery(record), enabled: isOpen });
  return (
    <details className={styles['hits']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>计入的记录</summary>
      {isOpen ? (
        <Loaded query={recordQuery} rows={1}>
          {({ hits, auto_credit_at: auto }) => (
            <>
              {hits.length === 0 ? <p>还没有</p> : null}
              <ul>
                {hits.map((hit) => (
                  <li key={`${hit.at}${hit.title}`}>
                    {formatInstant(hit.at)}　{hit.title}
                  </li>
                ))}
              </ul>
              {auto === null ? null : <p>没有领取的话，{formatInstant(auto)} 自动到账。</p>}
            </>
          )}
        </Loaded>
      ) : null}
    </details>
  );
}
