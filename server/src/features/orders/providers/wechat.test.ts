/** The real client against a provider of our own making: same protocol, same signatures, no network outside. */
import { createCipheriv, createHash, createVerify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ASKED, ORDER, ours, sign, standIn, theirs } from '../../../testing/pay-provider.ts';
import { createWechat } from './wechat.ts';
import { BadSignature, NotAPayment, WrongFacts } from './provider.ts';
import type { PaymentProvider } from './provider.ts';

const stand = standIn();

describe('WeChat Pay', () => {
  const SECRET = 'k'.repeat(32);
  const NOW = Date.now();
  const stamp = String(Math.floor(NOW / 1000));
  const make = (): PaymentProvider =>
    createWechat({
      mchid: '1230000109',
      appid: 'wx8888888888888888',
      serial: '5157F09EFDC096DE15EBE81A47057A72',
      privateKey: ours.privateKey,
      publicKeyId: 'PUB_KEY_ID_0000000000000001',
      publicKey: theirs.publicKey,
      secret: SECRET,
      notifyUrl: 'https://hengxi.example/v1/payments/notify/wechat',
      api: stand.origin,
    });
  const headersFor = (body: string, parts: Record<string, string> = {}): Record<string, string> => {
    const timestamp = parts['timestamp'] ?? String(Math.floor(Date.now() / 1000));
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': 'nonce',
      'wechatpay-serial': parts['serial'] ?? 'PUB_KEY_ID_0000000000000001',
      'wechatpay-signature': parts['signature'] ?? sign(`${timestamp}\nnonce\n${body}\n`),
    };
  };
  const answers = (body: unknown, status = 200) => {
    const text = status === 204 ? '' : JSON.stringify(body);
    stand.answer = () => ({ status, body: text, headers: headersFor(text) });
  };

  test('opens a native order, signed with our key, and believes only an answer signed with theirs', async () => {
    answers({ code_url: 'weixin://wxpay/bizpayurl?pr=abc' });
    expect(await make().open(ASKED)).toMatchObject({ code_url: 'weixin://wxpay/bizpayurl?pr=abc' });
    const call = stand.seen[0]!;
    expect(call).toMatchObject({ method: 'POST', url: '/v3/pay/transactions/native' });
    expect(JSON.parse(call.body)).toMatchObject({
      appid: 'wx8888888888888888',
      mchid: '1230000109',
      out_trade_no: ORDER,
      amount: { total: 3900, currency: 'CNY' },
      time_expire: '2026-11-21T20:00:00+08:00',
      notify_url: 'https://hengxi.example/v1/payments/notify/wechat',
    });
    const given = Object.fromEntries(
      [...String(call.headers.authorization).matchAll(/(\w+)="([^"]*)"/g)].map((m) => [m[1], m[2]]),
    );
    const message = `POST\n${call.url}\n${given['timestamp']}\n${given['nonce_str']}\n${call.body}\n`;
    expect(
      createVerify('RSA-SHA256')
        .update(message)
        .verify(ours.publicKey, given['signature'] ?? '', 'base64'),
    ).toBe(true);
    stand.answer = () => ({ body: '{"code_url":"weixin://forged"}', headers: headersFor('{}') });
    await expect(make().open(ASKED)).rejects.toThrow(/signature|sign/i);
  });

  const trade = {
    appid: 'wx8888888888888888',
    mchid: '1230000109',
    out_trade_no: ORDER,
    transaction_id: '4200001',
    trade_state: 'SUCCESS',
    success_time: '2026-11-21T19:05:00+08:00',
    amount: { total: 3900, payer_total: 3900, currency: 'CNY' },
  };

  test('asks about, closes and refunds', async () => {
    const wechat = make();
    answers(trade);
    expect(await wechat.query(ORDER)).toEqual({
      provider: 'wechat',
      order_no: ORDER,
      transaction_id: '4200001',
      amount: 3900,
      paid_at: new Date('2026-11-21T11:05:00Z'),
    });
    expect(stand.seen[0]).toMatchObject({ url: `/v3/pay/transactions/out-trade-no/${ORDER}?mchid=1230000109` });
    answers({ ...trade, trade_state: 'NOTPAY', transaction_id: undefined });
    expect(await wechat.query(ORDER)).toBe('unpaid');
    answers({ code: 'ORDER_NOT_EXIST', message: '订单不存在' }, 404);
    expect(await wechat.query(ORDER)).toBe('unpaid');
    answers(null, 204);
    expect(await wechat.close(ORDER)).toBe('closed');
    stand.answer = ({ method }) => {
      const body = JSON.stringify(method === 'GET' ? trade : { code: 'ORDERPAID' });
      return { status: method === 'GET' ? 200 : 400, body, headers: headersFor(body) };
    };
    expect(await wechat.close(ORDER)).toBe('paid');
    const refund = { order_no: ORDER, refund_no: 'RF1', total: 3900, amount: 1000 };
    for (const [status, told] of [
      ['SUCCESS', 'done'],
      ['PROCESSING', 'pending'],
      ['ABNORMAL', 'refused'],
    ] as const) {
      answers({ status });
      expect(await wechat.refund(refund)).toBe(told);
    }
    expect(JSON.parse(stand.seen.at(-1)!.body)).toEqual({
      out_trade_no: ORDER,
      out_refund_no: 'RF1',
      amount: { refund: 1000, total: 3900, currency: 'CNY' },
    });
    answers({ code: 'NOT_ENOUGH' }, 403);
    expect(await wechat.refund(refund)).toBe('refused');
    answers({ code: 'SYSTEM_ERROR' }, 500);
    await expect(wechat.refund(refund)).rejects.toThrow(/500/);
  });

  test('fetches a day’s bill from its own host only, and believes the digest in the signed answer', async () => {
    const file = '交易时间,微信订单号,商户订单号,交易状态,商户退款单号,订单金额,申请退款金额\n总交易单数\n`0\n';
    const digest = createHash('sha1').update(file).digest('hex');
    const bill = (told: Record<string, unknown>, status = 200) => {
      stand.answer = ({ url }) => {
        if (url.startsWith('/v3/billdownload/')) return { body: file };
        const body = JSON.stringify(told);
        return { status, body, headers: headersFor(body) };
      };
      return make().bill('2026-11-20');
    };
    const at = `${stand.origin}v3/billdownload/file?token=abc`;
    expect(await bill({ hash_type: 'SHA1', hash_value: digest, download_url: at })).toEqual([]);
    expect(stand.seen.map(({ url }) => url)).toEqual([
      '/v3/bill/tradebill?bill_date=2026-11-20&bill_type=ALL',
      '/v3/billdownload/file?token=abc',
    ]);
    await expect(bill({ hash_type: 'SHA1', hash_value: '0'.repeat(40), download_url: at })).rejects.toThrow(/hash/);
    const elsewhere = 'https://169.254.169.254/v3/billdownload/file?token=abc';
    await expect(bill({ hash_type: 'SHA1', hash_value: digest, download_url: elsewhere })).rejects.toThrow(/address/);
    expect(await bill({ code: 'NO_STATEMENT_EXIST', message: '账单文件不存在' }, 400)).toBe('none');
    expect(await bill({ code: 'STATEMENT_CREATING', message: '账单生成中' }, 400)).toBe('later');
    await expect(bill({ code: 'SYSTEM_ERROR', message: '系统异常' }, 500)).rejects.toThrow(/500/);
  });

  function notice(content: Record<string, unknown>, event = 'TRANSACTION.SUCCESS'): string {
    const cipher = createCipheriv('aes-256-gcm', SECRET, 'abcdefghijkl');
    cipher.setAAD(Buffer.from('transaction'));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return JSON.stringify({
      id: 'EV-1',
      event_type: event,
      resource: {
        algorithm: 'AEAD_AES_256_GCM',
        ciphertext: sealed.toString('base64'),
        nonce: 'abcdefghijkl',
        associated_data: 'transaction',
      },
    });
  }
  const read = (body: string, parts: Record<string, string> = {}) =>
    make().readNotice(Buffer.from(body), headersFor(body, parts));

  test('reads a genuine notice', async () => {
    expect(await read(notice(trade))).toMatchObject({ order_no: ORDER, transaction_id: '4200001', amount: 3900 });
    expect(make().answer(true)).toMatchObject({ status: 204 });
  });

  test.each([
    ['another key', { signature: sign(`${stamp}\nnonce\nx\n`, ours.privateKey) }],
    ['no signature', { signature: '' }],
    ['an unknown serial', { serial: 'PUB_KEY_ID_OTHER' }],
    ['an old timestamp', { timestamp: String(Math.floor(NOW / 1000) - 301) }],
    ['a timestamp that is none', { timestamp: 'now' }],
  ])('believes nothing signed with %s', async (_name, parts) => {
    await expect(read(notice(trade), parts as Record<string, string>)).rejects.toBeInstanceOf(BadSignature);
  });

  test.each([
    ['another merchant', { mchid: '999' }, WrongFacts],
    ['another application', { appid: 'wx0' }, WrongFacts],
    ['another currency', { amount: { total: 3900, currency: 'USD' } }, WrongFacts],
    ['a trade that is not paid', { trade_state: 'CLOSED' }, NotAPayment],
  ])('a genuine notice about %s is no payment', async (_name, parts, kind) => {
    await expect(read(notice({ ...trade, ...parts }))).rejects.toBeInstanceOf(kind);
  });

  test('a notice about a refund, and one that does not open', async () => {
    await expect(read(notice(trade, 'REFUND.SUCCESS'))).rejects.toBeInstanceOf(NotAPayment);
    const broken = JSON.parse(notice(trade));
    broken.resource.nonce = 'lkjihgfedcba';
    await expect(read(JSON.stringify(broken))).rejects.toBeInstanceOf(BadSignature);
  });
});
