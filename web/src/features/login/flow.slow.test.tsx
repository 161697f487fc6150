import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { setNavigate } from '../../lib/navigate.ts';
import { queryClient } from '../../lib/query-client.ts';
import { currentToken, endSession, startSession } from '../../lib/session.ts';
import { receive, useSignIn } from '../../lib/sign-in.ts';
import { withStepUp } from '../../lib/step-up.ts';
import { api } from '../../lib/api.ts';
import { eventually } from '../../testing/eventually.ts';
import { BindForm } from './bind-form.tsx';
import { SignInFlow } from './sign-in-flow.tsx';
import { WechatPanel } from './wechat-panel.tsx';

const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));
const refused = (err_code: number, msg: string, data: unknown = null, status = 200) =>
  new Response(JSON.stringify({ status_code: 0, err_code, msg, data }), { status });
const token = (platform: string, more: object = {}) => `h.${btoa(JSON.stringify({ oid: 1, platform, ...more }))}.s`;
const signIn = (more: object = {}) => ({
  token: token('pri'),
  co_token: null,
  tokens: [],
  lucky: 0 as const,
  warning: false,
  ...more,
});
let answers: Record<string, () => Response>;
let calls: string[];

const show = (node: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <ConfigProvider button={{ autoInsertSpace: false }}>{node}</ConfigProvider>
    </QueryClientProvider>,
  );

