import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { PageFeedback } from './page-feedback.tsx';

const answer = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const fetching = vi.fn<typeof fetch>();

beforeEach(() => {
  fetching.mockReset();
  vi.stubGlobal('fetch', fetching);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PageFeedback slug="independent-t-test" version={2} />
    </QueryClientProvider>,
  );
});
const sent = (): unknown => {
  const body = fetching.mock.calls[0]?.[1]?.body;
  return typeof body === 'string' ? JSON.parse(body) : body;
};

test('有 is one click', async () => {
  fetching.mockResolvedValue(answer(200, { status_code: 1, err_code: 0, msg: '', data: { taken: true } }));
  await userEvent.click(screen.getByRole('button', { name: '有' }));
  expect(await screen.findByText('谢谢，已记下。')).toBeTruthy();
  expect(sent()).toEqual({ slug: 'independent-t-test', version: 2, verdict: 'yes', reason: null, text: '' });
});

test('没解决 asks why; what was written stays where it could not be sent', async () => {
  fetching.mockResolvedValue(answer(429, { status_code: 0, err_code: 30096, msg: '太频繁了', data: null }));
  await userEvent.click(screen.getByRole('button', { name: '没解决' }));
  await userEvent.click(screen.getByRole('radio', { name: '有错' }));
  await userEvent.type(screen.getByRole('textbox', { name: /哪里没解决/ }), '公式少了平方');
  await userEvent.click(screen.getByRole('button', { name: /提\s*交/ }));
  expect((await screen.findByRole('alert')).textContent).toContain('写的内容还在');
  expect(sent()).toMatchObject({ verdict: 'no', reason: 'wrong', text: '公式少了平方' });
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('公式少了平方');
});
