/** The ways in with real providers configured, over HTTP, against a provider in this process. */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCanvas } from '@napi-rs/canvas';
import { readConfig } from '../../lib/config.ts';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { FakeProvider } from '../../testing/fake-provider.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';
import { post } from '../../testing/sign-in.ts';
import { copyAvatar } from './avatars.ts';

const provider = new FakeProvider();
let world: World;
beforeAll(async () => {
  await provider.start();
  const { providers } = readConfig({});
  world = await build({
    config: {
      providers: {
        ...providers,
        wechat: { kind: 'open', appid: 'wx1', secret: 's', api: provider.url },
        academic: { kind: 'on', key: 'k', secret: 's', api: provider.url },
        research: {
          kind: 'on',
          url: `${provider.url}/sign-in`,
          verifyUrl: `${provider.url}/verify`,
          appid: 'a',
          secret: 's',
        },
      },
    },
  });
});
beforeEach(async () => {
  await world.reset();
  provider.answers = {
    '/sns/oauth2/access_token': () => ({ access_token: 'a', openid: 'o1' }),
    '/sns/userinfo': () => ({ openid: 'o1', nickname: '李雷' }),
    '/oauth/2.0/token': () => ({ access_token: 't' }),
    '/rest/2.0/passport/users/getInfo': () => ({ openid: 'b1', username: '读者' }),
  };
});
afterEach(() => {
  provider.mode = 'good';
});
afterAll(async () => {
  await world.close();
  await provider.stop();
});

const get = (url: string, headers: Record<string, string> = {}): Promise<Reply> =>
  call(world, null, 'GET', url, undefined, headers);
const flowCookie = (reply: Reply): { cookie: string } => {
  const all = [reply.headers['set-cookie'] ?? []].flat().map(String);
  return { cookie: all.map((line) => line.split(';')[0]).join('; ') };
};
const location = (reply: Reply): URL => new URL(String(reply.headers['location']), 'http://localhost');
const noAccount = async () => expect(await rowsOf(world.db, sql`SELECT id FROM users`)).toEqual([]);

describe('WeChat', () => {
  /** A phone scans the code and comes back from WeChat. */
  async function scan() {
    const code = (await get('/v1/login/weixin/ticket')).data;
    const sent = await get(new URL(code.url).pathname);
    const phone = flowCookie(sent);
    const state = location(sent).searchParams.get('state')!;
    const back = await get(`/v1/login/weixin/callback?code=c&state=${state}`, phone);
    return { code, sent, phone, back, state };
  }

  test('leads the phone through WeChat to a page that says who asks, and signs the screen in when it agrees', async () => {
    const { code, sent, phone, back } = await scan();
    expect(new URL(code.url).pathname).toBe(`/v1/login/weixin/scan/${code.ticket}`);
    expect(location(sent).host).toBe('open.weixin.qq.com');
    expect(location(sent).searchParams.get('redirect_uri')).toBe('http://localhost/v1/login/weixin/callback');
    expect(back.text).toContain('确认登录');
    expect(back.text).not.toContain('沙箱');
    expect((await get(`/v1/login/token?scene=${code.scene}`)).data).toEqual({ status: 2 });
    const url = `/v1/login/weixin/scan/${code.ticket}`;
    expect((await post(world, url, { act: 'confirm' })).status).toBe(410);
    expect((await post(world, url, { act: 'confirm' }, { cookie: 'hx_flow=another-phone-entirely0' })).status).toBe(
      410,
    );
    expect((await post(world, url, { act: 'confirm' }, phone)).text).toContain('已确认登录');
    const { data } = await get(`/v1/login/token?scene=${code.scene}`);
    expect((await call(world, data, 'GET', '/v1/user')).data).toMatchObject({ nickname: '李雷', ways: ['wechat'] });
  });

  test('a phone that only opened the code, a foreign state and a used one confirm nothing', async () => {
    const { code, phone, state } = await scan();
    expect((await get(`/v1/login/weixin/callback?code=c&state=${state}`, phone)).status).toBe(410);
    expect((await get('/v1/login/weixin/callback?code=c&state=made-up', phone)).status).toBe(410);
    const second = (await get('/v1/login/weixin/ticket')).data;
    await get(new URL(second.url).pathname, phone);
    expect((await post(world, `/v1/login/weixin/scan/${second.ticket}`, { act: 'confirm' }, phone)).status).toBe(410);
    expect((await get(`/v1/login/token?scene=${second.scene}`)).data.status).toBe(2);
    expect((await get(`/v1/login/token?scene=${code.scene}`)).data.status).toBe(2);
    await noAccount();
  });

  test('a refused code and a provider that talks nonsense end in a sentence, not in an account', async () => {
    provider.answers['/sns/oauth2/access_token'] = () => ({ errcode: 40029, errmsg: 'invalid code' });
    expect((await scan()).back.text).toContain('无法确认微信的登录信息');
    provider.mode = 'half json';
    const { code, back, phone } = await scan();
    expect(back.text).toContain('微信登录暂不可用');
    expect((await post(world, `/v1/login/weixin/scan/${code.ticket}`, { act: 'confirm' }, phone)).status).toBe(410);
    await noAccount();
  });

  test('has no sandbox page beside it', async () => {
    const { data } = await get('/v1/login/weixin/ticket');
    expect((await get(`/sandbox/wechat/${data.ticket}`)).status).toBe(404);
    expect((await post(world, `/sandbox/wechat/${data.ticket}`, { act: 'confirm' })).status).toBe(404);
  });
});

