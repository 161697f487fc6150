/** The real clients against providers of our own making: same protocols, same signatures, no network outside. */
import { createCipheriv, createHash, createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAlipay } from './alipay.ts';
import { BadSignature, NotAPayment, WrongFacts } from './provider.ts';
import type { PaymentProvider } from './provider.ts';
import { createWechat } from './wechat.ts';

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [ours, theirs] = [pair(), pair()];
const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
const sign = (text: string, key = theirs.privateKey): string =>
  createSign('RSA-SHA256').update(text).sign(key, 'base64');

interface Seen {
  method: string;
  url: string;
  body: string;
  headers: IncomingMessage['headers'];
}
let server: Server;
let origin: string;
let seen: Seen[] = [];
let answer: (call: Seen) => { status?: number; body: unknown; headers?: Record<string, string> };

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const call = { method, url, body: Buffer.concat(parts).toString('utf8'), headers };
      seen.push(call);
      const { status = 200, body, headers: more = {} } = answer(call);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response
        .writeHead(status, { 'content-type': 'application/json', ...more })
        .end(status === 204 ? undefined : text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  seen = [];
});

const ORDER = `HX20261121${'1'.repeat(14)}`;
const ASKED = { order_no: ORDER, total: 3900, title: '衡析 月度会员', expires_at: new Date('2026-11-21T12:00:00Z') };

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
      api: origin,
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
    answer = () => ({ status, body: text, headers: headersFor(text) });
  };

  test('opens a native order, signed with our key, and believes only an answer signed with theirs', async () => {
    answers({ code_url: 'weixin://wxpay/bizpayurl?pr=abc' });
    expect(await make().open(ASKED)).toMatchObject({ code_url: 'weixin://wxpay/bizpayurl?pr=abc' });
    const call = seen[0]!;
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
    answer = () => ({ body: '{"code_url":"weixin://forged"}', headers: headersFor('{}') });
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
    expect(seen[0]).toMatchObject({ url: `/v3/pay/transactions/out-trade-no/${ORDER}?mchid=1230000109` });
    answers({ ...trade, trade_state: 'NOTPAY', transaction_id: undefined });
    expect(await wechat.query(ORDER)).toBe('unpaid');
    answers({ code: 'ORDER_NOT_EXIST', message: '订单不存在' }, 404);
    expect(await wechat.query(ORDER)).toBe('unpaid');
    answers(null, 204);
    expect(await wechat.close(ORDER)).toBe('closed');
    answer = ({ method }) => {
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
    expect(JSON.parse(seen.at(-1)!.body)).toEqual({
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
      answer = ({ url }) => {
        if (url.startsWith('/v3/billdownload/')) return { body: file };
        const body = JSON.stringify(told);
        return { status, body, headers: headersFor(body) };
      };
      return make().bill('2026-11-20');
    };
    const at = `${origin}v3/billdownload/file?token=abc`;
    expect(await bill({ hash_type: 'SHA1', hash_value: digest, download_url: at })).toEqual([]);
    expect(seen.map(({ url }) => url)).toEqual([
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

describe('Alipay', () => {
  const make = (): PaymentProvider =>
    createAlipay({
      appId: '2021000000000001',
      sellerId: '2088000000000001',
      privateKey: bare(ours.privateKey),
      alipayPublicKey: bare(theirs.publicKey),
      notifyUrl: 'https://hengxi.example/v1/payments/notify/alipay',
      gateway: `${origin}gateway.do`,
    });
  const answers = (method: string, content: Record<string, unknown>, key = theirs.privateKey) => {
    const text = JSON.stringify(content);
    answer = () => ({ body: `{"${method.replaceAll('.', '_')}_response":${text},"sign":"${sign(text, key)}"}` });
  };
  /** What was asked: the form's fields, wherever the client put them. */
  const asked = (): Record<string, string> => {
    const call = seen.at(-1)!;
    return {
      ...Object.fromEntries(new URL(call.url, origin).searchParams),
      ...Object.fromEntries(new URLSearchParams(call.body)),
    };
  };

  test('opens an order, signed with our key, and believes only an answer signed with theirs', async () => {
    const content = { code: '10000', msg: 'Success', out_trade_no: ORDER, qr_code: 'https://qr.alipay.com/bax1' };
    answers('alipay.trade.precreate', content);
    expect(await make().open(ASKED)).toEqual({ code_url: 'https://qr.alipay.com/bax1' });
    const { sign: given, biz_content: biz, ...rest } = asked();
    expect(JSON.parse(biz!)).toMatchObject({
      out_trade_no: ORDER,
      total_amount: '39.00',
      time_expire: '2026-11-21 20:00:00',
    });
    expect(rest).toMatchObject({ notify_url: 'https://hengxi.example/v1/payments/notify/alipay', sign_type: 'RSA2' });
    const message = Object.entries({ ...rest, biz_content: biz! })
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    expect(
      createVerify('RSA-SHA256')
        .update(message)
        .verify(ours.publicKey, given ?? '', 'base64'),
    ).toBe(true);
    answers('alipay.trade.precreate', content, ours.privateKey);
    await expect(make().open(ASKED)).rejects.toThrow(/验签/);
  });

  test('asks about, closes and refunds', async () => {
    const alipay = make();
    const paid = {
      code: '10000',
      out_trade_no: ORDER,
      trade_no: '2026112122001',
      trade_status: 'TRADE_SUCCESS',
      total_amount: '39.00',
      send_pay_date: '2026-11-21 19:05:00',
    };
    answers('alipay.trade.query', paid);
    expect(await alipay.query(ORDER)).toEqual({
      provider: 'alipay',
      order_no: ORDER,
      transaction_id: '2026112122001',
      amount: 3900,
      paid_at: new Date('2026-11-21T11:05:00Z'),
    });
    answers('alipay.trade.query', { code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' });
    expect(await alipay.query(ORDER)).toBe('unpaid');
    answers('alipay.trade.query', { ...paid, trade_status: 'WAIT_BUYER_PAY' });
    expect(await alipay.query(ORDER)).toBe('unpaid');
    answers('alipay.trade.query', { ...paid, total_amount: '39.000001' });
    expect(await alipay.query(ORDER)).toBe('unknown');
    answers('alipay.trade.query', { code: '20000' });
    await expect(alipay.query(ORDER)).rejects.toThrow(/20000/);
    answers('alipay.trade.close', { code: '10000' });
    expect(await alipay.close(ORDER)).toBe('closed');
    const refund = { order_no: ORDER, refund_no: 'RF1', total: 3900, amount: 1001 };
    answers('alipay.trade.refund', { code: '10000', fund_change: 'Y' });
    expect(await alipay.refund(refund)).toBe('done');
    expect(JSON.parse(asked()['biz_content']!)).toEqual({
      out_trade_no: ORDER,
      out_request_no: 'RF1',
      refund_amount: '10.01',
    });
    answers('alipay.trade.refund', { code: '40004', sub_code: 'ACQ.SYSTEM_ERROR' });
    expect(await alipay.refund(refund)).toBe('pending');
    answers('alipay.trade.refund', { code: '40004', sub_code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH' });
    expect(await alipay.refund(refund)).toBe('refused');
  });

  test('knows where there is no bill, and takes one from its own hosts only', async () => {
    const method = 'alipay.data.dataservice.bill.downloadurl.query';
    for (const subCode of ['isp.bill_not_exist', 'BILL_NOT_EXIST']) {
      answers(method, { code: '40004', sub_code: subCode });
      expect(await make().bill('2026-11-20')).toBe('none');
    }
    expect(JSON.parse(asked()['biz_content']!)).toEqual({ bill_type: 'trade', bill_date: '2026-11-20' });
    for (const at of [
      'https://elsewhere.example/a.zip',
      'https://alipay.com.elsewhere.example/a.zip',
      'ftp://10.0.0.1/',
    ]) {
      answers(method, { code: '10000', bill_download_url: at });
      await expect(make().bill('2026-11-20')).rejects.toThrow(/address/);
    }
    answers(method, { code: '40004', sub_code: 'isv.invalid-arguments' });
    await expect(make().bill('2026-11-20')).rejects.toThrow(/invalid-arguments/);
  });

  const paid = {
    app_id: '2021000000000001',
    seller_id: '2088000000000001',
    out_trade_no: ORDER,
    trade_no: '2026112122001',
    trade_status: 'TRADE_SUCCESS',
    total_amount: '39.00',
    gmt_payment: '2026-11-21 19:05:00',
    // Signs that are decoded twice by careless readers.
    subject: '月度会员 100% + &=',
  };
  function notice(fields: Record<string, string>, key = theirs.privateKey, type = 'RSA2'): Buffer {
    const message = Object.entries(fields)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    return Buffer.from(new URLSearchParams({ ...fields, sign: sign(message, key), sign_type: type }).toString());
  }

  test('reads a genuine notice, however late', async () => {
    expect(await make().readNotice(notice(paid), {})).toMatchObject({
      order_no: ORDER,
      transaction_id: '2026112122001',
      amount: 3900,
      paid_at: new Date('2026-11-21T11:05:00Z'),
    });
    expect(make().answer(true)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', body: 'success' });
    expect(make().answer(false).body).toBe('failure');
  });

  test.each([
    ['another key', notice(paid, ours.privateKey)],
    ['the weaker RSA', notice(paid, theirs.privateKey, 'RSA')],
    ['a changed amount', Buffer.from(notice(paid).toString().replace('39.00', '0.01'))],
    ['nothing', Buffer.from('a=1')],
    ['no bytes', Buffer.alloc(0)],
  ])('believes nothing signed with %s', async (_name, raw) => {
    await expect(make().readNotice(raw, {})).rejects.toBeInstanceOf(BadSignature);
  });

  test.each([
    ['another application', { ...paid, app_id: '1' }, WrongFacts],
    ['another seller', { ...paid, seller_id: '1' }, WrongFacts],
    ['an amount that is none', { ...paid, total_amount: '3.9e1' }, WrongFacts],
    ['a refund', { ...paid, refund_fee: '10.00' }, NotAPayment],
    ['a refund by its date', { ...paid, gmt_refund: '2026-11-22 10:00:00' }, NotAPayment],
    ['a trade that waits', { ...paid, trade_status: 'WAIT_BUYER_PAY' }, NotAPayment],
  ])('a genuine notice about %s is no payment', async (_name, fields, kind) => {
    await expect(make().readNotice(notice(fields), {})).rejects.toBeInstanceOf(kind);
  });
});
