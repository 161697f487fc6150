/** What a banned account sees: why and until when, as far as the server said. */
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { formatInstant } from '../../lib/format-size.ts';
import { banFacts } from '../../lib/session-end.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

export function BanPage() {
  const navigate = useNavigate();
  const facts = banFacts();
  const until = facts?.until ? `封禁到 ${formatInstant(facts.until)}，到期后自动解除。` : '';
  const reason = facts?.reason ? `原因：${facts.reason}。` : '';
  return (
    <div style={{ maxWidth: 720, margin: '0 auto', padding: '64px 24px' }}>
      <EmptyState
        art
        heading
        title="账号已被封禁"
        hint={`${reason}${until}封禁期间不能登录，数据和报告仍然保存。`}
        actions={<Button onClick={() => void navigate('/')}>回到首页</Button>}
      />
    </div>
  );
}
