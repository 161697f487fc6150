/** Binding a phone: number, code, confirm; and the clear choice where the number belongs to another account. */
import type { PhoneTaken } from '@hengxi/server/accounts/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, type InputRef } from 'antd';
import { type FormEvent, useEffect, useRef, useState } from 'react';

import { ApiError } from '../../lib/api.ts';
import { reloadMe } from '../../lib/me.ts';
import { receive } from '../../lib/sign-in.ts';
import { siteQuery } from '../../lib/site.ts';
import { withStepUp } from '../../lib/step-up.ts';
import { toast } from '../../lib/toast.ts';
import { PhoneCode, usePhoneCode } from './phone-code.tsx';
import styles from './phone-form.module.css';
import { BOTH_HAVE_DATA, bindPhone, mergeAccounts, sendBindCode, TAKEN } from './queries.ts';

const LAW = '根据国家法律法规要求，账号须绑定手机号后才能继续正常使用。';

export interface BindFormProps {
  onBound: () => void;
  /** A sentence above the form; the law's by default. */
  intro?: string;
}

export function BindForm({ onBound, intro = LAW }: BindFormProps) {
  const sandbox = useQuery(siteQuery).data?.sandbox ?? false;
  const form = usePhoneCode();
  const [working, setWorking] = useState<'send' | 'bind' | null>(null);
  const [taken, setTaken] = useState<PhoneTaken | null>(null);
  const phoneInput = useRef<InputRef>(null);
  // After the dialog has put the focus on its first button.
  useEffect(() => {
    const timer = setTimeout(() => phoneInput.current?.focus(), 60);
    return () => clearTimeout(timer);
  }, []);

  const fail = (error: unknown) => {
    form.fail(error);
    if (!(error instanceof ApiError)) return;
    if (error.code === BOTH_HAVE_DATA) form.tell({ phone: error.message });
    if (error.code === TAKEN) setTaken(takenOf(error.data));
  };
  const bound = async () => {
    toast.done('绑定成功');
    await reloadMe();
    onBound();
  };
  const send = async () => {
    setWorking('send');
    try {
      const key = await withStepUp(() => sendBindCode(form.phone));
      if (key !== null) form.sent(key);
    } catch (error) {
      fail(error);
    }
    setWorking(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!form.isReady() || working) return;
    setWorking('bind');
    try {
      await bindPhone(form.body);
      await bound();
    } catch (error) {
      fail(error);
    }
    setWorking(null);
  };
  const again = () => {
    setTaken(null);
    form.forget();
  };

  if (taken) return <Choice taken={taken} onMerged={bound} onOther={again} />;
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles['intro']}>{intro}</p>
      <PhoneCode
        form={form}
        phoneInput={phoneInput}
        sending={working === 'send'}
        sandbox={sandbox}
        onSend={() => void send()}
      />
      <Button type="primary" size="large" htmlType="submit" block loading={working === 'bind'}>
        确定
      </Button>
    </form>
  );
}

function takenOf(data: unknown): PhoneTaken | null {
  const facts: Partial<PhoneTaken> = typeof data === 'object' && data !== null ? data : {};
  const { nickname = '', keep, ticket } = facts;
  return keep && ticket ? { nickname, keep, ticket } : null;
}

interface ChoiceProps {
  taken: PhoneTaken;
  onMerged: () => Promise<void>;
  onOther: () => void;
}

/** Only an empty account ends in the other, and only after this click. */
function Choice({ taken, onMerged, onOther }: ChoiceProps) {
  const [working, setWorking] = useState(false);
  const merge = async () => {
    setWorking(true);
    try {
      const { sign_in: signIn } = await mergeAccounts(taken.ticket);
      if (signIn) receive(signIn);
      else await onMerged();
    } catch {
      // The reason has been shown; another number may be tried.
      onOther();
    }
    setWorking(false);
  };
  const isTheirs = taken.keep === 'phone';
  return (
    <div>
      <p>
        该手机号属于账号“<b className={styles['name']}>{taken.nickname}</b>”。
      </p>
      <p className={styles['intro']}>
        {isTheirs
          ? '当前账号里还没有数据。可以改用该账号，现在的登录方式会转到它名下，当前账号随之结束。'
          : '该账号里没有数据。可以把手机号转到当前账号，该账号随之结束，当前账号的数据不变。'}
      </p>
      <div className={styles['acts']}>
        <Button onClick={onOther}>换个手机号</Button>
        <Button type="primary" loading={working} onClick={() => void merge()}>
          {isTheirs ? '登录该账号' : '转到当前账号'}
        </Button>
      </div>
    </div>
  );
}
