import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { destinationOf } from './access.ts';
import { applyUrlParameters } from './url-parameters.ts';
import { forgetSource, keepSource, sourceNow } from './campaign-source.ts';
import { setNavigate } from './navigate.ts';
import { prompts, usePrompts } from './prompts.ts';
import { currentToken, endSession, rememberUser, type SessionUser } from './session.ts';
import { accept, receive, SIGNED_IN, useSignIn, versionOf, wayBack } from './sign-in.ts';
import { useToasts } from './toast.ts';

const went = vi.fn<(path: string) => void>();
let calls: { path: string; body: unknown }[] = [];
let answer: () => Response;

const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));
const token = (platform: string) => `h.${btoa(JSON.stringify({ oid: 1, platform }))}.s`;
const signIn = (more: object = {}) => ({
  token: token('pri'),
  co_token: null,
  tokens: [],
  lucky: 0 as const,
  warning: false,
  ...more,
});
const at = (path: string) => history.replaceState(null, '', path);

beforeEach(() => {
  calls = [];
  answer = () => ok(signIn());
  setNavigate(went);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    calls.push({ path: url.replace(/[?&]_rid=\w+/, ''), body });
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  went.mockClear();
  endSession();
  localStorage.clear();
  useSignIn.setState({ arrived: null, leaving: null, claimed: null });
  useToasts.setState({ current: null });
  usePrompts.setState({ login: false, source: null });
  at('/');
});

describe('after a sign-in', () => {
  it('one token counts at once and leads to the workspace of its version', () => {
    receive(signIn({ lucky: 1 }));
    expect(currentToken()).toBe(token('pri'));
    expect(localStorage.getItem('lucky_flag')).toBe('1');
    expect(went).toHaveBeenLastCalledWith('/analysis/index');
    went.mockClear();
    accept({ lucky: 0 }, token('co-7'));
    expect(went).toHaveBeenLastCalledWith(destinationOf(2));
    expect(useToasts.getState().current?.text).toBe('登录成功');
  });

  it('goes back to where the visitor was sent away from, on own pages only', () => {
    at('/?login=1&next=%2Fmydata%2Findex');
    receive(signIn());
    expect(went).toHaveBeenLastCalledWith('/mydata/index');
    at('/?login=1&next=%2F%2Fevil.example');
    receive(signIn());
    expect(went).toHaveBeenLastCalledWith('/analysis/index');
  });

  it('waits for the warning to be read and the account to be chosen', () => {
    receive(signIn({ warning: true }));
    expect(currentToken()).toBeNull();
    expect(useSignIn.getState().arrived?.warning).toBe(true);
    receive(signIn({ co_token: token('co-7') }));
    expect(currentToken()).toBeNull();
    accept({ lucky: 0 }, token('co-7'));
    expect([versionOf(currentToken() ?? ''), useSignIn.getState().arrived]).toEqual([2, null]);
  });

  it('stays on pages that asked for it, and tells them', () => {
    const heard = vi.fn<(event: Event) => void>();
    addEventListener(SIGNED_IN, heard);
    prompts.openLogin('vip-price');
    receive(signIn());
    expect(heard).toHaveBeenCalledOnce();
    expect(went).not.toHaveBeenCalled();
    prompts.openLogin('enterprise-invite');
    at('/enterprise/invite?code=abc');
    expect(wayBack()).toBe('/enterprise/invite?code=abc');
    receive(signIn());
    expect([heard.mock.calls.length, went.mock.calls.length]).toEqual([2, 0]);
    removeEventListener(SIGNED_IN, heard);
    expect(wayBack()).toBeNull();
    prompts.openLogin('elsewhere');
    receive(signIn());
    expect(went).toHaveBeenCalledOnce();
  });
});

describe('what an address brings', () => {
  it('a hand-off ticket is exchanged, after it has left the address', async () => {
    at('/oauth/login?token=ticket-1&next=%2Fmember');
    await applyUrlParameters();
    expect(location.search).toBe('?next=%2Fmember');
    expect(calls[0]?.path).toBe('/api/oauth/authorize?token=ticket-1');
    expect(went).toHaveBeenLastCalledWith('/member');
  });

  it('a whole token is asked about and counts for nothing until then', async () => {
    at(`/?token=${token('pri')}`);
    await applyUrlParameters();
    expect(location.search).toBe('');
    expect(calls).toEqual([]);
    expect(currentToken()).toBeNull();
    expect(useSignIn.getState().claimed).toBe(token('pri'));
  });

  it('an openId is a claim: refused, it is dropped without a word', async () => {
    answer = () => new Response(JSON.stringify({ status_code: 0, err_code: 30007, msg: '无法确认' }));
    at('/?openId=o1&nickName=%E6%9D%8E&noncestr=n&signature=s&utm_source=x');
    await applyUrlParameters();
    expect(location.search).toBe('?utm_source=x');
    expect(calls[0]?.body).toEqual({ openid: 'o1', nickname: '李', noncestr: 'n', signature: 's', username: '' });
    expect([currentToken(), useToasts.getState().current]).toEqual([null, null]);
  });

  it('an error is text of at most 100 characters for four seconds', async () => {
    at(`/?error_msg=${encodeURIComponent(`<b>${'错'.repeat(200)}`)}`);
    await applyUrlParameters();
    const shown = useToasts.getState().current;
    expect([shown?.text.length, shown?.ms, shown?.kind]).toEqual([100, 4000, 'warn']);
  });
});

describe('the campaign source', () => {
  it('is kept for two days, whatever the clock does, and forgotten by a sign-in', () => {
    keepSource('x', 1000);
    expect(localStorage.getItem('utm_source')).toBe('x');
    expect(sourceNow(1000 + 2 * 86_400_000 - 1)).toBe('x');
    expect(sourceNow(1000 + 2 * 86_400_000)).toBeNull();
    keepSource('w', 5000);
    expect(sourceNow(4000)).toBe('w');
    keepSource('y', 10 * 86_400_000);
    expect(sourceNow(0)).toBeNull();
    keepSource('z');
    receive(signIn());
    expect([sourceNow(), localStorage.getItem('utm_source')]).toEqual([null, null]);
    forgetSource();
  });
});

describe('the stored enterprise', () => {
  it('is written for its admins, and goes with the right and the session', () => {
    const user = { id: 1, enterprise: [{ id: 12, name: '甲' }], is_enterprise_admin: true } as SessionUser;
    rememberUser(user);
    expect(localStorage.getItem('EEId')).toBe('12');
    rememberUser({ ...user, is_enterprise_admin: false });
    expect(localStorage.getItem('EEId')).toBeNull();
    rememberUser(user);
    localStorage.setItem('ee-manager-before', '/dashboards');
    endSession();
    expect([localStorage.getItem('EEId'), localStorage.getItem('ee-manager-before')]).toEqual([null, null]);
  });
});
