import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';

import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { type SessionUser, useSession } from '../../lib/session.ts';
import { CreditsPage } from './credits-page.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
  useSession.setState({ token: null, user: null });
  localStorage.clear();
});

const record = {
  id: 1,
  created_at: '2026-11-01T00:00:00Z',
  kind: 'adjust',
  title: '补记',
  amount: -20,
  balance_after: 1300,
  ref: '',
};

/** The page of somebody, with the paths it asked for. */
function open(identity: 1 | 2 | 3 | null, list: unknown[] = []): string[] {
  const asked: string[] = [];
  const me = { id: 7, identity } as unknown as SessionUser;
  if (identity !== null) useSession.setState({ token: 'a.b.c', user: me });
  vi.spyOn(api, 'get').mockImplementation(async (path) => {
    asked.push(path);
    const account = { total_amount: 1300, pending: 0, expiring: [], held_reason: null };
    return path === '/v1/user' ? me : path.endsWith('account') ? account : { total: list.length, list };
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/credits']}>
        <CreditsPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return asked;
}

test('a person sees the balance, and that nothing has moved yet', async () => {
  open(1);
  expect(await screen.findByText('1,300')).toBeTruthy();
  expect(await screen.findByText('还没有积分记录')).toBeTruthy();
  expect(screen.getByRole('heading', { name: '解锁算法' })).toBeTruthy();
});

test('every movement stands with its sign and what was left', async () => {
  open(3, [record]);
  const row = (await screen.findByText('补记')).closest('tr');
  expect([...(row?.children ?? [])].slice(1).map((cell) => cell.textContent)).toEqual([
    '补记',
    '客服调整',
    '−20',
    '1,300',
  ]);
});

test('an enterprise is told where credits are, and asks for none', async () => {
  const asked = open(2);
  expect(await screen.findByText('企业版不参与积分活动，可切换到个人版查看。')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: '积分规则' })).toBeNull();
  expect(asked.filter((path) => path.includes('credits'))).toEqual([]);
});

test('a visitor reads the rules and is offered to sign in', () => {
  const asked = open(null);
  expect(screen.getByRole('heading', { name: '积分规则' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /登\s*录/ })).toBeTruthy();
  expect(asked).toEqual([]);
});
