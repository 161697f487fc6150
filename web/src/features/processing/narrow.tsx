/** On a phone there is no room for variables, settings and preview side by side. */
import { Button } from 'antd';

import { EmptyState } from '../../ui/empty-state.tsx';

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