describe('academic search', () => {
  async function visit() {
    const begun = await get('/v1/baidu/oauth/login?confirm_login=1');
    const state = location(begun).searchParams.get('state')!;
    return location(await get(`/v1/baidu/oauth/callback?code=c&state=${state}`, flowCookie(begun)));
  }

  test('comes back with a hand-off ticket', async () => {
    expect((await visit()).searchParams.get('token')).toMatch(/^[\w-]{22}$/);
  });

  test('that is down or talks nonsense comes back with a sentence', async () => {
    provider.mode = 'wrong types';
    expect((await visit()).searchParams.get('error_msg')).toBe('学术搜索登录暂不可用，请稍后再试或改用其他方式登录');
    await noAccount();
  });
});

test('the research platform is asked about every claim, and its silence is no yes', async () => {
  const claim = async () => {
    const signed = await post(world, '/v1/zw/oauth/sign', { href: 'http://localhost/oauth/login' });
    const body = { openid: 'o1', nickname: '研究者', username: '', noncestr: signed.data.noncestr, signature: '' };
    return call(world, null, 'POST', '/v1/zw/oauth/login?v=1', body, flowCookie(signed));
  };
  provider.answers['/verify'] = () => ({ valid: true, openid: 'o1' });
  expect((await claim()).data.token).toEqual(expect.any(String));
  await world.reset();
  provider.answers['/verify'] = () => ({ valid: false });
  expect((await claim()).body.err_code).toBe(30007);
  provider.mode = 'html';
  expect((await claim()).body).toMatchObject({
    err_code: 30006,
    msg: '科研平台登录暂不可用，请稍后再试或改用其他方式登录',
  });
  await noAccount();
});

describe('pictures of providers', () => {
  const picture = { type: 'image/png', bytes: new Uint8Array(createCanvas(300, 200).toBuffer('image/png')) };
  const avatarOf = async (id: number) =>
    (await rowsOf(world.db, sql`SELECT avatar FROM users WHERE id = ${id}`))[0].avatar as string | null;

  test('are drawn anew into our store', async () => {
    const { id } = await makePerson(world);
    const asked: string[] = [];
    const fetchPicture = async (url: URL) => {
      asked.push(url.href);
      return picture;
    };
    await copyAvatar({ ...world.deps, fetchPicture }, 'wechat', id, 'http://thirdwx.qlogo.cn/mmopen/x/132');
    expect(asked).toEqual(['https://thirdwx.qlogo.cn/mmopen/x/132']);
    expect(await avatarOf(id)).toMatch(/^[0-9a-f]{32}$/);
  });

  test('are asked for nowhere else, and are no reason to fail', async () => {
    const { id } = await makePerson(world);
    const asked: string[] = [];
    const fetchPicture = async (url: URL) => {
      asked.push(url.href);
      return { type: 'text/html', bytes: new Uint8Array([1]) };
    };
    const elsewhere = [
      'http://127.0.0.1/x',
      'https://evil.example/thirdwx.qlogo.cn',
      'https://thirdwx.qlogo.cn:8080/x',
      'no url',
      null,
    ];
    for (const address of elsewhere) await copyAvatar({ ...world.deps, fetchPicture }, 'wechat', id, address);
    expect(asked).toEqual([]);
    await copyAvatar({ ...world.deps, fetchPicture }, 'wechat', id, 'https://thirdwx.qlogo.cn/x');
    const down = async () => Promise.reject(new Error('down'));
    await copyAvatar({ ...world.deps, fetchPicture: down }, 'wechat', id, 'https://thirdwx.qlogo.cn/x');
    expect(await avatarOf(id)).toBeNull();
  });
});
