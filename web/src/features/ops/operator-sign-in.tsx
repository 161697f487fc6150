/** The door of the desk: a fresh code of the operator's own phone. */
import type { OpsMe } from '@hengxi/server/ops/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { type FormEvent, useState } from 'react';

import { queryClient } from '../../lib/query-client.ts';
import styles from './ops.module.css';
import { enterDesk, meKey, sendCode } from './queries.ts';

export function OperatorSignIn({ me }: { me: OpsMe }) {
  const [code, setCode] = useState('');
  const sent = useMutation({ mutationFn: sendCode });
  const enter = useMutation({
    mutationFn: enterDesk,
    onSuccess: (entered) => queryClient.setQueryData(meKey, entered),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sent.data && /^\d{6}$/.test(code)) enter.mutate({ verify_key: sent.data.verify_key, verify_code: code });
  };
  return (
    <main id="main" tabIndex={-1} className={styles['outside']}>
      <form className={styles['door']} onSubmit={submit} noValidate>
        <h1>进入运营后台</h1>
        {me.phone === null ? (
          <p>账号还没有绑定手机号，请先在个人中心绑定，再进入后台。</p>
        ) : (
          <>
            <p>
              {me.nickname}（{me.roles.join('、')}），请输入发到 {me.phone} 的验证码。会话 8 小时有效，30
              分钟没有操作需重新验证，同时只能在一处使用。
            </p>
            <div className={styles['code']}>
              <Input
                aria-label="验证码"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={6}
                value={code}
                onChange={(event) => setCode(event.target.value.trim())}
              />
              <Button loading={sent.isPending} onClick={() => sent.mutate()}>
                {sent.data ? '重新发送' : '发送验证码'}
              </Button>
            </div>
            <Button
              type="primary"
              htmlType="submit"
              block
              loading={enter.isPending}
              disabled={!sent.data || !/^\d{6}$/.test(code)}
            >
              进入
            </Button>
          </>
        )}
      </form>
    </main>
  );
}
