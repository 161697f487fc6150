/** All of one customer on a page: account, orders, messages, files, sessions, acts of the desk; what the operator may see of them. */
import type { ActShown, ListName, OpsRow } from '@hengxi/server/ops/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { ActDialog } from './act-dialog.tsx';
import styles from './ops.module.css';
import { customerQuery } from './queries.ts';
import { ProofDialog, Rows } from './rows.tsx';

export function CustomerPage({ id }: { id: string }) {
  const { data, error, isPending, isFetching } = useQuery(customerQuery(id));
  const [open, setOpen] = useState<{ act: ActShown; row: OpsRow } | null>(null);
  const [proof, setProof] = useState<{ list: ListName; row: OpsRow } | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: ['ops'] });
  if (isNotFound(error)) return <p role="alert">没有编号为 {id} 的用户。</p>;
  return (
    <section aria-labelledby="ops-customer">
      <div className={styles['head']}>
        <h1 id="ops-customer">{data ? `客户：${data.name}（编号 ${data.id}）` : '客户'}</h1>
        <div className={styles['tools']}>
          <Button loading={isFetching} onClick={() => void reload()}>
            刷新
          </Button>
        </div>
      </div>
      {error ? <p role="alert">{errorText(error)}</p> : null}
      {isPending ? <ListSkeleton rows={6} /> : null}
      {data?.lists.map((part) => (
        <section key={part.name} className={styles['part']} aria-label={part.title}>
          <div className={styles['head']}>
            <h2>{part.title}</h2>
            {part.total > part.list.length ? (
              <Link to={`/ops/${part.name}?${new URLSearchParams(part.query).toString()}`}>
                查看全部 {part.total} 条
              </Link>
            ) : null}
          </div>
          <Rows
            data={part}
            list={part.name}
            onAct={(act, row) => setOpen({ act, row })}
            onProof={(row) => setProof({ list: part.name, row })}
          />
        </section>
      ))}
      {open ? (
        <ActDialog
          {...open}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            void reload();
          }}
        />
      ) : null}
      {proof ? <ProofDialog {...proof} onClose={() => setProof(null)} /> : null}
    </section>
  );
}
