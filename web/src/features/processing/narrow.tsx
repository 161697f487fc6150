/** Below 768 px there is no room for variables, settings and preview side by side. */
import { Button } from 'antd';
import { useEffect, useState } from 'react';

import { EmptyState } from '../../ui/empty-state.tsx';

const QUERY = '(max-width: 767px)';

export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => window.matchMedia(QUERY).matches);
  useEffect(() => {
    const media = window.matchMedia(QUERY);
    const changed = (): void => setNarrow(media.matches);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, []);
  return narrow;
}

export function NarrowNotice() {
  return (
    <div style={{ padding: '0 16px' }}>
      <EmptyState
        heading
        title="处理数据请用电脑浏览器"
        hint="这里要放下变量、设置和前后对照三栏。"
        actions={<Button href="/mydata/index">我的数据</Button>}
      />
    </div>
  );
}
