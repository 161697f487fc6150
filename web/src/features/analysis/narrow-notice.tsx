/** On a phone: reading only, and the notice that a desktop browser is better (ux, global frame). */
import type { Report } from '@hengxi/contracts/contract';
import { CopyOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import dayjs from 'dayjs';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';

import { findableReportsQuery } from '../../lib/catalogue.ts';
import { toast } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ReportSkeleton } from '../../ui/skeleton.tsx';
import styles from './narrow-notice.module.css';

const ReportView = lazy(async () => ({ default: (await import('../../report/report-view.tsx')).ReportView }));

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    toast.done('已复制链接');
  } catch {
    toast.warn('没有复制成功，请长按地址栏复制');
  }
}

const SHOWN = 8;

/** What can be read here: the reports touched last. */
function RecentReports() {
  const reports = useQuery(findableReportsQuery);
  const list = (reports.data ?? []).slice(0, SHOWN);
  if (list.length === 0) return null;
  return (
    <section className={styles['recent']} aria-label="最近的报告">
      <h2>最近的报告</h2>
      <ul>
        {list.map((row) => (
          <li key={row.rid}>
            <Link to={`/analysis/result/${row.vid ?? 0}?project_id=${row.project_id}&report_id=${row.rid}`}>
              {row.title}
            </Link>
            <span>
              {row.method} · {dayjs(row.updated_at).format('MM-DD HH:mm')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The report where there is one; setting up an analysis needs room for three panes. */
export function NarrowNotice({ report }: { report: Report | null }) {
  return (
    <div className={styles['page']}>
      <EmptyState
        title="设置分析请用电脑浏览器"
        hint={
          report === null
            ? '这里要放下变量、设置和结果三栏。手机上可以阅读和分享已有的报告。'
            : '手机上可以阅读和分享报告，修改设置请用电脑浏览器。'
        }
        actions={
          <>
            <Button icon={<CopyOutlined />} onClick={() => void copyLink()}>
              复制链接
            </Button>
            <Button href="/mydata/index">我的数据</Button>
          </>
        }
      />
      {report === null ? (
        <RecentReports />
      ) : (
        <Suspense fallback={<ReportSkeleton />}>
          <div className={styles['report']}>
            <ReportView report={report} />
          </div>
        </Suspense>
      )}
    </div>
  );
}
