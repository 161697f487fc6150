/** What is not there, or not yours: the two are never told apart. */
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { EmptyState } from './empty-state.tsx';

export function NotFound({ title, hint, actions }: { title?: string; hint?: string; actions?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <div style={{ maxWidth: 720, margin: '0 auto', padding: '64px 24px' }}>
      <EmptyState
        art
        heading
        title={title ?? '没有这个页面'}
        hint={hint ?? '可能是地址有误，或页面已改名。'}
        actions={
          actions ?? (
            <>
              <Button type="primary" onClick={() => void navigate('/')}>
                回到首页
              </Button>
              <Button onClick={() => void navigate(-1)}>返回上一页</Button>
            </>
          )
        }
      />
    </div>
  );
}
