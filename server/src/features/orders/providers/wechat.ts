/** WeChat Pay, APIv3, native (scanned) payments, with the platform's public key instead of certificates. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Aes, Decorator, Formatter, Rsa } from 'wechatpay-axios-plugin';
import { z } from 'zod';
import { BadBill, wechatBill } from './bill-files.ts';
import { BadSignature, NotAPayment, ProviderBusy, WrongFacts } from './provider.ts';
import type { PaidFact, PaymentProvider } from './provider.ts';

export interface WechatKeys {
  mchid: string;
  appid: string;
  /** Serial number of the merchant's certificate and its private key (PEM). */
  serial: string;
  privateKey: string;
  /** `PUB_KEY_ID_…` and the platform's public key (PEM). */
  publicKeyId: string;
  publicKey: string;
  /** APIv3 key, 32 characters: opens what notices hold. */
  secret: string;
  /** Where notices are sent. */
  notifyUrl: string;
  /** Overridden by tests only. */
  api?: string;
}

const AGE_SECONDS = 300;
const API = 'https://api.mch.weixin.qq.com/';

const Notice = z.looseObject({
  event_type: z.string(),
  resource: z.looseObject({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string(),
    associated_data: z.string().default(''),
    nonce: z.string(),
  }),
});

const Trade = z.looseObject({
  appid: z.string().optional(),
  mchid: z.string().optional(),
  out_trade_no: z.string(),
  transaction_id: z.string().optional(),
  trade_state: z.string(),
  success_time: z.string().optional(),
  amount: z.looseObject({ total: z.number().int(), currency: z.string().optional() }).optional(),
  payer: z.looseObject({ openid: z.string().optional() }).optional(),
});
type Trade = z.infer<typeof Trade>;

const Failure = z.looseObject({ response: z.looseObject({ status: z.number(), data: z.unknown() }) });
const Refund = z.looseObject({ status: z.string() });
const Code = z.looseObject({ response: z.looseObject({ data: z.looseObject({ code: z.string() }) }) });
const Bill = z.looseObject({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() });
const BILL_MAX = 32 * 1024 * 1024;

/** RFC 3339 with the offset of China, as the API wants it. */
const rfc3339 = (at: Date): string => `${new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`;

