import { expect, test } from 'vitest';

import { differences, shown } from './words.ts';

test('an approver reads yuan, the words of numbers, and instants in the time of China', () => {
  const detail = {
    before: {
      kind: 'asked',
      state: 'asked',
      bank: '工商银行',
      amountFen: 29900,
      method: 4,
      createdAt: '2026-11-21T20:00:00Z',
      storageBytes: 500 * 1024 ** 2,
    },
    after: { amount: 100 },
  };
  const told = Object.fromEntries(differences(detail).map(({ key, before, after }) => [key, after || before]));
  expect(told).toEqual({
    金额: '¥1.00',
    类别: '用户申请',
    状态: '申请中',
    开户银行: '工商银行',
    应收: '¥299.00',
    支付方式: '对公转账',
    创建时间: '2026-11-22 04:00:00',
    存储空间: '500 MB',
  });
  expect(shown('2026-11-21T20:00:00Z', 'instant')).toBe('2026-11-22 04:00:00');
});

test('a row as the table keeps it and a form as it was sent stand in one line', () => {
  const detail = {
    before: { discountRate: 100, onSale: true, title: '月度会员' },
    after: { discount_rate: 80, on_sale: true, title: '月度会员' },
  };
  expect(differences(detail)).toEqual([
    { key: '折后百分比', before: '100', after: '80', isChanged: true },
    { key: '在售', before: '是', after: '是', isChanged: false },
    { key: '名称', before: '月度会员', after: '月度会员', isChanged: false },
  ]);
});

test('a share that was stopped and a run that was cancelled are told in words', () => {
  const share = differences({
    before: { ownerKind: 'enterprise', endedAt: null },
    after: { ownerKind: 'enterprise', endedAt: '2026-11-21T20:00:00Z' },
  });
  expect(share).toEqual([
    { key: '结束时间', before: '—', after: '2026-11-22 04:00:00', isChanged: true },
    { key: '所属', before: '企业', after: '企业', isChanged: false },
  ]);
  const run = differences({ before: null, after: { kind: 'report_export', state: 'cancelled' } });
  expect(run.map(({ after }) => after)).toEqual(['导出报告', '已取消']);
});

test('a quest, a reward and an item are told in words, credits never in yuan', () => {
  const told = (detail: unknown) => Object.fromEntries(differences(detail).map(({ key, after }) => [key, after]));
  expect(
    told({
      before: null,
      after: { kind: 'weekly', event: 'analysis_succeeded', counts: 'method', audience: 'all', target: 3 },
    }),
  ).toEqual({ 类别: '每周', 事件: '完成分析', 怎么计数: '不同的方法', 面向: '所有人', 目标: '3' });
  expect(told({ before: { state: 3, heldReason: null }, after: { state: 4, heldReason: '不是本人' } })).toEqual({
    状态: '已作废',
    冻结原因: '不是本人',
  });
  expect(told({ before: { balance: 20 }, after: { balance: 120, credits: 100 } })).toEqual({
    余额: '120',
    积分: '100',
  });
  expect(told({ before: null, after: { grantKind: 'vip_days', limitPeriod: 'month', priceCredits: 80 } })).toEqual({
    得到: '会员天数',
    限兑周期: '每月',
    积分价格: '80',
  });
});
