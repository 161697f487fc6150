import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api, ApiError } from './api.ts';
import { setNavigate } from './navigate.ts';
import { usePrompts } from './prompts.ts';
import { banFacts } from './session-end.ts';
import { currentToken, endSession, startSession, useSession } from './session.ts';
import { toast, useToasts } from './toast.ts';

const went = vi.fn<(path: string) => void>();
let answers: (Response | Promise<Response> | Error | 'never')[] = [];
let calls: { url: string; init: RequestInit }[] = [];

function answer(status: number, body: unknown): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
}

const failure = (status: number, err_code: number, msg: string, more: object = {}) =>
  answer(status, { status_code: 0, err_code, msg, ...more });

function at(path: string): void {
  history.replaceState(null, '', path);
}

async function caught(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  return error;
}

beforeEach(() => {
  answers = [];
  calls = [];
  setNavigate(went);
  startSession('a.b.c', null);
  at('/mydata/index');
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    calls.push({ url, init });
    const next = answers.shift() ?? answer(200, { status_code: 1, data: null });
    if (next === 'never') {
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    }
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  usePrompts.setState({ upgrade: null, login: false });
  useToasts.setState({ current: null });
  went.mockClear();
  endSession();
});

const shown = () => useToasts.getState().current?.text ?? null;

describe('a call', () => {
  it('carries the token, a request id, and a new idempotency key for each write', async () => {
    await api.post('/v1/things', { a: 1 });
    await api.post('/v1/things', { a: 1 });
    await api.get('/v1/things', { query: { page: 2, keyword: null } });
    const headers = calls.map((call) => new Headers(call.init.headers));
    expect(headers[0]!.get('authorization')).toBe('Bearer a.b.c');
    expect(headers[0]!.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers[0]!.get('idempotency-key')).not.toBe(headers[1]!.get('idempotency-key'));
    expect(headers[2]!.get('idempotency-key')).toBeNull();
    expect(calls[2]!.url).toMatch(/^\/v1\/things\?page=2&_rid=[0-9a-f]+$/);
  });

  it('repeats a write under the key its caller keeps', async () => {
    await api.post('/v1/things', {}, { idempotencyKey: 'k1' });
    expect(new Headers(calls[0]!.init.headers).get('idempotency-key')).toBe('k1');
  });

  it('is not sent at all from a tab whose account was replaced in another tab', async () => {
    useSession.setState({ foreign: true });
    expect((await caught(api.get('/v1/user'))).fault).toBe('cancelled');
    expect(calls).toHaveLength(0);
  });
});

