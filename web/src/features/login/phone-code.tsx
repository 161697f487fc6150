/** Phone number and six digits, as signing in and binding ask for them. Errors stand at the field they are about. */
import type { InputRef } from 'antd';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';

import { useCountdown } from './countdown.ts';
import { CodeField, PhoneField, SandboxHint } from './field.tsx';
import { codeFault, faultOf, PHONE_DIGITS, phoneFault, RESEND_SECONDS } from './rules.ts';

interface Faults {
  phone: string | null;
  code: string | null;
}
const NO_FAULTS: Faults = { phone: null, code: null };

export function usePhoneCode() {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [verifyKey, setVerifyKey] = useState('');
  const { left, start } = useCountdown(RESEND_SECONDS);
  const codeInput = useRef<InputRef>(null);
  const tell = (fault: Partial<Faults>) => setFaults((old) => ({ ...old, ...fault }));

  return {
    phone,
    code,
    faults,
    left,
    codeInput,
    setPhone,
    setCode,
    tell,
    wasSent: verifyKey !== '',
    body: { phone, verify_code: code, verify_key: verifyKey },
    /** An answer about one of the two stands at its field. */
    fail: (error: unknown) => {
      const fault = faultOf(error);
      if (fault) tell({ [fault.field]: fault.text });
    },
    sent: (key: string) => {
      setVerifyKey(key);
      setFaults(NO_FAULTS);
      start();
      codeInput.current?.focus();
    },
    forget: () => {
      setCode('');
      setVerifyKey('');
    },
    /** Whether both can be sent; what is missing is told. */
    isReady: (): boolean => {
      const found = { phone: phoneFault(phone), code: codeFault(code) };
      setFaults(found);
      return !found.phone && !found.code;
    },
  };
}

interface Props {
  form: ReturnType<typeof usePhoneCode>;
  phoneInput?: RefObject<InputRef | null>;
  sending: boolean;
  sandbox: boolean;
  onSend: () => void;
  /** Between the two fields. */
  children?: ReactNode;
}

export function PhoneCode({ form, phoneInput, sending, sandbox, onSend, children }: Props) {
  const { phone, code, faults, left, codeInput, setPhone, setCode, tell, wasSent } = form;
  const id = useId();
  return (
    <>
      <PhoneField
        id={`${id}-phone`}
        {...(phoneInput ? { input: phoneInput } : {})}
        value={phone}
        fault={faults.phone}
        onChange={setPhone}
        onFocus={() => tell({ phone: null })}
        onBlur={() => tell({ phone: phoneFault(phone) })}
      />
      {children}
      <CodeField
        id={`${id}-code`}
        input={codeInput}
        value={code}
        fault={faults.code}
        left={left}
        canSend={phone.length >= PHONE_DIGITS}
        sending={sending}
        onChange={setCode}
        onFocus={() => tell({ code: null })}
        onSend={onSend}
      />
      {sandbox && wasSent ? <SandboxHint phone={phone} /> : null}
    </>
  );
}
