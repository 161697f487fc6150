/** Phone number, captcha, six digits. Errors stand at the field they are about. */
import type { CaptchaTicket, SignIn } from '@hengxi/server/accounts/schema';
import { Button } from 'antd';
import { type FormEvent, useState } from 'react';

import styles from './phone-form.module.css';
import { PhoneCode, usePhoneCode } from './phone-code.tsx';
import { sendCode, signInByPhone } from './queries.ts';
import { Slider } from './slider.tsx';
import { solveTencent } from '../../lib/tencent-captcha.ts';

export interface PhoneFormProps {
  sandbox: boolean;
  /** Number of the application at the captcha provider; null for our own slider. */
  captchaApp?: string | null;
  onSignedIn: (answer: SignIn) => void;
}

export function PhoneForm({ sandbox, captchaApp = null, onSignedIn }: PhoneFormProps) {
  const form = usePhoneCode();
  const [puzzle, setPuzzle] = useState(false);
  const [working, setWorking] = useState<'send' | 'login' | null>(null);

  const send = async (ticket: CaptchaTicket | null) => {
    setPuzzle(false);
    setWorking('send');
    try {
      form.sent(await sendCode(form.phone, ticket));
    } catch (error) {
      form.fail(error);
    }
    setWorking(null);
  };
  const begin = async () => {
    if (captchaApp === null) {
      setPuzzle(true);
      return;
    }
    const solved = await solveTencent(captchaApp);
    if (solved !== 'closed') await send(solved);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!form.isReady() || working) return;
    setWorking('login');
    try {
      onSignedIn(await signInByPhone(form.body));
    } catch (error) {
      form.fail(error);
    }
    setWorking(null);
  };

  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
      <PhoneCode form={form} sending={working === 'send'} sandbox={sandbox} onSend={() => void begin()}>
        {puzzle ? <Slider onPass={(ticket) => void send(ticket)} onCancel={() => setPuzzle(false)} /> : null}
      </PhoneCode>
      <Button type="primary" size="large" htmlType="submit" block loading={working === 'login'}>
        登录
      </Button>
    </form>
  );
}
