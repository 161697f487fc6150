import { act, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { secondsLeft, useCountdown } from './countdown.ts';
import { safeNext } from '../../lib/sign-in.ts';
import { PhoneForm } from './phone-form.tsx';
import { onlyDigits } from './rules.ts';

const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));
const refused = (err_code: number, msg: string) => new Response(JSON.stringify({ status_code: 0, err_code, msg }));

const puzzle = { id: 'p', background: 'data:,', piece: 'data:,', width: 300, height: 150, piece_size: 50, y: 20 };
let loginAnswer: () => Response;
let codeAnswer: () => Response;
let bodies: Record<string, unknown>[];

beforeEach(() => {
  bodies = [];
  loginAnswer = () => ok({ token: 't', co_token: null, tokens: [], lucky: 0, warning: false });
  codeAnswer = () => ok({ verify_key: 'k' });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const body: Record<string, unknown> = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    bodies.push({ url: url.split('?')[0], ...body });
    if (url.startsWith('/v1/captcha')) return ok(init.method === 'GET' ? puzzle : { ticket: 'T', rand: 'R' });
    if (url.startsWith('/v1/login/phone/captcha')) return ok(null);
    if (url.startsWith('/v1/login/phone/verify-code')) return codeAnswer();
    return loginAnswer();
  });
});
afterEach(() => vi.unstubAllGlobals());

async function sent(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByLabelText('手机号'), '13800000001');
  await user.click(screen.getByRole('button', { name: '发送验证码' }));
  const knob = await screen.findByRole('slider');
  knob.focus();
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}');
}

describe('the phone form', () => {
  it('says what is wrong with the phone when it is left, and blocks sending until it has 11 digits', async () => {
    const user = userEvent.setup();
    render(<PhoneForm sandbox={false} onSignedIn={() => undefined} />);
    const phone = screen.getByLabelText<HTMLInputElement>('手机号');
    await user.click(phone);
    await user.tab();
    expect(screen.getByText('请输入手机号')).toBeTruthy();
    await user.type(phone, '1380a000');
    await user.tab();
    expect(screen.getByText('请输入正确的手机号')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '发送验证码' }).disabled).toBe(true);
    expect(phone.value).toBe('1380000');
  });

  it('sends after the slider, moved by keys, and counts down', async () => {
    const user = userEvent.setup();
    render(<PhoneForm sandbox onSignedIn={() => undefined} />);
    await sent(user);
    expect(await screen.findByRole('button', { name: /重新发送\((60|59)\)/ })).toBeTruthy();
    expect(bodies.find((body) => body['url'] === '/v1/login/phone/captcha')).toMatchObject({
      phone: '13800000001',
      ticket: 'T',
      rand: 'R',
    });
    expect(bodies.find((body) => body['url'] === '/v1/captcha/slider' && 'x' in body)).toMatchObject({ id: 'p', x: 4 });
    expect(screen.getByText('在这里看验证码')).toBeTruthy();
  });

  it('shows refusals at their field, to the letter', async () => {
    const user = userEvent.setup();
    render(<PhoneForm sandbox={false} onSignedIn={() => undefined} />);
    codeAnswer = () => refused(20011, '验证码发送过于频繁，请稍后再试');
    await sent(user);
    expect(await screen.findByText('验证码发送过于频繁，请稍后再试')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^登 ?录$/ }));
    expect(screen.getByText('验证码不能为空')).toBeTruthy();
    loginAnswer = () => refused(20013, '验证码错误');
    await user.type(screen.getByLabelText('验证码'), '123456789');
    expect(screen.queryByText('验证码不能为空')).toBeNull();
    await user.click(screen.getByRole('button', { name: /^登 ?录$/ }));
    expect(await screen.findByText('验证码错误')).toBeTruthy();
    expect(bodies.at(-1)).toMatchObject({ verify_code: '123456' });
  });
});

describe('rules of signing in', () => {
  it('take full-width digits and nothing else', () => expect(onlyDigits('１３８ a0-0', 11)).toBe('13800'));

  it('count seconds up, never below 0', () => {
    expect(secondsLeft(60_000, 0)).toBe(60);
    expect(secondsLeft(60_000, 59_001)).toBe(1);
    expect(secondsLeft(60_000, 99_000)).toBe(0);
  });

  it('does not care about a clock that is set', async () => {
    vi.useFakeTimers();
    const { result } = renderHook(() => useCountdown(60));
    act(() => result.current.start());
    vi.setSystemTime(Date.now() - 86_400_000);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(result.current.left).toBe(59);
    vi.useRealTimers();
  });

  it('lead to own pages only', () => {
    expect(safeNext('/mydata/index?x=1')).toBe('/mydata/index?x=1');
    expect([safeNext('//evil'), safeNext('/\\evil'), safeNext('https://evil'), safeNext(null)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
