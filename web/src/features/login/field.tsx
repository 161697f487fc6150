/** A labelled field with its fault beneath, and the pair of code field and send button that three forms share. */
import { Button, Input, type InputRef } from 'antd';
import type { ReactNode, Ref } from 'react';

import styles from './phone-form.module.css';
import { CODE_DIGITS, onlyDigits, PHONE_DIGITS } from './rules.ts';

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

interface PhoneFieldProps {
  id: string;
  value: string;
  fault: string | null;
  onChange: (phone: string) => void;
  onFocus: () => void;
  onBlur: () => void;
  input?: Ref<InputRef>;
}

export function PhoneField({ id, value, fault, onChange, onFocus, onBlur, input }: PhoneFieldProps) {
  return (
    <Field id={id} label="手机号" fault={fault}>
      <Input
        ref={input ?? null}
        id={id}
        size="large"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        placeholder="请输入手机号"
        value={value}
        status={fault ? 'error' : ''}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        onChange={(event) => onChange(onlyDigits(event.target.value, PHONE_DIGITS))}
        onFocus={onFocus}
        onBlur={onBlur}
      />
    </Field>
  );
}

interface CodeFieldProps {
  id: string;
  value: string;
  fault: string | null;
  /** Seconds until another code may be asked for. */
  left: number;
  canSend: boolean;
  sending: boolean;
  onChange: (code: string) => void;
  /** Focusing the field clears its fault. */
  onFocus: () => void;
  onSend: () => void;
  input: Ref<InputRef>;
}

export function CodeField(props: CodeFieldProps) {
  const { id, value, fault, left, canSend, sending, onChange, onFocus, onSend, input } = props;
  return (
    <Field id={id} label="验证码" fault={fault} hint="十分钟内有效">
      <div className={styles['code']}>
        <Input
          ref={input}
          id={id}
          size="large"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="6 位验证码"
          value={value}
          status={fault ? 'error' : ''}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-fault`}
          onChange={(event) => onChange(onlyDigits(event.target.value, CODE_DIGITS))}
          onFocus={onFocus}
        />
        <Button size="large" disabled={!canSend || left > 0} loading={sending} onClick={onSend}>
          {left > 0 ? `重新发送(${left})` : '发送验证码'}
        </Button>
      </div>
    </Field>
  );
}

/** Nothing is sent in the sandbox; whoever tries the product must be told where the code is. */
export function SandboxHint({ phone }: { phone: string | null }) {
  return (
    <p className={styles['sandbox']}>
      <b>沙箱</b> 短信不会真的发出，
      <a href={phone === null ? '/sandbox/sms' : `/sandbox/sms?phone=${phone}`} target="_blank" rel="noreferrer">
        在这里看验证码
      </a>
    </p>
  );
}
