import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';

import { useToasts } from '../../../lib/toast.ts';
import { LEAVE_TEXT, LeaveGuard, SCRIPT_TEXT } from './leave-guard.tsx';

vi.setConfig({ testTimeout: 30_000 });

function open(guard: { needSave: boolean; scriptRunning?: boolean }) {
  const onSave = vi.fn<() => Promise<void>>().mockResolvedValue();
  const onDiscard = vi.fn<() => void>();
  const page = (
    <>
      <Link to="/other">离开</Link>
      <Link to="/analysis/operation/8" state={{ inPlace: true }}>
        新版本
      </Link>
      <LeaveGuard {...guard} onSave={onSave} onDiscard={onDiscard} />
    </>
  );
  const router = createMemoryRouter(
    [
      { path: '/analysis/operation/:vid', element: page },
      { path: '/other', element: <p>别的页面</p> },
    ],
    { initialEntries: ['/analysis/operation/7'] },
  );
  render(<RouterProvider router={router} />);
  return { user: userEvent.setup(), router, onSave, onDiscard };
}

test('unsaved: 保存 saves and goes on', async () => {
  const { user, onSave } = open({ needSave: true });
  await user.click(screen.getByText('离开'));
  expect(await screen.findByText(LEAVE_TEXT)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^保\s*存$/ }));
  expect(await screen.findByText('别的页面')).toBeTruthy();
  expect(onSave).toHaveBeenCalledOnce();
});

test('unsaved: 不保存 throws away and goes on; closing stays', async () => {
  const { user, router, onDiscard } = open({ needSave: true });
  await user.click(screen.getByText('离开'));
  await user.click(await screen.findByRole('button', { name: '关闭' }));
  expect(router.state.location.pathname).toBe('/analysis/operation/7');
  await user.click(screen.getByText('离开'));
  await user.click(await screen.findByRole('button', { name: '不保存' }));
  expect(await screen.findByText('别的页面')).toBeTruthy();
  expect(onDiscard).toHaveBeenCalledOnce();
});

test('the address following the analysis is no leaving', async () => {
  const { user, router } = open({ needSave: true });
  await user.click(screen.getByText('新版本'));
  expect(router.state.location.pathname).toBe('/analysis/operation/8');
});

test('a running script cannot be left', async () => {
  const { user, router } = open({ needSave: false, scriptRunning: true });
  await user.click(screen.getByText('离开'));
  expect(useToasts.getState().current?.text).toBe(SCRIPT_TEXT);
  expect(router.state.location.pathname).toBe('/analysis/operation/7');
});
