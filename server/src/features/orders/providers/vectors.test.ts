/** What WeChat Pay itself has published: an example signature with its key, and a real bill with its digest. */
import { createHash } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { Formatter, Rsa } from 'wechatpay-axios-plugin';
import { describe, expect, test } from 'vitest';
import { BadBill, alipayBill, wechatBill } from './bill-files.ts';

/** The test key of the provider's documentation; it belongs to nobody. */
const KEY = `-----BEGIN RSA PRIVATE KEY-----
MIIEogIBAAKCAQEAptpm+qvIDCh/9wjU26SQCK26ogYkBhDrYxnAaw2JbbBsp1oD
bHKk+1r381NeBUG2HEFAuU+Fr72u5ot3yKdzoF/FajAzQNKnm569/D3upKoi8mYB
aST15Uig8j8qoUW1U217LL0jEHlSnHV3lcaDTXqDpTRR4Bfz9IqOgJgFZ8/oTfEo
mSrjrLYef81Eyxr7ZIMQXEKKEK7V4UXKS0+/fDsiG/cXidhzt8UbTL9vqXqxM2+I
DImyO+FAc/tkBG55LmzxPto1Nq0WbnZzRM/wTzrd0I/8NlevxtFbphg4evlHjFNI
7+GrqR87ViEwuAJJ9Je5QQjct5YJfFRWiZ5CMQIDAQABAoIBAGBi/GhEgezcHIg1
ltlHaFlLGuxsRbUnYwM9phVxnXk7GJlYe2/TjpERjPkIqOC6hBwwadZjJORP3FCc
Mtc8PKRhjuZ377O7vU0915x2nnyLOGL1IE2AJ3iLi0ZFzTea0FPgg+5lWHM00s9F
YI6qPcGtS41M+xtMWwZiYE3TBBRibHiY8ugGyaNAhiMKehyW05uApjlIF55wwCGx
BkyESJpGRR/6853iHke6Ge+xVcMa9QmQdoH0QqL/8kT28PL568mJJr0Ow/83t4+d
Pe70YPzKAxgUnaDsHJqO+b8qH69AEs8rTI5h2Mon6pH+bJT66KUoiXhn+Kf+4LSs
henRP10CgYEA1QJSfuFOWVRjrg3N/rAIc/Ak84BTZavbyrkqBSuoTs9i/nMI/hOz
VxpDntg7Bx2Tctl6sZO3GioTxKdc/YYaTKci1TKBbeginpsqEQVgwkMCy8HpvUmR
fyAMqLwZC4h9+j+NiZtuoFJDTCgv+WYbasX+kWYEUM21bnSYuO7yEQsCgYEAyIdP
r9uzqPgzN34Tmx+CNTa16VjhBh+zkBtXRLDLhWBeIYxoYNJARD98Pb1XZdvpkZZW
Sk7MfaKo2/DomzyyyB/MbHWwAdFi3yb4y7uMJfyC1MzdUSNN3Vp579hJxHkJ+nN4
Ys76yfcEeVOLnvUT1Z0KKCdIWRdT1Lgi+X1itzMCgYBJUXlPzwGG4fNFj97d0X23
Wmt9nSgXkOYgi0eZbAOMzPmIF9R6kBFk49dur4Lx2g5Ms+r1gKC/0sfnIqxxX11i
EQ1+UNoYGJUB/uql3TIG68XkmKR50P7RwRhaZBRC0gJ6xrFTMjsL2ATuC88niyvY
vrn3FiRaI9RVZrDCxwxvLQKBgEXW4okEAqGBuAzGqztmkOnJoTehDdYdKmOxMgap
cGiGdKJIjX3THDDoz3ONQyglnEZpTqpYoV3MTfU0BT8zt6x9bqwDnQY1D7NalmIW
cqw0Mri8lQQSQKcsQLWo5aA466G/n5kCL1Qx5OwAjesRvhOyuvvbGpZ0ymyWqQ+t
fLkDAoGATcul1L8y5D/wNVP1GXbXMZfBsFP3bbqy8c+Ashm6g8OLm2mGNntd5Z6h
1KkID7Yksh+dZ6t7XaPBtGACXX5Eryr537JVvdX8hAVCp5HVtaN/9VBVP8Ka2e4s
VS/xeNgOMQ7uzhRPBJ8HiTmdI1nHhDnYQpGiBgQn0Z5RAkSvFMk=
-----END RSA PRIVATE KEY-----`;

