/** /analysis/coding: one's text codings, and a new one. With `?vid=` and `?column=` the new one is begun for that column. */
import type { CodingEntry } from '@hengxi/server/answer-coding/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Progress } from 'antd';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';

import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import table from '../../ui/plain-table.module.css';
import styles from './coding.module.css';
import { NewDialog } from './new-dialog.tsx';
import { codingsQuery, removeCoding } from './queries.ts';

export function CodingIndexPage() {
  const codings = useQuery(codingsQuery);
  const [params, setParams] = useSearchParams();
  const asked = { vid: Number(params.get('vid')) || null, column: params.get('column') };
  const [isNew, setNew] = useState(asked.vid !== null);
  const button = (
    <Button type="primary" onClick={() => setNew(true)}>
      新建文本编码
    </Button>
  );
  return (
    <div className={styles['page']}>
      <PageTitle title="文本编码" actions={button} />
      <p className={styles['lead']}>
        把开放题的回答逐条归到编码里：程序按词语和已编码的回答给建议，由人确认。编完写回数据，成为一道多选题。
      </p>
      <Loaded query={codings}>
        {({ list }) =>
          list.length === 0 ? (
            <EmptyState title="还没有文本编码" hint="选一列文字，建好码表，再一条条确认。" actions={button} />
          ) : (
            <Codings list={list} />
          )
        }
      </Loaded>
      <NewDialog
        open={isNew}
        vid={asked.vid}
        column={asked.column}
        onClose={() => {
          setNew(false);
          setParams({}, { replace: true });
        }}
      />
    </div>
  );
}

function Codings({ list }: { list: readonly CodingEntry[] }) {
  const [leaving, setLeaving] = useState<CodingEntry | null>(null);
  const remove = async (): Promise<void> => {
    if (leaving) await removeCoding(leaving.id);
    setLeaving(null);
  };
  return (
    <div className={styles['scroll']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">题名</th>
            <th scope="col">数据</th>
            <th scope="col">已编码的行</th>
            <th scope="col">上次修改</th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={one.id}>
              <td>
                <Link to={`/analysis/coding/${one.id}`}>{one.question}</Link>
              </td>
              <td>{one.file}</td>
              <td>
                <div className={styles['share']}>
                  <Progress
                    percent={
                      one.progress.rows > 0 ? Math.floor((100 * one.progress.coded_rows) / one.progress.rows) : 0
                    }
                    size="small"
                    aria-label={`${one.question}已编码的行`}
                  />
                  <span className={styles['quiet']}>
                    {one.progress.coded_rows.toLocaleString('en-US')} / {one.progress.rows.toLocaleString('en-US')}
                  </span>
                </div>
              </td>
              <td>{new Date(one.updated_at).toLocaleString('zh-CN', { dateStyle: 'medium', timeStyle: 'short' })}</td>
              <td>
                <Button type="link" size="small" danger onClick={() => setLeaving(one)}>
                  删除
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        open={leaving !== null}
        title="删除文本编码"
        text={`“${leaving?.question ?? ''}”的码表和全部编码会一起删除，不能恢复。已经写回数据的变量不受影响。`}
        act="删除"
        danger
        onAct={() => void remove()}
        onClose={() => setLeaving(null)}
      />
    </div>
  );
}
