/** One version of a file: its cells, its variables, what is doubtful about it, and how it came to be. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate, useParams } from 'react-router';

import { isNotFound, errorText } from '../../lib/api.ts';
import { versionQuery } from '../../lib/catalogue.ts';
import { usePageTitle } from '../../lib/title.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Detail } from './detail/detail.tsx';

export function DataDetailPage() {
  const vid = Number(useParams()['vid']);
  const navigate = useNavigate();
  const version = useQuery(versionQuery(vid));
  usePageTitle(version.data?.name ?? null);
  if (version.isPending) return <PageSkeleton />;
  if (version.isLoadingError) {
    if (isNotFound(version.error))
      return (
        <NotFound
          title="没有这份数据"
          hint="可能已被删除，或者不在你的账号下。删除的数据在回收站保留 30 天。"
          actions={
            <>
              <Button type="primary" onClick={() => void navigate('/mydata/index')}>
                我的数据
              </Button>
              <Button onClick={() => void navigate('/mydata/index?bin=1')}>回收站</Button>
            </>
          }
        />
      );
    return (
      <div style={{ padding: '0 32px' }}>
        <EmptyState
          title="数据没有加载出来"
          hint={errorText(version.error)}
          actions={<Button onClick={() => void version.refetch()}>重试</Button>}
        />
      </div>
    );
  }
  // Another version is another table: nothing chosen, sorted or searched in the old one stays.
  return <Detail key={vid} version={version.data} />;
}