beforeEach(() => {
  answers = { '/v1/site': () => ok({ sandbox: false }) };
  calls = [];
  setNavigate(() => undefined);
  vi.stubGlobal('fetch', async (url: string) => {
    const path = url.split('?')[0] ?? '';
    calls.push(path);
    return answers[path]?.() ?? ok(null);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  act(() => useSignIn.setState({ arrived: null, leaving: null, claimed: null, stepUp: null, bind: false }));
  endSession();
  queryClient.clear();
  localStorage.clear();
});

describe('the WeChat code', () => {
  const code = { ticket: 't', scene: 's', expire_in: 120, url: 'http://x/sandbox/wechat/t', qrcode: 'data:,' };
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it('is 168 px, is asked about every two seconds, expires after two minutes and can be had anew', async () => {
    vi.useFakeTimers();
    answers['/v1/login/weixin/ticket'] = () => ok(code);
    answers['/v1/login/token'] = () => ok({ status: 0 });
    show(<WechatPanel sandbox={false} onSignedIn={() => undefined} />);
    await wait(0);
    expect(screen.getByAltText<HTMLImageElement>('微信登录二维码').width).toBe(168);
    await wait(10_000);
    expect(calls.filter((path) => path === '/v1/login/token')).toHaveLength(5);
    await wait(115_000);
    expect(screen.getByText('二维码已过期，请刷新')).toBeTruthy();
    const asked = calls.length;
    await wait(20_000);
    expect(calls).toHaveLength(asked);
    act(() => screen.getByRole('button', { name: /刷新/ }).click());
    await wait(2000);
    expect(calls.filter((path) => path === '/v1/login/weixin/ticket')).toHaveLength(2);
    expect(screen.queryByText('二维码已过期，请刷新')).toBeNull();
  });

  it('tells of a scan, goes on over lost answers, and hands the sign-in over once', async () => {
    vi.useFakeTimers();
    const steps = [
      () => ok({ status: 2 }),
      () => refused(30094, '出错', null, 500),
      () => ok({ status: 1, ...signIn() }),
    ];
    answers['/v1/login/weixin/ticket'] = () => ok(code);
    answers['/v1/login/token'] = () => (steps.shift() ?? (() => ok({ status: 4 })))();
    const signedIn = vi.fn<(answer: unknown) => void>();
    show(<WechatPanel sandbox={false} onSignedIn={signedIn} />);
    await wait(2000);
    expect(screen.getByText('已扫码，请在手机上确认登录')).toBeTruthy();
    await wait(20_000);
    expect(signedIn).toHaveBeenCalledExactlyOnceWith(signIn());
    expect(calls.filter((path) => path === '/v1/login/token')).toHaveLength(3);
  });

  it('that cannot be had stops loading and says so', async () => {
    answers['/v1/login/weixin/ticket'] = () => refused(30094, '出错', null, 500);
    show(<WechatPanel sandbox={false} onSignedIn={() => undefined} />);
    expect(await screen.findByText('二维码没有加载出来')).toBeTruthy();
  });
});

describe('after a sign-in', () => {
  it('the warning comes before the choice, and nothing counts before both', async () => {
    const user = userEvent.setup();
    show(<SignInFlow />);
    const co = token('co-7', { enterprise_name: 'ACME' });
    act(() => receive(signIn({ warning: true, co_token: co })));
    expect(await screen.findByText('登录异常提醒')).toBeTruthy();
    expect(screen.queryByText('选择账号')).toBeNull();
    await user.click(screen.getByRole('button', { name: '知道了' }));
    await user.click(await screen.findByText('ACME'));
    expect(currentToken()).toBeNull();
    await user.click(screen.getByRole('button', { name: '确定' }));
    expect(currentToken()).toBe(co);
  });

  it('the warning leads to the devices, after the choice where there is one', async () => {
    const user = userEvent.setup();
    const went: string[] = [];
    setNavigate((to) => void went.push(to));
    const own = token('pri');
    show(<SignInFlow />);
    act(() => receive(signIn({ warning: true, token: own })));
    await user.click(await screen.findByRole('button', { name: '检查登录设备' }));
    expect([currentToken(), went]).toEqual([own, ['/member?tab=devices']]);
    const co = token('co-7', { enterprise_name: 'ACME' });
    act(() => receive(signIn({ warning: true, token: own, co_token: co })));
    await user.click(await screen.findByRole('button', { name: '检查登录设备' }));
    expect(went).toHaveLength(1);
    await user.click(await screen.findByText('ACME'));
    await user.click(screen.getByRole('button', { name: '确定' }));
    expect([currentToken(), went.at(-1), went.length]).toEqual([co, '/member?tab=devices', 2]);
  });

  it('a choice that is not made signs nobody in', async () => {
    const user = userEvent.setup();
    show(<SignInFlow />);
    act(() => receive(signIn({ co_token: token('co-7') })));
    await screen.findByText('选择账号');
    await user.click(screen.getByRole('button', { name: '取消' }));
    expect([currentToken(), useSignIn.getState().arrived]).toEqual([null, null]);
  });

  it('an account that is leaving is asked back by name', async () => {
    const user = userEvent.setup();
    answers['/v1/login/phone'] = () =>
      refused(30008, '已注销', { nickname: '李雷', until: '2026-12-01T00:00:00Z', ticket: 'T' });
    answers['/v1/login/restore'] = () => ok(signIn());
    show(<SignInFlow />);
    await act(() => api.post('/v1/login/phone', {}).catch(() => undefined));
    expect(await screen.findByText(/“李雷”已申请注销/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '恢复账号' }));
    await eventually(() => expect(currentToken()).toBe(token('pri')));
  });
});

describe('binding a phone', () => {
  async function bind(user: ReturnType<typeof userEvent.setup>) {
    await user.type(screen.getByRole('textbox', { name: '手机号' }), '13800000001');
    await user.click(screen.getByRole('button', { name: '发送验证码' }));
    await screen.findByRole('button', { name: /重新发送/ });
    await user.type(screen.getByRole('textbox', { name: '验证码' }), '123456');
    await user.click(screen.getByRole('button', { name: '确定' }));
  }

  it('states the law, and offers the clear choice where the number belongs to somebody else', async () => {
    const user = userEvent.setup();
    startSession(token('pri'), null);
    answers['/v1/user/mobile/verify'] = () => ok({ verify_key: 'k' });
    answers['/v1/user/mobile/bind'] = () =>
      refused(30251, '手机号属于另一个账号“韩梅梅”', { nickname: '韩梅梅', keep: 'phone', ticket: 'T' });
    answers['/v1/user/mobile/merge'] = () => ok({ sign_in: signIn({ token: token('pri', { oid: 9 }) }) });
    show(<BindForm onBound={() => undefined} />);
    expect(screen.getByText(/根据国家法律法规要求/)).toBeTruthy();
    await bind(user);
    expect(await screen.findByText('韩梅梅')).toBeTruthy();
    expect(calls).not.toContain('/v1/user/mobile/merge');
    await user.click(screen.getByRole('button', { name: '登录该账号' }));
    await eventually(() => expect(currentToken()).toBe(token('pri', { oid: 9 })));
  });

  it('says at the field that two accounts with data are not merged', async () => {
    const user = userEvent.setup();
    answers['/v1/user/mobile/verify'] = () => ok({ verify_key: 'k' });
    answers['/v1/user/mobile/bind'] = () => refused(30252, '两个账号都有数据，请联系客服合并');
    show(<BindForm onBound={() => undefined} />);
    await bind(user);
    expect(await screen.findByText('两个账号都有数据，请联系客服合并')).toBeTruthy();
  });
});

describe('step-up', () => {
  it('asks for a code, repeats the call, and gives up without one', async () => {
    const user = userEvent.setup();
    startSession(token('pri'), null);
    let proved = false;
    answers['/v1/user/me'] = () =>
      proved ? ok({ until: 'x' }) : refused(30002, '操作需要短信验证', { phone: '138****8000' }, 403);
    answers['/v1/user/step-up/code'] = () => ok({ verify_key: 'k' });
    answers['/v1/user/step-up'] = () => {
      proved = true;
      return ok(null);
    };
    show(<SignInFlow />);
    const call = () => withStepUp(() => api.delete<{ until: string }>('/v1/user/me', { claims: [30002] }));
    const first = call();
    await user.click(await screen.findByRole('button', { name: '关闭' }));
    expect(await first).toBeNull();
    const second = call();
    expect(await screen.findByText(/138\*\*\*\*8000/)).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: '验证码' }), '123456');
    await user.click(screen.getByRole('button', { name: '确定' }));
    expect(await second).toEqual({ until: 'x' });
  });
});
