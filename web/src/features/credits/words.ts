/** How the credits centre says kinds, states, amounts and days. */
import { integer } from '@hengxi/contracts/format';
import { yuan } from '@hengxi/contracts/price';
import type { Ad } from '@hengxi/server/campaigns/schema';
import type { CreditAccount, CreditKind } from '@hengxi/server/credits/schema';
import type { GrantKind, Granted, LimitPeriod, MallItem, MallOrderState } from '@hengxi/server/mall/schema';
import type { Quest, QuestKind } from '@hengxi/server/quests/schema';

import { formatDay } from '../../lib/format-size.ts';

/** Whoever signs in from a page of credits stays on it (specification section 4). */
export const SOURCE = 'reward-square';

export const CHANGE_KINDS: Record<CreditKind, string> = {
  quest: '任务奖励',
  campaign: '活动奖励',
  refund: '退回',
  mall: '兑换',
  expire: '到期',
  clawback: '扣回',
  adjust: '客服调整',
};

export const QUEST_KINDS: Record<QuestKind, string> = {
  once: '一次',
  daily: '每天',
  weekly: '每周',
  streak: '多日',
  count: '累计',
};

export const ORDER_STATES: Record<MallOrderState, string> = {
  done: '已完成',
  refunded: '已退回',
  returned: '已折算退回',
};

const PERIODS: Record<LimitPeriod, string> = { day: '每天', week: '每周', month: '每月', year: '每年', ever: '每人' };

/** 每月限兑 1 件; empty where everybody may have as many as they can pay. */
export function limitText({ per_user_limit: limit, limit_period: period }: MallItem): string {
  return limit === null ? '' : `${PERIODS[period]}限兑 ${integer(limit)} 件`;
}

/** What a purchase brings, in a few words. */
export function givesText(kind: GrantKind, value: number): string {
  switch (kind) {
    case 'vip_days':
      return `会员 ${integer(value)} 天`;
    case 'ai_points':
      return `AI 点数 ${integer(value)} 点`;
    case 'algorithm':
      return `解锁一个方法 ${integer(value)} 天`;
    case 'coupon':
      return `¥${yuan(value)} 优惠码`;
  }
}

/** What an exchange brought. */
export function gotText({ kind, value, method, until }: Granted): string {
  const what = kind === 'algorithm' && method !== null ? `解锁“${method.title}”` : givesText(kind, value);
  return until === null ? what : `${what}，至 ${lastDay(until)}`;
}

/** On which condition it can be given back: said before and after. */
export const REFUND_RULES: Record<GrantKind, string> = {
  vip_days: '会员天数需要退回时由客服处理，在“意见反馈”里说明即可。',
  ai_points: '24 小时内没有用过这些点数，可以在“我的兑换”里退回。',
  algorithm: '24 小时内没有用它运行过分析，可以在“我的兑换”里退回；之后开通会员，没用完的天数折成积分退回。',
  coupon: '24 小时内没有使用，可以在“我的兑换”里退回。',
};

/** Of the same task in several periods each has its record. */
export const questKey = ({ id, record_id: record }: Quest): string => `${id}-${record ?? 'new'}`;

/** The last day something is good for: an end at midnight belongs to the day before. */
export const lastDay = (end: string): string => formatDay(new Date(end).getTime() - 1);

/** 12 月 31 日. */
function monthDay(end: string): string {
  const [, month, day] = lastDay(end).split('-');
  return `${Number(month)} 月 ${Number(day)} 日`;
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

/** 待到账 50, 30 天内到期 40（12 月 31 日）: what is more to say of a balance; what is 0 is not said. */
export function balanceNotes({ pending, expiring }: CreditAccount, now: number): string[] {
  const soon = expiring.filter(({ at }) => new Date(at).getTime() - now <= SOON_DAYS * DAY_MS);
  const amount = soon.reduce((sum, lot) => sum + lot.amount, 0);
  const days = soon.map(({ at }) => monthDay(at)).join('、');
  return [
    ...(pending > 0 ? [`待到账 ${integer(pending)}`] : []),
    ...(amount > 0 ? [`${SOON_DAYS} 天内到期 ${integer(amount)}（${days}）`] : []),
  ];
}

export const ACTIVITY_STATES: Record<Ad['status'], string> = { running: '进行中', planned: '未开始', ended: '已结束' };

/** 2025-06-15 至 2025-08-04. */
export const datesText = ({ starts_at: start, ends_at: end }: Pick<Ad, 'starts_at' | 'ends_at'>): string =>
  `${formatDay(start)} 至 ${lastDay(end)}`;
