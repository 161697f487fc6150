/** Phone number, captcha, six digits. Errors stand at the field they are about. */
import type { CaptchaTicket, SignIn } from '@hengxi/server/accounts/schema';
import { Button, type InputRef } from 'antd';
import { type FormEvent, useId, useRef, useState } from 'react';

import { useCountdown } from './countdown.ts';
import { CodeField, PhoneField, SandboxHint } from './field.tsx';
import styles from './phone-form.module.css';
import { sendCode, signInByPhone } from './queries.ts';
import { codeFault, faultOf, PHONE_DIGITS, phoneFault, RESEND_SECONDS } from './rules.ts';
import { Slider } from './slider.tsx';
import { solveTencent } from './tencent-captcha.ts';

interface Faults {
  phone: string | null;
  code: string | null;
}

export interface PhoneFormProps {
  sandbox: boolean;
  /** Number of the application at the captcha provider; null for our own slider. */
  captchaApp?: string | null;
  onSignedIn: (answer: SignIn) => void;
}

export function PhoneForm({ sandbox, captchaApp = null, onSignedIn }: PhoneFormProps) {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [faults, setFaults] = useState<Faults>({ phone: null, code: null });
  const [verifyKey, setVerifyKey] = useState('');
  const [puzzle, setPuzzle] = useState(false);
  const [working, setWorking] = useState<'send' | 'login' | null>(null);
  const { left, start } = useCountdown(RESEND_SECONDS);
  const codeInput = useRef<InputRef>(null);
  const id = useId();

  const fail = (error: unknown) => {
    const fault = faultOf(error);
    if (fault) setFaults((old) => ({ ...old, [fault.field]: fault.text }));
  };
  const send = async (ticket: CaptchaTicket | null) => {
    setPuzzle(false);
    setWorking('send');
    try {
      setVerifyKey(await sendCode(phone, ticket));
      setFaults({ phone: null, code: null });
      start();
      codeInput.current?.focus();
    } catch (error) {
      fail(error);
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
    const found: Faults = { phone: phoneFault(phone), code: codeFault(code) };
    setFaults(found);
    if (found.phone || found.code || working) return;
    setWorking('login');
    try {
      onSignedIn(await signInByPhone({ phone, verify_code: code, verify_key: verifyKey }));
    } catch (error) {
      fail(error);
    }
    setWorking(null);
  };

  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
      <PhoneField
        id={`${id}-phone`}
        value={phone}
        fault={faults.phone}
        onChange={setPhone}
        onFocus={() => setFaults((old) => ({ ...old, phone: null }))}
        onBlur={() => setFaults((old) => ({ ...old, phone: phoneFault(phone) }))}
      />
      {puzzle ? <Slider onPass={(ticket) => void send(ticket)} onCancel={() => setPuzzle(false)} /> : null}
      <CodeField
        id={`${id}-code`}
        input={codeInput}
        value={code}
        fault={faults.code}
        left={left}
        canSend={phone.length >= PHONE_DIGITS}
        sending={working === 'send'}
        onChange={setCode}
        onFocus={() => setFaults((old) => ({ ...old, code: null }))}
        onSend={() => void begin()}
      />
      {sandbox && verifyKey ? <SandboxHint phone={phone} /> : null}
      <Button type="primary" size="large" htmlType="submit" block loading={working === 'login'}>
        登录
      </Button>
    </form>
  );
}
