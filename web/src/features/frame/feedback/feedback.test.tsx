import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { queryClient } from '../../../lib/query-client.ts';
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
  history.replaceState(null, '', '/');
});

it('sends what was written and only the facts that stay ticked, then shows what became of it', async () => {
  const user = userEvent.setup();
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
