/** Phone number, slider, six digits. Errors stand at the field they are about. */
import type { CaptchaTicket, SignIn } from '@hengxi/server/accounts/schema';
import { Button, Input, type InputRef } from 'antd';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';

import { useCountdown } from './countdown.ts';
import styles from './phone-form.module.css';
import { sendCode, signInByPhone } from './queries.ts';
import { CODE_DIGITS, codeFault, faultOf, onlyDigits, PHONE_DIGITS, phoneFault, RESEND_SECONDS } from './rules.ts';
import { Slider } from './slider.tsx';

interface Faults {
  phone: string | null;
  code: string | null;
}

export function PhoneForm({ sandbox, onSignedIn }: { sandbox: boolean; onSignedIn: (answer: SignIn) => void }) {
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
      <Field id={`${id}-phone`} label="手机号" fault={faults.phone}>
        <Input
          id={`${id}-phone`}
          size="large"
          type="tel"
          inputMode="numeric"
          autoComplete="tel-national"
          placeholder="请输入手机号"
          value={phone}
          status={faults.phone ? 'error' : ''}
          aria-invalid={faults.phone !== null}
          aria-describedby={`${id}-phone-fault`}
          onChange={(event) => setPhone(onlyDigits(event.target.value, PHONE_DIGITS))}
          onFocus={() => setFaults((old) => ({ ...old, phone: null }))}
          onBlur={() => setFaults((old) => ({ ...old, phone: phoneFault(phone) }))}
        />
      </Field>
      {puzzle ? <Slider onPass={(ticket) => void send(ticket)} onCancel={() => setPuzzle(false)} /> : null}
      <Field id={`${id}-code`} label="验证码" fault={faults.code} hint="十分钟内有效">
        <div className={styles['code']}>
          <Input
            ref={codeInput}
            id={`${id}-code`}
            size="large"
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="6 位验证码"
            value={code}
            status={faults.code ? 'error' : ''}
            aria-invalid={faults.code !== null}
            aria-describedby={`${id}-code-fault`}
            onChange={(event) => setCode(onlyDigits(event.target.value, CODE_DIGITS))}
            onFocus={() => setFaults((old) => ({ ...old, code: null }))}
          />
          <Button
            size="large"
            disabled={phone.length < PHONE_DIGITS || left > 0}
            loading={working === 'send'}
            onClick={() => setPuzzle(true)}
          >
            {left > 0 ? `重新发送(${left})` : '发送验证码'}
          </Button>
        </div>
      </Field>
      {sandbox && verifyKey ? <SandboxHint phone={phone} /> : null}
      <Button type="primary" size="large" htmlType="submit" block loading={working === 'login'}>
        登录
      </Button>
    </form>
  );
}

interface FieldProps {
  id: string;
  label: string;
  fault: string | null;
  hint?: string;
  children: ReactNode;
}

function Field({ id, label, fault, hint, children }: FieldProps) {
  return (
    <div>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {children}
      <p id={`${id}-fault`} className={styles['fault']} role={fault ? 'alert' : undefined} data-bad={fault !== null}>
        {fault ?? hint ?? ''}
      </p>
    </div>
  );
}

/** Nothing is sent in the sandbox; whoever tries the product must be told where the code is. */
function SandboxHint({ phone }: { phone: string }) {
  return (
    <p className={styles['sandbox']}>
      <b>沙箱</b> 短信不会真的发出，
      <a href={`/sandbox/sms?phone=${phone}`} target="_blank" rel="noreferrer">
        在这里看验证码
      </a>
    </p>
  );
}
