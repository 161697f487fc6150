/** Alipay: scanned payments (alipay.trade.precreate), with the application's key pair and Alipay's public key. */
import { AlipaySdk } from 'alipay-sdk';
import { fenOf, yuan } from '@hengxi/contracts/price';
import { z } from 'zod';
import { BadBill, alipayBill } from './bill-files.ts';
import { BadSignature, NotAPayment, WrongFacts } from './provider.ts';
import type { PaidFact, PaymentProvider } from './provider.ts';

export interface AlipayKeys {
  appId: string;
  sellerId: string;
  /** PKCS8, without head and foot. */
  privateKey: string;
  alipayPublicKey: string;
  notifyUrl: string;
  /** Overridden by tests only. */
  gateway?: string;
}

const Answer = z.looseObject({
  code: z.string(),
  subCode: z.string().optional(),
});
const Refunded = Answer.extend({ fundChange: z.string().optional(), refundStatus: z.string().optional() });
const Trade = Answer.extend({
  outTradeNo: z.string().optional(),
  tradeNo: z.string().optional(),
  tradeStatus: z.string().optional(),
  totalAmount: z.string().optional(),
  sendPayDate: z.string().optional(),
  buyerUserId: z.string().optional(),
  buyerOpenId: z.string().optional(),
});

const BILL_MAX = 32 * 1024 * 1024;
const payerOf = (payer: string | undefined): { payer?: string } => (payer ? { payer } : {});

const OK = '10000';
const PAID = new Set(['TRADE_SUCCESS', 'TRADE_FINISHED']);

/** 2026-11-21 19:05:00 in China, as Alipay writes instants. */
const chinese = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
function instant(text: string | undefined, fallback: number): Date {
  const at = text ? new Date(`${text.replace(' ', 'T')}+08:00`) : new Date(fallback);
  return Number.isNaN(at.getTime()) ? new Date(fallback) : at;
}

