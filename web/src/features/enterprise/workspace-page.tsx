/** /pro-model/index: where an enterprise's members arrive. What state it is in, what was worked on last, and the ways on. */
import type { FileList } from '@hengxi/server/files/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { Link, useNavigate } from 'react-router';

import { api } from '../../lib/api.ts';
import { formatDay, formatInstant } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './enterprise.module.css';
import { bannerOf } from './manage-page.tsx';
import { PagedTable } from './parts.tsx';
import { enterpriseQuery } from './queries.ts';
import { ROLES, STATES } from './words.ts';

const RECENT = 8;

/** Own data and what colleagues have opened to all, as the list of data has them. */
const recentQuery = queryOptions({
  queryKey: ['files', 'enterprise-recent'],
  queryFn: ({ signal }) =>
    api.get<FileList>('/v1/user/file', { signal, quiet: true, query: { sort: 'updated', page_size: RECENT } }),
});

const WAYS: readonly [path: string, title: string, text: string][] = [
  ['/mydata/index', '我的数据', '上传数据，或打开同事公开的数据'],
  ['/dataprocessing/index', '数据处理', '标签、编码、缺失值和新变量，每一步都有记录'],
  ['/analysis/index', '数据分析', '选方法，得到一份带结论的报告'],
];

export function WorkspacePage() {
  const eid = useMe()?.enterprise[0]?.id;
  return (
    <div className={styles['page']}>{eid === undefined ? <ListSkeleton rows={4} /> : <Workspace eid={eid} />}</div>
  );
}

function Workspace({ eid }: { eid: number }) {
  const enterprise = useQuery(enterpriseQuery(eid));
  const recent = useQuery(recentQuery);
  const navigate = useNavigate();
  return (
    <Loaded query={enterprise}>
      {(current) => {
        const banner = bannerOf(current);
        return (
          <>
            <PageTitle
              title={current.name}
              aside={`${ROLES[current.role]}　${STATES[current.state]}${current.ends_at ? `　至 ${formatDay(current.ends_at)}` : ''}`}
              actions={
                <Button onClick={() => void navigate(`/enterprise/${eid}`)}>
                  {current.can.manage ? '企业管理' : '企业信息'}
                </Button>
              }
            />
            {banner ? (
              <div className={styles['banner']} role="status">
                {banner}
              </div>
            ) : null}
            <ul className={styles['cards']} style={{ marginTop: 24 }}>
              {WAYS.map(([path, title, text]) => (
                <li key={path} className={styles['card']}>
                  <Link to={path}>
                    <b>{title}</b>
                  </Link>
                  <span className={styles['quiet']}>{text}</span>
                </li>
              ))}
            </ul>
            <section className={styles['section']} style={{ marginTop: 32 }} aria-labelledby="workspace-recent">
              <h2 id="workspace-recent">最近的数据</h2>
              <PagedTable
                label="最近的数据"
                query={recent}
                page={1}
                onPage={() => undefined}
                keyOf={(row) => row.fid}
                empty="企业空间里还没有数据。这里的数据归企业所有，与个人空间分开存放。"
                columns={[
                  { title: '名称', render: (row) => <Link to={`/mydata/detail/${row.vid}`}>{row.name}</Link> },
                  { title: '行', number: true, render: (row) => row.rows },
                  { title: '变量', number: true, render: (row) => row.columns },
                  { title: '更新', render: (row) => formatInstant(row.updated_at) },
                  { title: '操作', render: (row) => <Link to={`/analysis/operation/${row.vid}`}>分析</Link> },
                ]}
              />
            </section>
          </>
        );
      }}
    </Loaded>
  );
}
