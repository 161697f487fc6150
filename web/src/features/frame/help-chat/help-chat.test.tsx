import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { useSession } from '../../../lib/session.ts';
import { open, serve } from '../../../report/testing/server.tsx';
import { HelpChat } from './help-chat.tsx';
import { useTalk } from './use-help-chat.ts';

vi.setConfig({ testTimeout: 30_000 });

const TOKEN = 'GET /v1/ai/customer/chat/token';
const MESSAGES = 'POST /v1/ai/customer/chat/messages';
const LINKS = [{ title: '独立样本t检验', heading: '用途', url: '/help/independent-t-test/' }];

beforeEach(() => useTalk.setState({ turns: [], draft: '' }));

function show(answer: () => unknown) {
  let tokens = 0;
  const asked = serve({ [TOKEN]: () => ({ access_token: `t${(tokens += 1)}` }), [MESSAGES]: answer });
  open('/', '/', <HelpChat />);
  return asked;
}
const ask = (text: string): void => {
  const field = screen.getByRole('textbox', { name: '你的问题' });
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key: 'Enter' });
};

test('an answer says where it is from and leads there; the note stands above', async () => {
  const asked = show(() => ({ kind: 'answer', sentences: ['比较两组均值。'], links: LINKS }));
  expect(screen.getByText(/内容由AI生成，仅供参考/)).toBeTruthy();
  ask('两组怎么比');
  expect(await screen.findByText('比较两组均值。')).toBeTruthy();
  expect(screen.getByText('摘自帮助中心')).toBeTruthy();
  expect(screen.getByRole('link', { name: '独立样本t检验 · 用途' }).getAttribute('href')).toBe(LINKS[0]?.url);
  expect(asked.at(-1)?.body).toMatchObject({ text: '两组怎么比' });
});

test.each([
  [{ kind: 'none', sentences: [], links: LINKS }, /没有找到可靠的说明/],
  [{ kind: 'people', sentences: [], links: [] }, /由人工处理/],
  [{ status: 200, err_code: 30107, msg: '今天的提问次数已用完，可转人工' }, /提问次数已用完/],
])('nothing is made up: %o', async (answer, text) => {
  show(() => answer);
  ask('退款');
  expect(await screen.findByText(text)).toBeTruthy();
});

test('a token that has run out is replaced, once', async () => {
  let calls = 0;
  const asked = show(() =>
    (calls += 1) === 1
      ? { status: 200, err_code: 30108, msg: '对话已过期' }
      : { kind: 'answer', sentences: ['好。'], links: [] },
  );
  ask('方差');
  expect(await screen.findByText('好。')).toBeTruthy();
  expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test('whoever signs in next finds nothing of the talk', async () => {
  show(() => ({ kind: 'answer', sentences: ['好。'], links: [] }));
  ask('方差');
  await screen.findByText('好。');
  useSession.setState({ token: 'another' });
  expect(useTalk.getState().turns).toEqual([]);
});