export function createAlipay(keys: AlipayKeys, now: () => number = Date.now): PaymentProvider {
  const { appId, sellerId, notifyUrl } = keys;
  const sdk = new AlipaySdk({
    appId,
    privateKey: keys.privateKey,
    alipayPublicKey: keys.alipayPublicKey,
    keyType: 'PKCS8',
    signType: 'RSA2',
    timeout: 5000,
    camelcase: true,
    ...(keys.gateway ? { gateway: keys.gateway } : {}),
  });

  /** The signature of every answer is checked by the library; an unclear code is unavailability. */
  async function ask(
    method: string,
    bizContent: Record<string, unknown>,
    more: Record<string, string> = {},
  ): Promise<unknown> {
    const answer: unknown = await sdk.exec(method, { ...more, bizContent }, { validateSign: true });
    const { code } = Answer.parse(answer);
    // 20000: the service is not available.
    if (code.startsWith('2')) throw new Error(`Alipay answers ${code}`);
    return answer;
  }

  async function query(orderNo: string): Promise<PaidFact | 'unpaid' | 'unknown'> {
    const trade = Trade.parse(await ask('alipay.trade.query', { out_trade_no: orderNo }));
    // Nobody has scanned the picture yet: the trade does not exist.
    if (trade.subCode === 'ACQ.TRADE_NOT_EXIST') return 'unpaid';
    if (trade.code !== OK) return 'unknown';
    if (!PAID.has(trade.tradeStatus ?? '')) return 'unpaid';
    const amount = fenOf(trade.totalAmount ?? '');
    if (!trade.tradeNo || amount === null || trade.outTradeNo !== orderNo) return 'unknown';
    return {
      provider: 'alipay',
      order_no: orderNo,
      transaction_id: trade.tradeNo,
      amount,
      paid_at: instant(trade.sendPayDate, now()),
      ...payerOf(trade.buyerOpenId || trade.buyerUserId),
    };
  }

  return {
    name: 'alipay',

    async open({ order_no: orderNo, total, title, expires_at: expiresAt }) {
      const biz = {
        out_trade_no: orderNo,
        total_amount: yuan(total),
        subject: title,
        seller_id: sellerId,
        time_expire: chinese(expiresAt),
      };
      const answer = z
        .looseObject({ code: z.string(), qrCode: z.string().optional() })
        .parse(await ask('alipay.trade.precreate', biz, { notifyUrl }));
      if (answer.code !== OK || !answer.qrCode) throw new Error(`Alipay answers ${answer.code}`);
      return { code_url: answer.qrCode };
    },

    query,

    async close(orderNo) {
      const { code, subCode } = Answer.parse(await ask('alipay.trade.close', { out_trade_no: orderNo }));
      if (code === OK || subCode === 'ACQ.TRADE_NOT_EXIST') return 'closed';
      const trade = await query(orderNo);
      if (trade === 'unknown') return 'unknown';
      return trade === 'unpaid' ? 'closed' : 'paid';
    },

    async refund({ order_no: orderNo, refund_no: refundNo, amount }) {
      const of = { out_trade_no: orderNo, out_request_no: refundNo };
      const { code, subCode, fundChange } = Refunded.parse(
        await ask('alipay.trade.refund', { ...of, refund_amount: yuan(amount) }),
      );
      if (code !== OK) return subCode === 'ACQ.SYSTEM_ERROR' ? 'pending' : 'refused';
      // 10000 says that the call was taken. Whether money moved says `fund_change`; N also answers a repetition.
      if (fundChange === 'Y') return 'done';
      const asked = Refunded.parse(await ask('alipay.trade.fastpay.refund.query', of));
      return asked.code === OK && asked.refundStatus === 'REFUND_SUCCESS' ? 'done' : 'pending';
    },

    async bill(day) {
      const answer = Answer.extend({ billDownloadUrl: z.url().optional() }).parse(
        await ask('alipay.data.dataservice.bill.downloadurl.query', { bill_type: 'trade', bill_date: day }),
      );
      // Documented without the prefix, answered with it.
      if (/^(?:is[pv]\.)?bill[_-]not[_-]exist$/i.test(answer.subCode ?? '')) return 'none';
      if (answer.code !== OK || !answer.billDownloadUrl)
        throw new Error(`Alipay answers ${answer.subCode ?? answer.code}`);
      return alipayBill(await download(answer.billDownloadUrl));
    },

    async readNotice(raw) {
      const form = Object.fromEntries(new URLSearchParams(raw.toString('utf8')));
      // The weaker RSA (SHA-1) is not believed, whatever a notice asks for.
      if (form['sign_type'] !== 'RSA2' || !isSigned(form)) throw new BadSignature('signature');
      const amount = fenOf(form['total_amount'] ?? '');
      const fact = {
        provider: 'alipay' as const,
        order_no: form['out_trade_no'] ?? '',
        transaction_id: form['trade_no'] ?? '',
        paid_at: instant(form['gmt_payment'], now()),
        ...payerOf(form['buyer_open_id'] || form['buyer_id']),
      };
      if (form['refund_fee'] !== undefined || form['gmt_refund'] !== undefined) throw new NotAPayment('refund');
      if (!PAID.has(form['trade_status'] ?? '')) throw new NotAPayment(form['trade_status'] ?? '');
      if (form['app_id'] !== appId || form['seller_id'] !== sellerId)
        throw new WrongFacts('merchant', { ...fact, ...(amount === null ? {} : { amount }) });
      if (amount === null || !fact.transaction_id) throw new WrongFacts('amount', fact);
      return { ...fact, amount };
    },

    answer: (ok) => ({ status: 200, type: 'text/plain; charset=utf-8', body: ok ? 'success' : 'failure' }),
  };

  /** The address stood in a signed answer and is good for thirty seconds; only hosts of Alipay are asked. */
  async function download(address: string): Promise<Uint8Array> {
    const url = new URL(address);
    const isTheirs = url.hostname === 'alipay.com' || url.hostname.endsWith('.alipay.com');
    if (!isTheirs && url.origin !== (keys.gateway && new URL(keys.gateway).origin)) throw new BadBill('address');
    if (isTheirs) url.protocol = 'https:';
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(30_000) });
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > BILL_MAX) throw new BadBill('download');
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > BILL_MAX) throw new BadBill('too large');
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  function isSigned(form: Record<string, string>): boolean {
    try {
      return sdk.checkNotifySignV2(form);
    } catch {
      return false;
    }
  }
}
