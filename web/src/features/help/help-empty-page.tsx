/** Opened in a new tab where a method has no document or film (specification section 2). */
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { EmptyState } from '../../ui/empty-state.tsx';

export function HelpEmptyPage() {
  const navigate = useNavigate();
  return (
    <div style={{ maxWidth: 720, margin: '0 auto', padding: '64px 24px' }}>
      <EmptyState
        art
        heading
        title="这个方法还没有操作视频"
        hint="图文步骤在帮助页的“操作”一节；也可以用示例数据试一遍。"
        actions={
          <>
            <Button type="primary" onClick={() => void navigate('/help/')}>
              看图文步骤
            </Button>
            <Button onClick={() => void navigate('/mydata/index')}>用示例数据试一遍</Button>
          </>
        }
      />
    </div>
  );
}
