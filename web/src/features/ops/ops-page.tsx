/** /ops: the desk of staff, in a bundle of its own. For everybody else there is no such page. */
import type { OpsMe } from '@hengxi/server/ops/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { loadPinyin, score } from '../../lib/search.ts';
import { NotFound } from '../../ui/not-found.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { useSession } from '../../lib/session.ts';
import { CustomerPage } from './customer-page.tsx';
import { OperatorSignIn } from './operator-sign-in.tsx';
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
      {me.entered ? <Inside me={me} /> : <OperatorSignIn me={me} />}
    </div>
  );
}

function TopBar({ me }: { me: OpsMe }) {
  const leave = useMutation({
    mutationFn: leaveDesk,
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: ['ops', 'list'] });
      queryClient.removeQueries({ queryKey: ['ops', 'customer'] });
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

/** /ops/customer/12 */
const CUSTOMER = /^customer\/([1-9]\d{0,8})$/u;

function Inside({ me }: { me: OpsMe }) {
  const path = useParams()['*'] ?? '';
  const navigate = useNavigate();
  const current = path === '' ? me.lists[0] : me.lists.find(({ list }) => list === path);
  const customer = CUSTOMER.exec(path)?.[1];
  const [wanted, setWanted] = useState('');
  const matching = me.lists.filter(({ title, group }) => score(wanted, { title, words: [group] }) > 0);
  const nav = useRef<HTMLElement>(null);
  // On a phone the lists are a strip: the one shown must be in it.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current?.list]);
  const groups = [...new Set(matching.map(({ group }) => group))];
  const who = `/ops/users?${new URLSearchParams({ who: wanted.trim() }).toString()}`;
  const [first] = matching;
  return (
    <div className={styles['body']}>
      <nav ref={nav} aria-label="后台" className={styles['nav']}>
        <form
          role="search"
          aria-label="后台"
          className={styles['find']}
          onSubmit={(event) => {
            event.preventDefault();
            if (wanted.trim() === '') return;
            void navigate(first === undefined ? who : `/ops/${first.list}`);
            setWanted('');
          }}
        >
          <Input
            aria-label="查找菜单或客户"
            placeholder="查找菜单或客户"
            value={wanted}
            onChange={(event) => {
              setWanted(event.target.value);
              if (event.target.value !== '') void loadPinyin();
            }}
            allowClear
          />
        </form>
        {wanted.trim() === '' ? null : (
          <Link to={who} className={styles['item'] ?? ''} onClick={() => setWanted('')}>
            查找客户“{wanted.trim()}”
          </Link>
        )}
        {groups.map((group) => (
          <div key={group}>
            <p className={styles['group']}>{group}</p>
            {matching
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
        {customer !== undefined ? (
          <CustomerPage key={customer} id={customer} />
        ) : current ? (
          <ListPage key={current.list} list={current.list} title={current.title} />
        ) : (
          <NotFound />
        )}
      </main>
    </div>
  );
}
