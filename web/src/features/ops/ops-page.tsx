/** /ops: the desk of staff, in a bundle of its own. For everybody else there is no such page. */
import type { OpsMe } from '@hengxi/server/ops/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { Link, useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { NotFound } from '../../ui/not-found.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { useSession } from '../../lib/session.ts';
import { Door } from './door.tsx';
import { ListPage } from './list-page.tsx';
import styles from './ops.module.css';
import { leaveDesk, meKey, opsMeQuery } from './queries.ts';

export function OpsPage() {
  const token = useSession((state) => state.token);
  const { data: me, error, isPending, isLoadingError } = useQuery({ ...opsMeQuery, enabled: token !== null });
  if (token === null || isNotFound(error)) return <NotFound />;
  if (isLoadingError)
    return (
      <p role="alert" className={styles['door']}>
        {errorText(error)}
      </p>
    );
  if (isPending) return <PageSkeleton />;
  return (
    <div className={styles['desk']}>
      <TopBar me={me} />
      {me.single_warning ? (
        <p role="alert" className={styles['warning']}>
          生产环境允许一位操作员审批自己的申请（HENGXI_SINGLE_OPERATOR=1），请尽快改回 0。
        </p>
      ) : null}
      {me.entered ? <Inside me={me} /> : <Door me={me} />}
    </div>
  );
}

function TopBar({ me }: { me: OpsMe }) {
  const leave = useMutation({
    mutationFn: leaveDesk,
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: ['ops', 'list'] });
      await queryClient.invalidateQueries({ queryKey: meKey });
    },
  });
  return (
    <header className={styles['bar']}>
      <Link to="/ops" className={styles['brand']}>
        衡析
      </Link>
      <span className={styles['mode']}>操作员模式</span>
      <span className={styles['who']}>
        {me.nickname}（{me.roles.join('、')}）
      </span>
      {me.entered ? (
        <Button size="small" loading={leave.isPending} onClick={() => leave.mutate()}>
          离开后台
        </Button>
      ) : null}
    </header>
  );
}

function Inside({ me }: { me: OpsMe }) {
  const path = useParams()['*'] ?? '';
  const current = path === '' ? me.lists[0] : me.lists.find(({ list }) => list === path);
  const nav = useRef<HTMLElement>(null);
  // On a phone the lists are a strip: the one shown must be in it.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current?.list]);
  const groups = [...new Set(me.lists.map(({ group }) => group))];
  return (
    <div className={styles['body']}>
      <nav ref={nav} aria-label="后台" className={styles['nav']}>
        {groups.map((group) => (
          <div key={group}>
            <p className={styles['group']}>{group}</p>
            {me.lists
              .filter((one) => one.group === group)
              .map(({ list, title }) => (
                <Link
                  key={list}
                  to={`/ops/${list}`}
                  className={styles['item'] ?? ''}
                  aria-current={current?.list === list ? 'page' : undefined}
                >
                  {title}
                </Link>
              ))}
          </div>
        ))}
      </nav>
      <main id="main" tabIndex={-1} className={styles['main']}>
        {current ? <ListPage key={current.list} list={current.list} title={current.title} /> : <NotFound />}
      </main>
    </div>
  );
}
