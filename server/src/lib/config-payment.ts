/** Configuration of payment: keys of WeChat Pay and Alipay. Without either the sandbox serves, in production nobody. */
import { z } from 'zod';

const optional = z
  .string()
  .optional()
  .transform((value) => value?.trim() || null);

export const PaymentEnvironment = z.object({
  HENGXI_WECHATPAY_MCHID: optional,
  HENGXI_WECHATPAY_APPID: optional,
  /** Serial number of the merchant's certificate; its private key (PEM, best by `_FILE`). */
  HENGXI_WECHATPAY_SERIAL: optional,
  HENGXI_WECHATPAY_PRIVATE_KEY: optional,
  /** `PUB_KEY_ID_…` and the platform's public key (PEM). */
  HENGXI_WECHATPAY_PUBLIC_KEY_ID: optional,
  HENGXI_WECHATPAY_PUBLIC_KEY: optional,
  /** APIv3 key of 32 characters. */
  HENGXI_WECHATPAY_SECRET: optional,
  HENGXI_ALIPAY_APPID: optional,
  HENGXI_ALIPAY_SELLER_ID: optional,
  /** PKCS8 and public key, base64 without head and foot. */
  HENGXI_ALIPAY_PRIVATE_KEY: optional,
  HENGXI_ALIPAY_PUBLIC_KEY: optional,
});

type Values = z.infer<typeof PaymentEnvironment>;

export interface PaymentKeys {
  wechat: {
    mchid: string;
    appid: string;
    serial: string;
    privateKey: string;
    publicKeyId: string;
    publicKey: string;
    secret: string;
  } | null;
  alipay: { appId: string; sellerId: string; privateKey: string; alipayPublicKey: string } | null;
}

/** A provider is on when any of its names is set, and then needs all; `faults` collects what is missing. */
export function readPaymentKeys(values: Values, faults: string[]): PaymentKeys {
  const isSet = (prefix: string): boolean =>
    Object.entries(values).some(([name, value]) => name.startsWith(prefix) && value !== null);
  const need = (name: keyof Values): string => {
    const value = values[name];
    if (!value) faults.push(name);
    return value ?? '';
  };
  const wechat = isSet('HENGXI_WECHATPAY_')
    ? {
        mchid: need('HENGXI_WECHATPAY_MCHID'),
        appid: need('HENGXI_WECHATPAY_APPID'),
        serial: need('HENGXI_WECHATPAY_SERIAL'),
        privateKey: need('HENGXI_WECHATPAY_PRIVATE_KEY'),
        publicKeyId: need('HENGXI_WECHATPAY_PUBLIC_KEY_ID'),
        publicKey: need('HENGXI_WECHATPAY_PUBLIC_KEY'),
        secret: need('HENGXI_WECHATPAY_SECRET'),
      }
    : null;
  if (wechat && wechat.secret.length !== 32) faults.push('HENGXI_WECHATPAY_SECRET（须为 32 个字符）');
  const alipay = isSet('HENGXI_ALIPAY_')
    ? {
        appId: need('HENGXI_ALIPAY_APPID'),
        sellerId: need('HENGXI_ALIPAY_SELLER_ID'),
        privateKey: need('HENGXI_ALIPAY_PRIVATE_KEY'),
        alipayPublicKey: need('HENGXI_ALIPAY_PUBLIC_KEY'),
      }
    : null;
  return { wechat, alipay };
}
