import { render, renderHook, screen, waitFor } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { recheckMethods, useLockedMethod, useMethodAccess, useTellLocked } from '../../lib/method-access.ts';
import { prompts, usePrompts } from '../../lib/prompts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { type SessionUser, useSession } from '../../lib/session.ts';
import { type Asked, serve } from '../../report/testing/server.tsx';
import { LockedMethod } from './locked-method.tsx';

const PATH = 'made_up/method';
let reason: string | null;
let asked: Asked[];

beforeEach(() => {
  reason = 'method';
  asked = serve({
    'GET /v1/user': () => useSession.getState().user,
    'GET /v1/usage_limit/algorithm/check': () => ({
      allowed: reason !== 'method',
      reason,
      until: reason === 'unlocked' ? '2026-12-01T00:00:00Z' : null,
    }),
  });
});
afterEach(() => {
  queryClient.clear();
  useSession.setState({ token: null, user: null });
  localStorage.clear();
});

const checks = () => asked.filter(({ path }) => path.endsWith('/check')).length;
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);
function access(identity: 1 | 2 | 3, tier: string) {
  useSession.setState({ token: 'a.b.c', user: { id: 7, identity } as unknown as SessionUser });
  return renderHook(
    () => {
      const found = useMethodAccess(PATH, tier);
      useTellLocked(PATH, '某方法', found.state === 'locked');
      return found;
    },
    { wrapper },
  );
}

test("a members' method is locked for who is none, until it is unlocked", async () => {
  const { result, unmount } = access(1, 'member');
  expect(result.current.state).toBe('asking');
  await waitFor(() => expect(result.current.state).toBe('locked'));
  expect(useLockedMethod.getState().method).toEqual({ path: PATH, title: '某方法' });
  reason = 'unlocked';
  await recheckMethods();
  await waitFor(() => expect(result.current).toEqual({ state: 'open', until: '2026-12-01T00:00:00Z' }));
  expect(useLockedMethod.getState().method).toBeNull();
  unmount();
});

test('another limit than the method does not lock it, and an offer goes with its page', async () => {
  const { result, unmount } = access(1, 'member');
  await waitFor(() => expect(result.current.state).toBe('locked'));
  unmount();
  expect(useLockedMethod.getState().method).toBeNull();
  reason = 'analyses_day';
  queryClient.clear();
  const again = access(1, 'member');
  await waitFor(() => expect(again.result.current.state).toBe('open'));
});

test.each([
  [1, 'standard'],
  [2, 'member'],
  [3, 'member'],
] as const)('nothing is asked for identity %s and a method of tier %s', (identity, tier) => {
  const { result } = access(identity, tier);
  expect(result.current).toEqual({ state: 'open', until: null });
  expect(checks()).toBe(0);
});

test('both ways to a locked method stand side by side and look alike', () => {
  render(<LockedMethod path={PATH} title="某方法" />);
  const [member, unlock] = screen.getAllByRole('button');
  expect([member?.textContent, unlock?.textContent]).toEqual(['升级会员', '用积分解锁']);
  expect(member?.className).toBe(unlock?.className);
  unlock?.click();
  expect(usePrompts.getState().unlock).toEqual({ path: PATH, title: '某方法' });
  prompts.closeUnlock();
});
