import type { Expert } from '@hengxi/server/expert-questionnaires/schema';
import { expect, test } from 'vitest';

import { messageTo, toRemind } from './messages.ts';

const expert = (part: Partial<Expert>): Expert => ({
  id: 1,
  code: 'E01',
  name: null,
  channel: 'personal',
  quescode: 'abc',
  state: 'invited',
  late: false,
  answered: 0,
  asked: 3,
  saved_at: null,
  reminders: 0,
  reminded_at: null,
  signs: [],
  ...part,
});

test('a message carries the name, the link and the end of its expert', () => {
  const text = messageTo('{姓名}：{链接}，{截止}；{姓名}', expert({ name: '王' }), null);
  expect(text).toBe(`王：${location.origin}/pro-analysis/answer/abc，另行通知；王`);
});

test('reminders go to who has not handed in, those who have not started first, each once a day', () => {
  const now = new Date('2026-01-02T00:00:00Z').getTime();
  const list = [
    expert({ id: 1, state: 'working' }),
    expert({ id: 2, state: 'submitted' }),
    expert({ id: 3, state: 'withdrawn', quescode: null }),
    expert({ id: 4, state: 'invited' }),
    expert({ id: 5, reminded_at: '2026-01-01T12:00:00Z' }),
    expert({ id: 6, state: 'opened', reminded_at: '2026-01-01T00:00:00Z' }),
  ];
  expect(toRemind(list, now).map(({ id }) => id)).toEqual([4, 6, 1]);
});
