import type { AdDetail } from '@hengxi/server/campaigns/schema';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

import { ActivitiesPage } from './activities-page.tsx';
import { ActivityPage } from './activity-page.tsx';
import { item, leave, quest, visit } from './testing/world.tsx';

afterEach(leave);

const activity: AdDetail = {
  id: 3,
  title: '毕业季',
  cover: null,
  summary: '一起做论文',
  starts_at: '2025-06-14T16:00:00Z',
  ends_at: '2025-08-04T16:00:00Z',
  status: 'running',
  body_md: '## 规则\n\n<img src=x>每人一次',
  quests: [quest],
  items: [item],
  cta: { text: '去参加', url: '/member?tab=invite' },
};

test('activities stand by whether they run, will or did', async () => {
  visit(<ActivitiesPage />, '/credits/activity', null, {
    'GET /v1/campaign/advertisements': () => ({
      total: 2,
      list: [{ ...activity, id: 4, title: '旧活动', status: 'ended' }, activity],
    }),
  });
  const ended = await screen.findByRole('region', { name: '已结束' });
  expect(within(ended).getByRole('link', { name: '旧活动' }).getAttribute('href')).toBe('/credits/activity/4');
  expect(screen.getAllByRole('region').map((one) => one.getAttribute('aria-label'))).toEqual(['进行中', '已结束']);
  expect(within(ended).getByText('2025-06-15 至 2025-08-04')).toBeTruthy();
});

test('one activity: rules without HTML, its tasks and exchanges, the way on', async () => {
  visit(<ActivityPage />, '/credits/activity/3', {}, { 'GET /v1/campaign/advertisements/3': () => activity });
  expect(await screen.findByRole('heading', { level: 1, name: '毕业季' })).toBeTruthy();
  expect(screen.getByText(/<img src=x>每人一次/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: '首次分析' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'AI 点数 10 点' })).toBeTruthy();
  expect(screen.getByRole('button', { name: '去参加' })).toBeTruthy();
});

test('an activity that is over says since when, and leads nowhere', async () => {
  visit(
    <ActivityPage />,
    '/credits/activity/3',
    { identity: 2 },
    {
      'GET /v1/campaign/advertisements/3': () => ({ ...activity, status: 'ended' }),
    },
  );
  expect(await screen.findByText('活动已于 2025-08-04 结束')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '去参加' })).toBeNull();
  // Tasks and exchanges are nothing for an enterprise.
  expect(screen.queryByRole('heading', { name: '首次分析' })).toBeNull();
});

test('an unknown activity is not found', async () => {
  visit(<ActivityPage />, '/credits/activity/9', null);
  expect(await screen.findByRole('heading', { name: '没有这个活动' })).toBeTruthy();
});
