import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Keys } from '../../lib/keys.ts';
import { createLog } from '../../lib/log.ts';
import { ProviderFault, createProviderClient } from '../../lib/provider-http.ts';
import { FakeProvider, NONSENSE } from '../../testing/fake-provider.ts';
import { createAliyunSender, createTencentSender } from '../accounts/sms-providers.ts';
import { createTencentCaptcha } from '../accounts/tencent-captcha.ts';
import {
  createAcademic,
  createResearch,
  createSandboxAcademic,
  createSandboxResearch,
  createWechat,
} from './providers.ts';

const provider = new FakeProvider();
beforeAll(async () => provider.start());
afterAll(async () => provider.stop());
beforeEach(() => {
  provider.mode = 'good';
  provider.answers = {};
  provider.seen.length = 0;
});

const lines: string[] = [];
const log = createLog('trace', { write: (line) => void lines.push(line) });
/** Only a provider that never answers is given up early; all others answer, or break off, by themselves. */
const isSilent = () => provider.mode === 'hang' || provider.mode === 'cut';
const client = () => createProviderClient(isSilent() ? { timeoutMs: 150 } : {});
const seconds = () => (isSilent() ? 0.2 : 5);
const wechat = (ask = client()) => createWechat({ kind: 'open', appid: 'wx1', secret: 's', api: provider.url }, ask);
const academic = () => createAcademic({ kind: 'on', key: 'k', secret: 's', api: provider.url }, client());
const research = (verifyUrl: string | null) =>
  createResearch({ kind: 'on', url: 'https://research.example/sign', verifyUrl, appid: 'a', secret: 's' }, client());

describe('WeChat', () => {
  test('leads to its own page and exchanges a code for the person, by the number that all our applications share', async () => {
    const url = new URL(wechat().authorizeUrl('https://us.example/v1/login/weixin/callback', 'st'));
    expect(url.host).toBe('open.weixin.qq.com');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ appid: 'wx1', state: 'st', scope: 'snsapi_userinfo' });
    expect(url.hash).toBe('#wechat_redirect');
    provider.answers = {
      '/sns/oauth2/access_token': () => ({ access_token: 'a', openid: 'o1', unionid: 'u1', expires_in: 7200 }),
      '/sns/userinfo': () => ({ openid: 'o1', nickname: '李雷', headimgurl: 'https://x' }),
    };
    expect(await wechat().exchange('code', '')).toEqual({ subject: 'u1', nickname: '李雷', avatar: 'https://x' });
    expect(Object.fromEntries(provider.seen[0]!.query)).toMatchObject({ code: 'code', secret: 's', appid: 'wx1' });
  });

  test('a refused code is nobody; a name of somebody else is no name', async () => {
    provider.answers = { '/sns/oauth2/access_token': () => ({ errcode: 40029, errmsg: 'invalid code' }) };
    expect(await wechat().exchange('code', '')).toBeNull();
    provider.answers = {
      '/sns/oauth2/access_token': () => ({ access_token: 'a', openid: 'o1' }),
      '/sns/userinfo': () => ({ openid: 'o2', nickname: '韩梅梅' }),
    };
    expect(await wechat().exchange('code', '')).toEqual({ subject: 'o1', nickname: null, avatar: null });
  });
});

test('academic search exchanges a code for the person', async () => {
  provider.answers = {
    '/oauth/2.0/token': () => ({ access_token: 't', expires_in: 1 }),
    '/rest/2.0/passport/users/getInfo': () => ({ openid: 'b1', username: '读者' }),
  };
  expect(await academic().exchange('c', 'https://us.example/cb')).toEqual({
    subject: 'b1',
    nickname: '读者',
    avatar: null,
  });
  expect(provider.seen[0]!.query.get('redirect_uri')).toBe('https://us.example/cb');
  provider.answers['/oauth/2.0/token'] = () => ({ error: 'invalid_grant' });
  expect(await academic().exchange('c', '')).toBeNull();
});