test('the library that signs our calls of WeChat Pay signs its published example alike', () => {
  const body =
    '{"appid":"wxd678efh567hg6787","mchid":"1230000109","description":"Image形象店-深圳腾大-QQ公仔","out_trade_no":"1217752501201407033233368018","notify_url":"https://www.weixin.qq.com/wxpay/pay.php","amount":{"total":100,"currency":"CNY"},"payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"}}';
  const [nonce, timestamp] = ['593BEC0C930BF1AFEB40B4A08C8FB242', '1554208460'];
  const message = Formatter.request('POST', '/v3/pay/transactions/jsapi', timestamp, nonce, body);
  const signature = Rsa.sign(message, Rsa.from(KEY, Rsa.KEY_TYPE_PRIVATE));
  expect(signature).toBe(
    'gEuexJ547PHFV77TQ6eiE4tphVYfWfUe1Wc2dBmVnoMYU2rl/M4zhw+b3vBhuMw6AC7pteNkryLA7UWU2h+umo0OdSuuLm1++O3NckQPCSfm6dypsjn4GYm84KMqXWFrhFmyxEwIdEJDr3w1UYfxOcu55OQupfLkrt/ZzuOspnliJFrPzGQFUk7lGqMMtpz3EfbDUNxnVsHblORg3hVmuYNmbGWnS2ovU30Y2Q+iKFDxzkaXBk8LTy6HzvxizRo6Q+J4SVM7O0hKXfgo1QdI68kpzNULb3EVBXlhTyPUzhkHzzLxECL1qHl3HH2hEv8++C+4wBlsagF3j/O6PABojA==',
  );
  expect(
    Formatter.authorization('1900009191', nonce, signature, timestamp, '1DDE55AD98Ed71D6EDD4A4A16996DE7B47773A8C'),
  ).toBe(
    `WECHATPAY2-SHA256-RSA2048 mchid="1900009191",serial_no="1DDE55AD98Ed71D6EDD4A4A16996DE7B47773A8C",timestamp="1554208460",nonce_str="593BEC0C930BF1AFEB40B4A08C8FB242",signature="${signature}"`,
  );
});

/** A bill as it came from WeChat Pay: with a byte order mark and both line ends, or the digest is another. */
const COLUMNS =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';
const row = (at: string, transaction: string, order: string): string =>
  `\`2021-01-28 ${at},\`wx81be3101902f7cb2,\`1601959334,\`0,\`,\`${transaction},\`${order},\`ofyak5qR_1wYsC99CsWA6R9MJazA,\`NATIVE,\`SUCCESS,\`OTHERS,\`CNY,\`0.01,\`0.00,\`0,\`0,\`0.00,\`0.00,\`,\`,\`for testing,\`cipher code,\`0.00000,\`1.00%,\`0.01,\`0.00,\``;
const SUMS = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';
const lines = [
  COLUMNS,
  row('17:07:11', '4200000925202101284997714292', 'S20210128170702357723'),
  row('15:35:18', '4200000910202101282955148400', 'S20210128153505214586'),
  row('16:59:46', '4200000926202101281412639609', 'S20210128165824499930'),
  SUMS,
  '`3,`0.03,`0.00,`0.00,`0.00000,`0.03,`0.00',
];
const BILL = `\uFEFF${lines.join('\r\n')}\r\n`;

