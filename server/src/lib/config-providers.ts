/** Configuration of the providers of messages, captchas and sign-in: which one serves, and its keys. */
import { z } from 'zod';

const optional = z
  .string()
  .optional()
  .transform((value) => value?.trim() || null);
const choice = <const T extends string>(...values: [T, ...T[]]) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.enum(values).optional());

export const ProviderEnvironment = z.object({
  HENGXI_SMS: choice('sandbox', 'aliyun', 'tencent'),
  HENGXI_ALIYUN_KEY_ID: optional,
  HENGXI_ALIYUN_KEY_SECRET: optional,
  HENGXI_ALIYUN_SMS_SIGN: optional,
  /** Templates with the parameter `code`, and (optional) one with `text` for notices. */
  HENGXI_ALIYUN_SMS_TEMPLATE: optional,
  HENGXI_ALIYUN_SMS_NOTICE: optional,
  HENGXI_TENCENT_SECRET_ID: optional,
  HENGXI_TENCENT_SECRET_KEY: optional,
  HENGXI_TENCENT_SMS_APP: optional,
  HENGXI_TENCENT_SMS_SIGN: optional,
  HENGXI_TENCENT_SMS_TEMPLATE: optional,
  HENGXI_TENCENT_SMS_NOTICE: optional,
  /** `slider` is our own puzzle, good for production too. */
  HENGXI_CAPTCHA: choice('slider', 'tencent'),
  HENGXI_TENCENT_CAPTCHA_APP: optional,
  HENGXI_TENCENT_CAPTCHA_KEY: optional,
  HENGXI_WECHAT: choice('sandbox', 'off', 'open'),
  HENGXI_WECHAT_APPID: optional,
  HENGXI_WECHAT_SECRET: optional,
  HENGXI_RESEARCH: choice('sandbox', 'off', 'on'),
  /** Sign-in page of the research platform, and the address that confirms an openid. */
  HENGXI_RESEARCH_URL: optional,
  HENGXI_RESEARCH_VERIFY_URL: optional,
  HENGXI_RESEARCH_APPID: optional,
  HENGXI_RESEARCH_SECRET: optional,
  HENGXI_ACADEMIC: choice('sandbox', 'off', 'on'),
  HENGXI_ACADEMIC_KEY: optional,
  HENGXI_ACADEMIC_SECRET: optional,
  /** Who writes AI readings: `on` is any service that speaks OpenAI's chat completions; `off` leaves the rules. */
  HENGXI_AI: choice('sandbox', 'off', 'on'),
  HENGXI_AI_URL: optional,
  HENGXI_AI_KEY: optional,
  HENGXI_AI_MODEL: optional,
});

type Values = z.infer<typeof ProviderEnvironment>;

export interface TencentKeys {
  secretId: string;
  secretKey: string;
}

/** Addresses can be overridden by tests only; they are no part of the environment. */
export interface Providers {
  sms:
    | { kind: 'sandbox' }
    | {
        kind: 'aliyun';
        keyId: string;
        keySecret: string;
        sign: string;
        template: string;
        notice: string | null;
        endpoint?: string;
      }
    | (TencentKeys & {
        kind: 'tencent';
        app: string;
        sign: string;
        template: string;
        notice: string | null;
        endpoint?: string;
      });
  captcha: { kind: 'slider' } | (TencentKeys & { kind: 'tencent'; app: string; key: string; endpoint?: string });
  wechat: { kind: 'sandbox' | 'off' } | { kind: 'open'; appid: string; secret: string; api?: string };
  research:
    { kind: 'sandbox' | 'off' } | { kind: 'on'; url: string; verifyUrl: string | null; appid: string; secret: string };
  academic: { kind: 'sandbox' | 'off' } | { kind: 'on'; key: string; secret: string; api?: string };
  ai: { kind: 'sandbox' | 'off' } | { kind: 'on'; url: string; key: string; model: string };
}