describe('the research platform', () => {
  const claim = { openid: 'o1', noncestr: 'n', signature: '', nickname: '李雷' };

  test('is asked, and believed about the very openid only', async () => {
    provider.answers = { '/verify': () => ({ valid: true, openid: 'o1', nickname: '李' }) };
    const asked = research(`${provider.url}/verify`);
    expect(await asked.verify(claim)).toEqual({ subject: 'o1', nickname: '李' });
    provider.answers = { '/verify': () => ({ valid: false }) };
    expect(await asked.verify(claim)).toBeNull();
    provider.answers = { '/verify': () => ({ valid: true, openid: 'o2' }) };
    await expect(asked.verify(claim)).rejects.toBeInstanceOf(ProviderFault);
  });

  test('without an address to ask, its signature over openid and noncestr counts', async () => {
    const { createHash } = await import('node:crypto');
    const signature = createHash('sha256').update('noncestr=n&openid=o1&secret=s').digest('hex');
    expect(await research(null).verify({ ...claim, signature })).toEqual({ subject: 'o1', nickname: '李雷' });
    expect(await research(null).verify({ ...claim, openid: 'o2', signature })).toBeNull();
    expect(await research(null).verify({ ...claim, noncestr: 'm', signature })).toBeNull();
    expect(await research(null).verify(claim)).toBeNull();
  });
});

describe.each(NONSENSE)('a provider that answers with: %s', (mode) => {
  test('signs nobody in and sends nothing', async () => {
    provider.mode = mode;
    const claim = { openid: 'o1', noncestr: 'n', signature: '', nickname: '' };
    await expect(wechat().exchange('c', '')).rejects.toBeInstanceOf(ProviderFault);
    await expect(academic().exchange('c', '')).rejects.toBeInstanceOf(ProviderFault);
    await expect(research(`${provider.url}/verify`).verify(claim)).rejects.toBeInstanceOf(ProviderFault);
  });
});

describe.each(NONSENSE)('a cloud that answers with: %s', (mode) => {
  test('has sent no message and passed no captcha; the log names neither phone nor key', async () => {
    provider.mode = mode;
    lines.length = 0;
    const parameter = { name: 'code', value: '123456' };
    for (const sender of [aliyun(), tencent()])
      await expect(sender.send('13800138000', 'T', parameter)).rejects.toMatchObject({ code: 30009 });
    expect(await captcha()('ticket', 'rand', '127.0.0.1')).toBe(false);
    expect(lines.join('')).not.toMatch(/13800138000|123456|secret-key/);
  });
});

const aliyun = () =>
  createAliyunSender(
    {
      kind: 'aliyun',
      keyId: 'id',
      keySecret: 'secret-key',
      sign: '衡析',
      template: 'T',
      notice: null,
      endpoint: provider.host,
    },
    log,
    seconds(),
  );
const cloud = { secretId: 'id', secretKey: 'secret-key' };
const tencent = () =>
  createTencentSender(
    { kind: 'tencent', ...cloud, app: '1400', sign: '衡析', template: 'T', notice: null, endpoint: provider.host },
    log,
    seconds(),
  );
const captcha = () =>
  createTencentCaptcha({ kind: 'tencent', ...cloud, app: '200', key: 'k', endpoint: provider.host }, log, seconds());

