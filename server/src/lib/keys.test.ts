import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readToken, signToken } from '../features/accounts/tokens.ts';
import { readConfig } from './config.ts';
import { loadKeys } from './keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'hengxi-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const load = (sessionKeys: string[] = [], dataKey: string | null = null) => loadKeys({ folder, sessionKeys, dataKey });
const payload = { oid: 5, nickname: '甲', avatar: null, is_vip: false, platform: 'pri', enterprise_name: null };
const tomorrow = new Date(Date.now() + 86_400_000);
const secret = (letter: string): string => Buffer.alloc(32, letter).toString('base64url');

describe('keys', () => {
  test('are made once, readable by the owner only, and found again', async () => {
    const first = await load();
    for (const name of ['session.key', 'data.key']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const second = await load();
    expect(second.open('users.phone', first.seal('users.phone', '13800138000'))).toBe('13800138000');
    expect(second.digest('phone', 'x')).toBe(first.digest('phone', 'x'));
    expect(readFileSync(join(folder, 'session.key'), 'utf8')).toHaveLength(43);
  });

  test('seal differently each time and open nothing that was changed or moved', async () => {
    const keys = await load();
    const sealed = keys.seal('users.phone', '13800138000');
    expect(keys.seal('users.phone', '13800138000')).not.toBe(sealed);
    expect(() => keys.open('users.mail', sealed)).toThrow('unable to authenticate');
    const bytes = Buffer.from(sealed, 'base64');
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    expect(() => keys.open('users.phone', bytes.toString('base64'))).toThrow('unable to authenticate');
  });

  test('rotate: the newest signs, older ones still verify, removed ones do not', async () => {
    const old = await load([secret('a')]);
    const token = await signToken(old, payload, 9, tomorrow);
    const both = await load([secret('b'), secret('a')]);
    expect(await readToken(both, token)).toEqual({ userId: 5, sessionId: 9 });
    const onlyNew = await load([secret('b')]);
    expect(await readToken(onlyNew, token)).toBeNull();
    expect(await readToken(onlyNew, await signToken(both, payload, 9, tomorrow))).toEqual({ userId: 5, sessionId: 9 });
    expect(await readToken(old, await signToken(old, payload, 9, new Date(Date.now() - 60_000)))).toBeNull();
  });

  test('a token found good before ends all the same, and one that was changed is never good', async () => {
    const keys = await load([secret('a')]);
    const now = Date.now();
    const token = await signToken(keys, payload, 9, new Date(now + 60_000));
    expect(await readToken(keys, token)).toEqual({ userId: 5, sessionId: 9 });
    expect(await readToken(keys, token)).toEqual({ userId: 5, sessionId: 9 });
    expect(await readToken(keys, `${token.slice(0, -4)}AAAA`)).toBeNull();
    vi.useFakeTimers({ now: now + 61_000, toFake: ['Date'] });
    try {
      expect(await readToken(keys, token)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  test('that are too short are refused', async () => {
    await expect(load(['c2hvcnQ'])).rejects.toThrow('至少需要 32 字节');
  });
});

describe('configuration', () => {
  test('has defaults for development', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      isProduction: false,
      providers: {
        sms: { kind: 'sandbox' },
        captcha: { kind: 'slider' },
        wechat: { kind: 'sandbox' },
        research: { kind: 'sandbox' },
        academic: { kind: 'sandbox' },
      },
    });
  });

  test('production refuses to start without its secrets, with the embedded database or sandbox providers', () => {
    for (const text of ['DATABASE_URL', 'HENGXI_SESSION_KEYS', 'HENGXI_DATA_KEY', 'HENGXI_PUBLIC_URL', '沙箱短信'])
      expect(() => readConfig({ HENGXI_ENV: 'production' })).toThrow(text);
  });

  test('production starts with real providers and has no sandbox ways in', () => {
    const real = {
      HENGXI_ENV: 'production',
      DATABASE_URL: 'postgres://x',
      HENGXI_SESSION_KEYS: 'k',
      HENGXI_DATA_KEY: 'k',
      HENGXI_PUBLIC_URL: 'https://example.com',
      HENGXI_SMS: 'tencent',
      HENGXI_TENCENT_SECRET_ID: 'id',
      HENGXI_TENCENT_SECRET_KEY: 'key',
      HENGXI_TENCENT_SMS_APP: '1400',
      HENGXI_TENCENT_SMS_SIGN: '衡析',
      HENGXI_TENCENT_SMS_TEMPLATE: '1',
    };
    expect(readConfig(real).providers).toMatchObject({
      sms: { kind: 'tencent', app: '1400', notice: null },
      wechat: { kind: 'off' },
      research: { kind: 'off' },
      academic: { kind: 'off' },
    });
    for (const name of ['HENGXI_WECHAT', 'HENGXI_RESEARCH', 'HENGXI_ACADEMIC', 'HENGXI_AI'])
      expect(() => readConfig({ ...real, [name]: 'sandbox' })).toThrow(`${name}（沙箱`);
    expect(() => readConfig({ ...real, HENGXI_TENCENT_SMS_APP: '' })).toThrow('HENGXI_TENCENT_SMS_APP');
    expect(() => readConfig({ HENGXI_WECHAT: 'open', HENGXI_WECHAT_APPID: 'wx1' })).toThrow('HENGXI_WECHAT_SECRET');
  });

  test('takes secrets from files', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'from-a-file\n');
    expect(readConfig({ HENGXI_DATA_KEY_FILE: file }).dataKey).toBe('from-a-file');
    expect(() => readConfig({ HENGXI_DATA_KEY_FILE: join(folder, 'absent') })).toThrow('HENGXI_DATA_KEY_FILE');
  });

  test('names what is wrong', () => {
    expect(() => readConfig({ PORT: 'ninety' })).toThrow('PORT');
    expect(() => readConfig({ HENGXI_ENGINE: 'http://127.0.0.1:9' })).toThrow('HENGXI_ENGINE_SECRET');
  });
});
