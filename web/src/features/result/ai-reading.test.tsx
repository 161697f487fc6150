import type { AiResult } from '@hengxi/server/ai/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { open, serve } from '../../report/testing/server.tsx';
import { AiReading } from './ai-reading.tsx';
import type { OpenReport } from './queries.ts';

vi.setConfig({ testTimeout: 30_000 });

const URL = '/v1/analysis/reports/5/ai-result';
const NONE: AiResult = {
  state: 'none',
  attempt: 0,
  run_id: null,
  price: 1,
  balance: 2,
  provider: '沙箱',
  consented: false,
  sends: '[{"role":"system"}]',
  sentences: [],
  rules: [[{ text: '结论：' }, { text: '两组没有差异。', ref: 's1' }]],
  reason: null,
  stale: false,
  content_id: null,
  made_at: null,
};
const DONE: AiResult = {
  ...NONE,
  state: 'done',
  attempt: 1,
  balance: 1,
  consented: true,
  sentences: [[{ text: '先看结论：' }, { text: '两组没有差异。', ref: 's1' }]],
  content_id: 'AI-7',
};
const show = (result: AiResult, begun: unknown = DONE) => {
  const asked = serve({ [`GET ${URL}`]: () => result, [`POST ${URL}`]: () => begun });
  // The card reads the number and the key of the report only.
  const report = { rid: 5, key: 'k' } as OpenReport;
  open('/', '/', <AiReading report={report} />);
  return asked;
};

test('nothing is sent before price and content were shown and agreed to', async () => {
  const asked = show(NONE);
  fireEvent.click(await screen.findByRole('button', { name: '开始 AI 解读（1 点，余 2 点）' }));
  expect(screen.getByText('[{"role":"system"}]')).toBeTruthy();
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: /同意并开始/ }));
  expect(await screen.findByText('先看结论：两组没有差异。')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ after: 0, consent: true });
  expect(screen.getByText(/由AI生成，请核对（AI-7）/)).toBeTruthy();
});

test('refusing sends nothing; without points the way to buy them is there', async () => {
  const asked = show({ ...NONE, balance: 0 });
  fireEvent.click(await screen.findByRole('button', { name: /开始 AI 解读/ }));
  expect(screen.getByRole('link', { name: '购买点数' }).getAttribute('href')).toBe('/member/aipaid');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /同意并开始/ }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: '不发送' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.every(({ method }) => method === 'GET')).toBe(true);
});

test('a refusal of the server stays in the dialog', async () => {
  show(NONE, { status: 200, err_code: 30102, msg: 'AI服务繁忙，请稍后再试' });
  fireEvent.click(await screen.findByRole('button', { name: /开始 AI 解读/ }));
  fireEvent.click(screen.getByRole('button', { name: /同意并开始/ }));
  expect(await screen.findByText('AI服务繁忙，请稍后再试')).toBeTruthy();
});

test('without a model the reading by rules is open; a failed one says why, an old one that it is old', async () => {
  show({ ...DONE, provider: null, sentences: [] });
  expect(await screen.findByText(/这里没有可用的模型/)).toBeTruthy();
  expect(screen.getByText('规则解读（免费）').closest('details')?.open).toBe(true);
});

test('why there is none, and that a stored one is about an old result', async () => {
  show({ ...DONE, state: 'failed', stale: true, reason: '未通过核对，已退回 1 点。' });
  expect(await screen.findByText('未通过核对，已退回 1 点。')).toBeTruthy();
  expect(screen.getByText(/基于旧结果/)).toBeTruthy();
  expect(screen.getByRole('button', { name: /重新解读/ })).toBeTruthy();
});
