import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { queryClient } from '../../../lib/query-client.ts';
import { useSession } from '../../../lib/session.ts';
import { useSignIn } from '../../../lib/sign-in.ts';
import { FeedbackDialog } from './feedback-dialog.tsx';

interface Sent {
  path: string;
  body: Record<string, unknown> | null;
}
let sent: Sent[] = [];
const mine = {
  id: 7,
  type: 'fault',
  state: 'answered',
  images: 0,
  created_at: '2026-11-01T00:00:00Z',
  messages: [
    { by: 'person', text: '导出的图里少了图例', at: '2026-11-01T00:00:00Z' },
    { by: 'desk', text: '已经修好了', at: '2026-11-02T00:00:00Z' },
  ],
};

beforeEach(() => {
  sent = [];
  history.replaceState(null, '', '/s/secretcode');
  vi.stubGlobal('fetch', async (url: string, call: { method: string; body: string | null }) => {
    if (call.method === 'POST') sent.push({ path: url.split('?')[0] ?? '', body: JSON.parse(call.body ?? 'null') });
    const data = call.method === 'POST' ? mine : { total: 1, list: [mine] };
    return new Response(JSON.stringify({ status_code: 1, data }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  useSession.setState({ token: null });
  history.replaceState(null, '', '/');
});

it('takes a visitor by a captcha, without pictures, and asks again after one that was given up', async () => {
  const user = userEvent.setup();
  const onClose = vi.fn<() => void>();
  render(
    <QueryClientProvider client={queryClient}>
      <FeedbackDialog onClose={onClose} />
    </QueryClientProvider>,
  );
  expect(screen.queryByText('我的反馈')).toBeNull();
  expect(screen.queryByRole('button', { name: '添加截图' })).toBeNull();
  await user.type(screen.getByLabelText('内容'), '首页的字太小了');
  for (const ticket of [null, { ticket: 't1', rand: 'r1' }]) {
    await user.click(screen.getByRole('button', { name: /提交反馈/ }));
    await waitFor(() => expect(useSignIn.getState().captcha).not.toBeNull());
    expect(sent).toEqual([]);
    useSignIn.getState().captcha?.(ticket);
    await waitFor(() => expect(useSignIn.getState().captcha).toBeNull());
  }
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toMatchObject([
    { path: '/v1/feedback/visitor', body: { text: '首页的字太小了', ticket: 't1', rand: 'r1' } },
  ]);
});

it('sends what was written and only the facts that stay ticked, then shows what became of it', async () => {
  const user = userEvent.setup();
  useSession.setState({ token: 'a.b.c' });
  render(
    <QueryClientProvider client={queryClient}>
      <FeedbackDialog onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await user.type(screen.getByLabelText('内容'), '坏了');
  await user.click(screen.getByRole('button', { name: '提交反馈' }));
  expect(screen.getByText('内容至少 5 个字')).toBeTruthy();
  expect(sent).toEqual([]);
  await user.type(screen.getByLabelText('内容'), '，图例没有了');
  await user.click(screen.getByRole('radio', { name: '问题报错' }));
  await user.click(screen.getByRole('checkbox', { name: /浏览器/ }));
  await user.click(screen.getByRole('button', { name: '提交反馈' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.path).toBe('/v1/feedback');
  const { request_id: id, context, ...body } = sent[0]?.body ?? {};
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(body).toEqual({ type: 'fault', text: '坏了，图例没有了', images: [], contact: null });
  // Of a secret address only which kind it is; nothing of what was unticked.
  expect(context).toMatchObject({ page: '/s/' });
  expect(context).not.toHaveProperty('browser');
  expect(await screen.findByText('已经修好了')).toBeTruthy();
  expect(screen.getByText('已回复')).toBeTruthy();

  await user.click(screen.getByRole('button', { name: '补充说明' }));
  await user.type(screen.getByLabelText('补充说明'), '还是没有');
  await user.click(screen.getByRole('button', { name: /^发 ?送$/ }));
  await waitFor(() => expect(sent[1]).toEqual({ path: '/v1/feedback/7/messages', body: { text: '还是没有' } }));
});
