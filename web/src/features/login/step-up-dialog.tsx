/** 短信验证, 420 px: a fresh code before what cannot be undone. */
import { useQuery } from '@tanstack/react-query';
import { Button, type InputRef } from 'antd';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';

import { navigateTo } from '../../lib/navigate.ts';
import { prompts } from '../../lib/prompts.ts';
import { endSession } from '../../lib/session.ts';
import { useSignIn } from '../../lib/sign-in.ts';
import { siteQuery } from '../../lib/site.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { useCountdown } from './countdown.ts';
import { CodeField, SandboxHint } from './field.tsx';
import styles from './phone-form.module.css';
import { proveByCode, sendStepUpCode } from './queries.ts';
import { codeFault, faultOf, RESEND_SECONDS } from './rules.ts';

export function StepUpDialog() {
  const asked = useSignIn((state) => state.stepUp);
  if (!asked) return null;
  const { phone, done } = asked;
  if (phone === null)
    return (
      <ConfirmDialog
        open
        title="请重新登录"
        text="为保护账号，这项操作需要在登录后的十分钟内进行。重新登录后再操作即可。"
        act="重新登录"
        onAct={() => {
          done(false);
          endSession();
          navigateTo('/');
          prompts.openLogin();
        }}
        onClose={() => done(false)}
      />
    );
  return (
    <Dialog open title="短信验证" width="form" outsideCloses={false} onClose={() => done(false)}>
      <Form phone={phone} onDone={() => done(true)} />
    </Dialog>
  );
}

function Form({ phone, onDone }: { phone: string; onDone: () => void }) {
  const sandbox = useQuery(siteQuery).data?.sandbox ?? false;
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [verifyKey, setVerifyKey] = useState('');
  const [working, setWorking] = useState<'send' | 'prove' | null>(null);
  const { left, start } = useCountdown(RESEND_SECONDS);
  const input = useRef<InputRef>(null);
  const id = useId();
  // After the dialog has put the focus on its first button.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.focus(), 60);
    return () => clearTimeout(timer);
  }, []);

  const attempt = async (what: 'send' | 'prove', act: () => Promise<void>) => {
    setWorking(what);
    try {
      await act();
    } catch (error) {
      setFault(faultOf(error)?.text ?? null);
    }
    setWorking(null);
  };
  const send = () =>
    attempt('send', async () => {
      setVerifyKey(await sendStepUpCode());
      setFault(null);
      start();
      input.current?.focus();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = codeFault(code);
    setFault(found);
    if (found || working) return;
    void attempt('prove', async () => {
      await proveByCode({ verify_code: code, verify_key: verifyKey });
      onDone();
    });
  };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <p className={styles['intro']}>为保护账号，这项操作需要验证手机号 {phone}。验证后十分钟内不再询问。</p>
      <CodeField
        id={id}
        input={input}
        value={code}
        fault={fault}
        left={left}
        canSend
        sending={working === 'send'}
        onChange={setCode}
        onFocus={() => setFault(null)}
        onSend={() => void send()}
      />
      {sandbox && verifyKey ? <SandboxHint phone={null} /> : null}
      <Button type="primary" size="large" htmlType="submit" block loading={working === 'prove'}>
        确定
      </Button>
    </form>
  );
}