/** `faults` collects sentences for the operator; the values are only of use when there are none. */
export function readProviders(values: Values, isProduction: boolean, faults: string[]): Providers {
  const need = (name: keyof Values): string => {
    const value = values[name];
    if (!value) faults.push(name);
    return value ?? '';
  };
  const tencent = (): TencentKeys => ({
    secretId: need('HENGXI_TENCENT_SECRET_ID'),
    secretKey: need('HENGXI_TENCENT_SECRET_KEY'),
  });
  return {
    sms: readSms(),
    captcha:
      values.HENGXI_CAPTCHA === 'tencent'
        ? {
            kind: 'tencent',
            ...tencent(),
            app: need('HENGXI_TENCENT_CAPTCHA_APP'),
            key: need('HENGXI_TENCENT_CAPTCHA_KEY'),
          }
        : { kind: 'slider' },
    wechat:
      values.HENGXI_WECHAT === 'open'
        ? { kind: 'open', appid: need('HENGXI_WECHAT_APPID'), secret: need('HENGXI_WECHAT_SECRET') }
        : { kind: sandboxOrOff('HENGXI_WECHAT', '沙箱微信登录') },
    research:
      values.HENGXI_RESEARCH === 'on'
        ? {
            kind: 'on',
            url: need('HENGXI_RESEARCH_URL'),
            verifyUrl: values.HENGXI_RESEARCH_VERIFY_URL,
            appid: need('HENGXI_RESEARCH_APPID'),
            secret: need('HENGXI_RESEARCH_SECRET'),
          }
        : { kind: sandboxOrOff('HENGXI_RESEARCH', '沙箱科研平台登录') },
    academic:
      values.HENGXI_ACADEMIC === 'on'
        ? { kind: 'on', key: need('HENGXI_ACADEMIC_KEY'), secret: need('HENGXI_ACADEMIC_SECRET') }
        : { kind: sandboxOrOff('HENGXI_ACADEMIC', '沙箱学术搜索登录') },
    ai:
      values.HENGXI_AI === 'on'
        ? { kind: 'on', url: need('HENGXI_AI_URL'), key: need('HENGXI_AI_KEY'), model: need('HENGXI_AI_MODEL') }
        : { kind: sandboxOrOff('HENGXI_AI', '沙箱模型') },
  };

  /** A way in that nobody configured is off in production and a sandbox elsewhere. */
  function sandboxOrOff(
    name: 'HENGXI_WECHAT' | 'HENGXI_RESEARCH' | 'HENGXI_ACADEMIC' | 'HENGXI_AI',
    title: string,
  ): 'sandbox' | 'off' {
    if (isProduction && values[name] === 'sandbox') faults.push(`${name}（${title}不能用于生产环境）`);
    return values[name] === 'off' || isProduction ? 'off' : 'sandbox';
  }

  function readSms(): Providers['sms'] {
    const kind = values.HENGXI_SMS ?? 'sandbox';
    if (kind === 'aliyun')
      return {
        kind,
        keyId: need('HENGXI_ALIYUN_KEY_ID'),
        keySecret: need('HENGXI_ALIYUN_KEY_SECRET'),
        sign: need('HENGXI_ALIYUN_SMS_SIGN'),
        template: need('HENGXI_ALIYUN_SMS_TEMPLATE'),
        notice: values.HENGXI_ALIYUN_SMS_NOTICE,
      };
    if (kind === 'tencent')
      return {
        kind,
        ...tencent(),
        app: need('HENGXI_TENCENT_SMS_APP'),
        sign: need('HENGXI_TENCENT_SMS_SIGN'),
        template: need('HENGXI_TENCENT_SMS_TEMPLATE'),
        notice: values.HENGXI_TENCENT_SMS_NOTICE,
      };
    if (isProduction) faults.push('HENGXI_SMS（沙箱短信不能用于生产环境）');
    return { kind: 'sandbox' };
  }
}