describe('specification section 8', () => {
  it('shows the message of a refused rule for 3 s', async () => {
    answers = [failure(200, 30508, '文件是空的')];
    const error = await caught(api.get('/v1/x'));
    expect([error.code, error.message]).toEqual([30508, '文件是空的']);
    expect(useToasts.getState().current).toMatchObject({ text: '文件是空的', ms: 3000 });
  });

  it('says what there is: msg, else err_msg, else the number', async () => {
    answers = [
      answer(200, { status_code: 0, err_code: 7, err_msg: '另一种写法' }),
      answer(200, { status_code: 0, err_code: 7 }),
    ];
    await caught(api.get('/v1/x'));
    expect(shown()).toBe('另一种写法');
    await caught(api.get('/v1/x'));
    expect(shown()).toBe('7');
  });

  it('shows no toast for a code its caller shows at a field', async () => {
    answers = [failure(200, 20013, '验证码错误')];
    expect((await caught(api.post('/v1/x', {}, { claims: [20013] }))).code).toBe(20013);
    expect(shown()).toBeNull();
  });

  it('passes the fields of a 422 on without a toast', async () => {
    answers = [
      failure(422, 30601, '不符合要求', { fields: [{ field: 'group', code: 'role.levels', text: '有 3 组' }] }),
    ];
    const error = await caught(api.post('/algorithm/x', {}));
    expect(error.fields[0]!.text).toBe('有 3 组');
    expect(shown()).toBeNull();
  });

  it('opens the upgrade box on 20002', async () => {
    answers = [failure(200, 20002, '单个文件最多 20 MB')];
    await caught(api.get('/v1/x'));
    expect(usePrompts.getState().upgrade).toBe('单个文件最多 20 MB');
    expect(shown()).toBeNull();
  });

  it('clears the session and goes to /ban on 20023', async () => {
    answers = [failure(200, 20023, '账号已被封禁', { data: { reason: '滥用', until: null } })];
    usePrompts.setState({ login: true });
    await caught(api.get('/v1/x'));
    expect(usePrompts.getState().login).toBe(false);
    expect(currentToken()).toBeNull();
    expect(went).toHaveBeenCalledWith('/ban');
    expect(banFacts()).toEqual({ reason: '滥用', until: null });
  });

  it('says why, and after 0.8 s clears the session and asks to sign in, once for several calls', async () => {
    vi.useFakeTimers();
    answers = [failure(401, 30089, '登录已过期，请重新登录'), failure(401, 30089, '')];
    await Promise.all([caught(api.get('/v1/a')), caught(api.get('/v1/b'))]);
    expect(shown()).toBe('登录已过期，请重新登录');
    expect(currentToken()).toBe('a.b.c');
    await vi.advanceTimersByTimeAsync(800);
    expect(currentToken()).toBeNull();
    expect(went).toHaveBeenCalledTimes(1);
    expect(went).toHaveBeenCalledWith(`/?login=1&next=${encodeURIComponent('/mydata/index')}`);
  });

  it('keeps the notice of 20021 until it is closed, then goes home', async () => {
    vi.useFakeTimers();
    answers = [failure(401, 20021, '当前账号已在其他地方，请重新登录'), failure(500, 30094, '服务器端出错')];
    await caught(api.get('/v1/a'));
    await caught(api.get('/v1/b'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown()).toBe('当前账号已在其他地方，请重新登录');
    expect(useToasts.getState().current?.action?.text).toBe('重新登录');
    expect(went).not.toHaveBeenCalled();
    toast.close();
    expect(went).toHaveBeenCalledWith('/');
    expect(currentToken()).toBeNull();
  });

  it('clears the session silently on a public page', async () => {
    at('/help/frequency/');
    answers = [failure(401, 30091, '请先登录')];
    await caught(api.get('/v1/user'));
    expect(currentToken()).toBeNull();
    expect([shown(), went.mock.calls.length]).toEqual([null, 0]);
  });

  it('ignores the 401 of a token that has been replaced since', async () => {
    let arrive: (response: Response) => void = () => undefined;
    answers = [new Promise<Response>((resolve) => (arrive = resolve))];
    const late = caught(api.get('/v1/a'));
    startSession('new', null);
    arrive(failure(401, 20021, ''));
    await late;
    expect([currentToken(), shown()]).toEqual(['new', null]);
  });

  it.each([
    [400, '错误请求'],
    [403, '拒绝访问'],
    [404, '未找到该资源'],
    [405, '请求方法未允许'],
    [408, '请求超时'],
    [500, '服务器端出错'],
    [501, '网络未实现'],
    [502, '网络错误'],
    [503, '服务不可用'],
    [504, '网络超时'],
    [505, 'http版本不支持该请求'],
    [418, '连接到服务器失败'],
  ])('says what status %i means when the server says nothing', async (status, text) => {
    answers = [answer(status, '<html>')];
    await caught(api.get('/v1/x'));
    expect(shown()).toBe(text);
  });

  it('says that a call took too long', async () => {
    vi.useFakeTimers();
    answers = ['never'];
    const error = caught(api.get('/v1/x', { timeout: 1000 }));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await error).fault).toBe('timeout');
    expect(shown()).toBe('请求超时，请检查网络后重试');
  });

  it('says that the server cannot be reached', async () => {
    answers = [new TypeError('failed')];
    expect((await caught(api.get('/v1/x'))).fault).toBe('network');
    expect(shown()).toBe('连接到服务器失败');
  });

  it('says nothing when the caller gave up', async () => {
    answers = ['never'];
    const controller = new AbortController();
    const error = caught(api.get('/v1/x', { signal: controller.signal }));
    controller.abort();
    expect((await error).fault).toBe('cancelled');
    expect(shown()).toBeNull();
  });
});
