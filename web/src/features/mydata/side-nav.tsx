/** Left of the list: all data, the bin, and the reports made last. */
import { DeleteOutlined, FileDoneOutlined, InboxOutlined, TagsOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';

import { findableReportsQuery } from '../../lib/catalogue.ts';
import { filesQuery } from './queries.ts';
import styles from './side-nav.module.css';

const RECENT = 6;

export function SideNav() {
  const [params] = useSearchParams();
  const bin = params.get('bin') === '1';
  const all = useQuery(filesQuery({ keyword: '', bin: false, sort: 'updated', page: 1 }));
  const reports = useQuery(findableReportsQuery);
  const recent = (reports.data ?? [])
    .filter((report) => report.vid !== null && report.deleted_at === null)
    .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
    .slice(0, RECENT);
  return (
    <nav aria-label="数据" className={styles['nav']}>
      <Link to="/mydata/index" aria-current={bin ? undefined : 'page'} className={styles['item']}>
        <InboxOutlined aria-hidden /> 全部数据
        <span className={styles['count']}>{all.data?.total ?? ''}</span>
      </Link>
      <Link to="/mydata/index?bin=1" aria-current={bin ? 'page' : undefined} className={styles['item']}>
        <DeleteOutlined aria-hidden /> 回收站
        <span className={styles['count']}>保留 30 天</span>
      </Link>
      <Link to="/analysis/coding" className={styles['item']}>
        <TagsOutlined aria-hidden /> 文本编码
        <span className={styles['count']}>开放题</span>
      </Link>
      {recent.length > 0 ? (
        <section aria-labelledby="recent-reports" className={styles['recent']}>
          <h2 id="recent-reports">最近的报告</h2>
          {recent.map((report) => (
            <Link
              key={report.rid}
              to={`/analysis/result/${report.vid}?project_id=${report.project_id}&report_id=${report.rid}`}
              className={styles['item']}
              title={report.title}
            >
              <FileDoneOutlined aria-hidden />
              <span className={styles['text']}>{report.title}</span>
            </Link>
          ))}
        </section>
      ) : null}
    </nav>
  );
}
