import type { Limits } from '@hengxi/server/membership/schema';
import { describe, expect, it } from 'vitest';

import { gains, linesOf } from './editions.ts';

const standard: Limits = {
  edition: 'standard',
  upload_bytes: 20 * 1024 ** 2,
  storage_bytes: 500 * 1024 ** 2,
  files: 200,
  rows: 10_000,
  analyses_day: 50,
  scripts_day: 3,
  member_methods: false,
  own_scripts: false,
  questionnaires: false,
  advanced_charts: false,
  flow_models: false,
  dashboards: false,
};
const member: Limits = {
  ...standard,
  edition: 'member',
  upload_bytes: 1024 ** 3,
  storage_bytes: 20 * 1024 ** 3,
  rows: null,
  analyses_day: null,
  scripts_day: null,
  member_methods: true,
  own_scripts: true,
  questionnaires: true,
  advanced_charts: true,
};

const SHOP = [{ tier: 'standard' }];

describe('what a membership brings', () => {
  it('is exactly where its limits differ, in the words of the limits', () => {
    expect(gains([standard, member], linesOf(SHOP), 'member')).toEqual([
      { title: '单个文件', now: '1 GB', before: '20 MB' },
      { title: '存储空间', now: '20 GB', before: '500 MB' },
      { title: '一次分析的行数', now: '不限', before: '10,000 行' },
      { title: '每日分析', now: '不限', before: '50 次' },
    ]);
  });

  it('names methods for members only where there is one', () => {
    const titles = (methods: { tier: string }[]) =>
      gains([standard, member], linesOf(methods), 'member').map(({ title }) => title);
    expect(titles(SHOP)).not.toContain('会员方法');
    expect(titles([...SHOP, { tier: 'member' }])).toContain('会员方法');
  });

  it('is nothing while the editions are unknown', () => {
    expect(gains([], linesOf(SHOP), 'member')).toEqual([]);
    expect(gains([standard], linesOf(SHOP), 'member')).toEqual([]);
  });
});