describe('a bill of WeChat Pay', () => {
  test('is read, byte for byte the one whose digest was published with it', () => {
    expect(createHash('sha1').update(BILL).digest('hex')).toBe('dcd7ceb3d382a1181798368bb15d8437de46c00f');
    expect(wechatBill(BILL)).toEqual([
      {
        kind: 'payment',
        reference: '4200000925202101284997714292',
        order_no: 'S20210128170702357723',
        amount: 1,
      },
      { kind: 'payment', reference: '4200000910202101282955148400', order_no: 'S20210128153505214586', amount: 1 },
      { kind: 'payment', reference: '4200000926202101281412639609', order_no: 'S20210128165824499930', amount: 1 },
    ]);
  });

  test('tells refunds by our number of them, and goods with commas do not shift its columns', () => {
    const back = row('18:00:00', '4200000925202101284997714292', 'S20210128170702357723')
      .replace('`SUCCESS', '`REFUND')
      .replace('`0,`0,`0.00,`0.00,`,`', '`5030,`RF1,`0.01,`0.00,`ORIGINAL,`SUCCESS')
      .replace('`for testing', '`衡析, 月度会员')
      .replace(/`0\.01,`0\.00,`$/, '`0.00,`0.01,`');
    const text = BILL.replace(lines[2] ?? '', back);
    expect(wechatBill(text)[1]).toEqual({
      kind: 'refund',
      reference: 'RF1',
      order_no: 'S20210128170702357723',
      amount: 1,
    });
  });

  test.each([
    ['cut off', BILL.slice(0, 900)],
    ['with a line missing', BILL.replace(`${lines[1]}\r\n`, '')],
    ['without its head', BILL.replace('微信订单号', '单号')],
    ['with an amount that is none', BILL.replaceAll('`0.01,`0.00,`', '`1e2,`0.00,`')],
    ['empty', ''],
    ['a page of a proxy', '<html></html>'],
  ])('that is %s is not believed', (_name, text) => {
    expect(() => wechatBill(text)).toThrow(BadBill);
  });
});

describe('a bill of Alipay', () => {
  const HEAD =
    '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';
  const line = (kind: string, goods: string, amount: string, back: string): string =>
    `2026112122001\t,HX1\t,${kind},${goods},2026-11-21 19:00:00,2026-11-21 19:05:00,,,,,*三(138****0000),${amount},${amount},0.00,0.00,0.00,0.00,0.00,,0.00,0.00,${back},-0.23,0.00,`;
  const TEXT = [
    '#支付宝业务明细查询',
    '#账号：[20880000000000010156]',
    '#-----------------------------------------业务明细列表----------------------------------------',
    HEAD,
    line('交易', '衡析 月度会员', '39.00', ''),
    line('退款', '衡析, 月度会员', '-10.01', 'RF1'),
    '#-----------------------------------------业务明细列表结束------------------------------------',
    '#交易合计：1笔',
  ].join('\r\n');
  /** GB18030 as their files are; made by hand, since the platform only decodes it. */
  function gbk(text: string): Uint8Array {
    const decoder = new TextDecoder('gb18030');
    const pairs = new Map<string, number[]>();
    for (let high = 0x81; high <= 0xfe; high += 1)
      for (let low = 0x40; low <= 0xfe; low += 1)
        if (low !== 0x7f) pairs.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
    return Uint8Array.from([...text].flatMap((char) => pairs.get(char) ?? [char.charCodeAt(0)]));
  }
  const zip = (text: string) =>
    zipSync({ '20880000000000010156_20261121_1.csv': gbk('#支付宝业务汇总\r\n'), '2.csv': gbk(text) });

  test('is found in its zip and read', () => {
    expect(alipayBill(zip(TEXT))).toEqual([
      { kind: 'payment', reference: '2026112122001', order_no: 'HX1', amount: 3900 },
      { kind: 'refund', reference: 'RF1', order_no: 'HX1', amount: 1001 },
    ]);
  });

  test('that is something else is not believed', () => {
    expect(() => alipayBill(zip('a,b'))).toThrow(BadBill);
    expect(() => alipayBill(zip(TEXT.replace('业务类型', '类型')))).toThrow(BadBill);
    expect(() => alipayBill(strToU8('<html></html>'))).toThrow(/zip/i);
  });
});
