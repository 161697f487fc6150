/** /oauth/login: where providers send people back to. What the address brought has been taken by then. */
import { Button } from 'antd';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { prompts } from '../../lib/prompts.ts';
import { currentToken } from '../../lib/session.ts';
import { destinationOf } from '../../lib/access.ts';
import { isFlowOpen, safeNext, useSignIn, versionOf } from '../../lib/sign-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Late } from '../../ui/skeleton.tsx';

export function OauthPage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { exchanging } = useSignIn();
  const busy = useSignIn((state) => state.exchanging || isFlowOpen(state));
  const next = safeNext(params.get('next'));
  // Somebody who is signed in already has nothing to do here.
  useEffect(() => {
    const token = currentToken();
    if (!busy && token !== null) void navigate(next ?? destinationOf(versionOf(token)), { replace: true });
  }, [busy, navigate, next]);
  return (
    <div style={{ maxWidth: 720, margin: '0 auto', padding: '64px 24px' }}>
      {busy ? (
        exchanging ? (
          <Late label="正在登录">正在登录</Late>
        ) : null
      ) : (
        <EmptyState
          art
          heading
          title="登录没有完成"
          hint="没有收到登录信息，或者它已经失效。可以重新登录，或者换一种登录方式。"
          actions={
            <>
              <Button type="primary" onClick={() => prompts.openLogin()}>
                重新登录
              </Button>
              <Button onClick={() => void navigate('/')}>回到首页</Button>
            </>
          }
        />
      )}
    </div>
  );
}
