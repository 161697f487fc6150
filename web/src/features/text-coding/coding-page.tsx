/** /analysis/coding/:cid: the answers of a column, coded by keyboard and mouse. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate, useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { usePageTitle } from '../../lib/title.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { codingQuery } from './queries.ts';
import { Workbench } from './workbench.tsx';

export function CodingPage() {
  const id = Number(useParams()['cid']);
  const navigate = useNavigate();
  const coding = useQuery(codingQuery(id));
  usePageTitle(coding.data ? `${coding.data.question} · 文本编码` : null);
  if (coding.isPending) return <PageSkeleton />;
  if (coding.isLoadingError) {
    if (isNotFound(coding.error))
      return (
        <NotFound
          title="没有这份文本编码"
          hint="可能已被删除，或者它的数据在回收站里。"
          actions={
            <Button type="primary" onClick={() => void navigate('/analysis/coding')}>
              全部文本编码
            </Button>
          }
        />
      );
    return (
      <div style={{ padding: '0 32px' }}>
        <EmptyState
          title="文本编码没有加载出来"
          hint={errorText(coding.error)}
          actions={<Button onClick={() => void coding.refetch()}>重试</Button>}
        />
      </div>
    );
  }
  return <Workbench key={id} coding={coding.data} />;
}