export function createWechat(keys: WechatKeys, now: () => number = Date.now): PaymentProvider {
  const { mchid, appid, serial, publicKeyId, secret, notifyUrl } = keys;
  const publicKey = Rsa.from(keys.publicKey, Rsa.KEY_TYPE_PUBLIC);
  const client = new Decorator({
    mchid,
    serial,
    privateKey: keys.privateKey,
    certs: { [publicKeyId]: publicKey },
    secret,
    timeout: 5000,
    maxRedirects: 0,
    ...(keys.api ? { baseURL: keys.api } : {}),
  });

  async function ask(
    method: 'get' | 'post',
    path: string,
    body?: unknown,
    params?: Record<string, string>,
  ): Promise<unknown> {
    const answer: unknown = await client.request(path, method, body, params ? { params } : {});
    return z.looseObject({ data: z.unknown() }).parse(answer).data;
  }

  /** The status of a clear refusal; anything else that is thrown is unavailability. */
  function refusal(error: unknown): number | null {
    const status = Failure.safeParse(error).data?.response.status;
    return status !== undefined && status >= 400 && status < 500 && status !== 429 ? status : null;
  }

  function factOf(trade: Trade): PaidFact {
    const { out_trade_no: orderNo, transaction_id: transactionId, success_time: at, amount } = trade;
    const fact = {
      provider: 'wechat' as const,
      order_no: orderNo,
      ...(transactionId ? { transaction_id: transactionId } : {}),
      ...(amount ? { amount: amount.total } : {}),
      paid_at: at ? new Date(at) : new Date(now()),
      ...(trade.payer?.openid ? { payer: trade.payer.openid } : {}),
    };
    if (!transactionId || !amount) throw new WrongFacts('no transaction', fact);
    if (trade.mchid !== mchid || trade.appid !== appid) throw new WrongFacts('merchant', fact);
    if ((amount.currency ?? 'CNY') !== 'CNY') throw new WrongFacts('currency', fact);
    return { ...fact, transaction_id: transactionId, amount: amount.total };
  }

  async function query(orderNo: string): Promise<PaidFact | 'unpaid' | 'unknown'> {
    try {
      const path = `v3/pay/transactions/out-trade-no/${orderNo}`;
      const trade = Trade.parse(await ask('get', path, undefined, { mchid }));
      if (trade.trade_state === 'SUCCESS' || trade.trade_state === 'REFUND') return factOf(trade);
      return trade.trade_state === 'USERPAYING' ? 'unknown' : 'unpaid';
    } catch (error) {
      if (refusal(error) === 404) return 'unpaid';
      throw error;
    }
  }

  function verify(raw: string, headers: IncomingHttpHeaders): void {
    const of = (name: string): string => [headers[`wechatpay-${name}`]].flat()[0] ?? '';
    const timestamp = Number(of('timestamp'));
    if (!Number.isInteger(timestamp) || Math.abs(now() / 1000 - timestamp) > AGE_SECONDS) throw new BadSignature('age');
    if (of('serial') !== publicKeyId) throw new BadSignature('serial');
    const message = Formatter.response(of('timestamp'), of('nonce'), raw);
    if (!isSigned(message, of('signature'))) throw new BadSignature('signature');
  }

  function isSigned(message: string, signature: string): boolean {
    try {
      return Rsa.verify(message, signature, publicKey);
    } catch {
      return false;
    }
  }

  return {
    name: 'wechat',

    async open({ order_no: orderNo, total, title, expires_at: expiresAt }) {
      const answer = await ask('post', 'v3/pay/transactions/native', {
        appid,
        mchid,
        description: title.slice(0, 40),
        out_trade_no: orderNo,
        time_expire: rfc3339(expiresAt),
        notify_url: notifyUrl,
        amount: { total, currency: 'CNY' },
      });
      return z.looseObject({ code_url: z.string().min(1) }).parse(answer);
    },

    query,

    async close(orderNo) {
      try {
        await ask('post', `v3/pay/transactions/out-trade-no/${orderNo}/close`, { mchid });
        return 'closed';
      } catch (error) {
        if (refusal(error) === null) throw error;
        // Refused because it is paid, being paid, or not known at all: the query tells which.
        const trade = await query(orderNo);
        if (trade === 'unknown') return 'unknown';
        return trade === 'unpaid' ? 'closed' : 'paid';
      }
    },

    async refund({ order_no: orderNo, refund_no: refundNo, total, amount }) {
      try {
        const { status } = Refund.parse(
          await ask('post', 'v3/refund/domestic/refunds', {
            out_trade_no: orderNo,
            out_refund_no: refundNo,
            amount: { refund: amount, total, currency: 'CNY' },
          }),
        );
        if (status === 'SUCCESS') return 'done';
        return status === 'PROCESSING' ? 'pending' : 'refused';
      } catch (error) {
        if (refusal(error) !== null) return 'refused';
        throw error;
      }
    },

    async bill(day) {
      try {
        const params = { bill_date: day, bill_type: 'ALL' };
        const told = Bill.parse(await ask('get', 'v3/bill/tradebill', undefined, params));
        const bytes = await download(told.download_url);
        if (createHash('sha1').update(bytes).digest('hex') !== told.hash_value.toLowerCase()) throw new BadBill('hash');
        return wechatBill(bytes.toString('utf8'));
      } catch (error) {
        const code = Code.safeParse(error).data?.response.data.code;
        if (code === 'NO_STATEMENT_EXIST') return 'none';
        if (code === 'STATEMENT_CREATING') return 'later';
        throw error;
      }
    },

    async readNotice(raw, headers) {
      const text = raw.toString('utf8');
      verify(text, headers);
      const notice = Notice.safeParse(parse(text));
      if (!notice.success) throw new BadSignature('shape');
      if (notice.data.event_type !== 'TRANSACTION.SUCCESS') throw new NotAPayment(notice.data.event_type);
      const { ciphertext, nonce, associated_data: aad } = notice.data.resource;
      const trade = Trade.safeParse(parse(opened(ciphertext, nonce, aad)));
      if (!trade.success) throw new BadSignature('content');
      if (trade.data.trade_state !== 'SUCCESS') throw new NotAPayment(trade.data.trade_state);
      return factOf(trade.data);
    },

    answer: (ok) =>
      ok
        ? { status: 204, type: 'application/json', body: '' }
        : { status: 500, type: 'application/json', body: JSON.stringify({ code: 'FAIL', message: '处理失败' }) },
  };

  /** The file itself carries no signature; its digest stood in an answer that did. Only WeChat's own host is asked. */
  async function download(address: string): Promise<Buffer> {
    const { origin, pathname, searchParams } = new URL(address);
    if (origin !== new URL(keys.api ?? API).origin || pathname !== '/v3/billdownload/file')
      throw new BadBill('address');
    const answer: unknown = await client.request(pathname.slice(1), 'get', undefined, {
      params: Object.fromEntries(searchParams),
      responseType: 'arraybuffer',
      maxContentLength: BILL_MAX,
      timeout: 30_000,
    });
    return z.looseObject({ data: z.instanceof(Buffer) }).parse(answer).data;
  }

  function opened(ciphertext: string, nonce: string, aad: string): string {
    try {
      return Aes.AesGcm.decrypt(ciphertext, secret, nonce, aad);
    } catch {
      throw new BadSignature('cipher');
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderBusy('not JSON');
  }
}