test('the clouds send and check when they answer as they promise', async () => {
  provider.answers = { '/': () => ({ Code: 'OK', Message: 'OK', BizId: '1', RequestId: 'x' }) };
  await aliyun().send('13800138000', 'T', { name: 'code', value: '123456' });
  expect(Object.fromEntries(provider.seen[0]!.query)).toEqual({
    PhoneNumbers: '13800138000',
    SignName: '衡析',
    TemplateCode: 'T',
    TemplateParam: '{"code":"123456"}',
  });
  provider.answers = { '/': () => ({ Response: { SendStatusSet: [{ Code: 'Ok' }], RequestId: 'x' } }) };
  await tencent().send('13800138000', 'T', { name: 'code', value: '123456' });
  expect(JSON.parse(provider.seen.at(-1)!.body)).toMatchObject({
    PhoneNumberSet: ['+8613800138000'],
    TemplateParamSet: ['123456'],
  });
  provider.answers = { '/': () => ({ Response: { CaptchaCode: 1, CaptchaMsg: 'OK', RequestId: 'x' } }) };
  expect(await captcha()('ticket', 'rand', '203.0.113.7')).toBe(true);
  expect(JSON.parse(provider.seen.at(-1)!.body)).toMatchObject({ Ticket: 'ticket', UserIp: '203.0.113.7' });
  provider.answers = { '/': () => ({ Response: { CaptchaCode: 15, RequestId: 'x' } }) };
  expect(await captcha()('ticket', 'rand', '203.0.113.7')).toBe(false);
});

test.each([
  ['isv.BUSINESS_LIMIT_CONTROL', 'LimitExceeded.PhoneNumberThirtySecondLimit', 20011],
  ['isv.MOBILE_NUMBER_ILLEGAL', 'InvalidParameterValue.IncorrectPhoneNumber', 20010],
  ['isv.AMOUNT_NOT_ENOUGH', 'FailedOperation.InsufficientBalanceInSmsPackage', 30009],
  ['isv.DAY_LIMIT_CONTROL', 'LimitExceeded.DailyLimit', 30009],
  [null, 7, 30009],
])('a message that the clouds refuse with %s or %s is told as %i', async (ofAliyun, ofTencent, code) => {
  const parameter = { name: 'code', value: '123456' };
  provider.answers = { '/': () => ({ Code: ofAliyun, Message: '' }) };
  await expect(aliyun().send('13800138000', 'T', parameter)).rejects.toMatchObject({ code });
  provider.answers = { '/': () => ({ Response: { SendStatusSet: [{ Code: ofTencent }], RequestId: 'x' } }) };
  await expect(tencent().send('13800138000', 'T', parameter)).rejects.toMatchObject({ code });
});

test('after five failures a provider is left alone for half a minute', async () => {
  let now = 0;
  const ask = createProviderClient({ clock: () => now });
  provider.mode = 'status 500';
  for (let i = 0; i < 5; i += 1) await expect(wechat(ask).exchange('c', '')).rejects.toThrow('status 500');
  await expect(wechat(ask).exchange('c', '')).rejects.toThrow('paused');
  expect(provider.seen).toHaveLength(5);
  provider.mode = 'good';
  provider.answers = { '/sns/oauth2/access_token': () => ({ access_token: 'a', openid: 'o1' }) };
  now = 30_001;
  expect(await wechat(ask).exchange('c', '')).toMatchObject({ subject: 'o1' });
});

test('the sandbox believes its own signatures only', async () => {
  const keys = { digest: (purpose: string, value: string) => `${purpose}|${value}` } satisfies Pick<Keys, 'digest'>;
  // Only `digest` is used.
  const sandboxResearch = createSandboxResearch(keys as unknown as Keys);
  const signature = sandboxResearch.answer('o1', 'n');
  expect(await sandboxResearch.verify({ openid: 'o1', noncestr: 'n', signature, nickname: '甲' })).toMatchObject({
    subject: 'o1',
  });
  expect(await sandboxResearch.verify({ openid: 'o2', noncestr: 'n', signature, nickname: '甲' })).toBeNull();
  const sandboxAcademic = createSandboxAcademic(keys as unknown as Keys);
  expect(await sandboxAcademic.exchange(sandboxAcademic.code('读者'), '')).toEqual({
    subject: '读者',
    nickname: '读者',
  });
  const [, mark] = sandboxAcademic.code('读者').split('.');
  expect(await sandboxAcademic.exchange(`${Buffer.from('别人').toString('base64url')}.${mark}`, '')).toBeNull();
  expect(await sandboxAcademic.exchange('nonsense', '')).toBeNull();
});
