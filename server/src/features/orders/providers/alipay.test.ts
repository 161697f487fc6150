/** The real client against a provider of our own making: same protocol, same signatures, no network outside. */
import { createVerify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ASKED, ORDER, bare, ours, sign, standIn, theirs } from '../../../testing/pay-provider.ts';
import { createAlipay } from './alipay.ts';
import { BadSignature, NotAPayment, WrongFacts } from './provider.ts';
import type { PaymentProvider } from './provider.ts';

const stand = standIn();

describe('Alipay', () => {
  const make = (): PaymentProvider =>
    createAlipay({
      appId: '2021000000000001',
      sellerId: '2088000000000001',
      privateKey: bare(ours.privateKey),
      alipayPublicKey: bare(theirs.publicKey),
      notifyUrl: 'https://hengxi.example/v1/payments/notify/alipay',
      gateway: `${stand.origin}gateway.do`,
    });
  const bodyOf = (method: string, content: unknown, key = theirs.privateKey) => {
    const text = JSON.stringify(content);
    return { body: `{"${method.replaceAll('.', '_')}_response":${text},"sign":"${sign(text, key)}"}` };
  };
  const answers = (method: string, content: Record<string, unknown>, key = theirs.privateKey) => {
    stand.answer = () => bodyOf(method, content, key);
  };
  /** A different answer for each method. */
  const answersTo = (contents: Record<string, unknown>) => {
    stand.answer = () => bodyOf(asked()['method']!, contents[asked()['method']!]);
  };
  /** What was asked: the form's fields, wherever the client put them. */
  const asked = (): Record<string, string> => {
    const call = stand.seen.at(-1)!;
    return {
      ...Object.fromEntries(new URL(call.url, stand.origin).searchParams),
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
    // Taken, but no money moved by it: refunded before by the same number, or not yet.
    const taken = { 'alipay.trade.refund': { code: '10000', fund_change: 'N' } };
    const found = { code: '10000', out_request_no: 'RF1', refund_status: 'REFUND_SUCCESS' };
    answersTo({ ...taken, 'alipay.trade.fastpay.refund.query': found });
    expect(await alipay.refund(refund)).toBe('done');
    expect(JSON.parse(asked()['biz_content']!)).toEqual({ out_trade_no: ORDER, out_request_no: 'RF1' });
    answersTo({ ...taken, 'alipay.trade.fastpay.refund.query': { code: '10000' } });
    expect(await alipay.refund(refund)).toBe('pending');
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
