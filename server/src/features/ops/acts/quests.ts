/** Acts on quests and their rewards: editing, beginning and stopping, deciding on what is looked at, taking back. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { Fault } from '../../../lib/errors.ts';
import type { QuestRow } from '../../quests/service.ts';
import { choicesOf, define, field, instant, line, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import { logged } from '../mask.ts';

export const KINDS = { once: '一次', daily: '每日', weekly: '每周', streak: '窗口期内天数', count: '累计' };
export const EVENTS = {
  phone_bound: '绑定手机号',
  file_imported: '上传数据',
  analysis_succeeded: '完成分析',
  report_exported: '导出报告',
  feedback_adopted: '反馈被采纳',
  invite_qualified: '邀请好友',
};
const COUNTS = { subject: '不同的对象，一天一次', method: '不同的方法', day: '不同的日子' };
export const AUDIENCES = { all: '所有人', standard: '标准版', member: '会员' };

const path = z
  .string()
  .trim()
  .max(300)
  .regex(/^\/(?![/\\])/, '链接以 / 开头');
const changed = {
  title: line(40),
  why: line(80),
  target: z.number().int().min(1).max(10_000),
  bonus: z.number().int().min(1).max(10_000),
  starts_at: instant.nullable(),
  ends_at: instant.nullable(),
  audience: z.enum(['all', 'standard', 'member']),
  action_url: path.nullable(),
  campaign_id: z.number().int().positive().max(999_999_999).nullable(),
  sort: z.number().int().min(-1000).max(1000),
};
const Change = z.strictObject(changed);
const New = z.strictObject({
  ...changed,
  code: z.string().regex(/^[a-z0-9-]{2,40}$/, '代码为 2–40 位小写字母、数字或连字符'),
  kind: z.enum(['once', 'daily', 'weekly', 'streak', 'count']),
  event: z.enum([
    'phone_bound',
    'file_imported',
    'analysis_succeeded',
    'report_exported',
    'feedback_adopted',
    'invite_qualified',
  ]),
  counts: z.enum(['subject', 'method', 'day']),
  window: z.number().int().min(2).max(366).nullable(),
  per_year: z.number().int().min(1).max(366).nullable(),
});

const changeFields = [
  field('title', '名称', 'text'),
  field('why', '说明', 'text', { hint: '这样做对用户有什么帮助' }),
  field('target', '目标', 'number'),
  field('bonus', '积分', 'number'),
  field('starts_at', '开始', 'instant', { optional: true }),
  field('ends_at', '结束', 'instant', { optional: true }),
  field('audience', '对象', 'choice', { choices: choicesOf(AUDIENCES) }),
  field('action_url', '去完成的页面', 'text', { optional: true }),
  field('campaign_id', '活动编号', 'number', { optional: true }),
  field('sort', '排序', 'number', { hint: '小的在前' }),
];

const draftOf = (change: z.output<typeof Change>) => ({
  title: change.title,
  why: change.why,
  target: change.target,
  bonus: change.bonus,
  startsAt: change.starts_at,
  endsAt: change.ends_at,
  audience: change.audience,
  actionUrl: change.action_url ?? '',
  campaignId: change.campaign_id,
  sort: change.sort,
});

export function questActs({ db, centre: { quests, credits }, campaigns }: Context): Act[] {
  const { desk } = quests;

  async function look(executor: Db, target: string): Promise<Looked | null> {
    const row = await desk.find(executor, idOf(target) ?? 0);
    return row && row.state !== 'replaced' ? { name: row.title, owner: null, version: row.version, before: row } : null;
  }

  async function lookRecord(executor: Db, target: string): Promise<Looked | null> {
    const row = await desk.record(executor, idOf(target) ?? 0);
    return row && { name: `奖励 ${row.id}`, owner: row.userId, version: row.version, before: row };
  }

  async function lookAppeal(executor: Db, target: string): Promise<Looked | null> {
    const row = await credits.appeals.find(executor, idOf(target) ?? 0);
    return row && { name: `申诉 ${row.id}`, owner: row.userId, version: row.version, before: { state: row.state } };
  }

  async function demandFit(change: z.output<typeof Change>, quest: Pick<QuestRow, 'kind' | 'window' | 'perYear'>) {
    const refuse = (detail: string): Fault => new Fault(30408, { detail });
    if (change.starts_at && change.ends_at && change.ends_at <= change.starts_at)
      throw refuse('结束时间须晚于开始时间');
    if ((quest.kind === 'streak') !== (quest.window !== null)) throw refuse('窗口天数只用于“窗口期内天数”，且必填');
    if (quest.window !== null && change.target > quest.window) throw refuse('目标不能多于窗口天数');
    if (quest.perYear !== null && (quest.kind !== 'count' || change.target !== 1))
      throw refuse('每年次数只用于目标为 1 的“累计”任务');
    if (change.campaign_id !== null && !(await campaigns.shows.hasCampaign(change.campaign_id)))
      throw refuse('没有这个活动');
  }

  const onQuest = { kind: 'quest', look, roles: ['内容'] } as const;
  const onRecord = { kind: 'quest_record', look: lookRecord, roles: ['客服'], isMoney: true } as const;

  return [
    define({
      ...onQuest,
      act: 'quest.make',
      title: '新建任务',
      makes: true,
      payload: New,
      fields: [
        field('code', '代码', 'text'),
        field('kind', '周期', 'choice', { choices: choicesOf(KINDS) }),
        field('event', '事件', 'choice', { choices: choicesOf(EVENTS) }),
        field('counts', '计数', 'choice', { choices: choicesOf(COUNTS) }),
        field('window', '窗口天数', 'number', { optional: true }),
        field('per_year', '每年次数', 'number', { optional: true, hint: '填写后每次单独发放' }),
        ...changeFields,
      ],
      demand: async ({ payload }) => demandFit(payload, { ...payload, perYear: payload.per_year }),
      async run({ tx, payload }) {
        const { code, kind, event, counts, window, per_year: perYear } = payload;
        const { after } = await desk.make(tx, { code, kind, event, counts, window, perYear, ...draftOf(payload) });
        return { before: null, after, target: String(after.id) };
      },
    }),
    define({
      ...onQuest,
      act: 'quest.change',
      title: '修改任务',
      payload: Change,
      fields: changeFields,
      async demand({ target, payload }) {
        const quest = await desk.find(db, idOf(target) ?? 0);
        if (quest) await demandFit(payload, quest);
      },
      async run({ tx, target, version, payload }) {
        const { before, after } = await desk.change(tx, idOf(target) ?? 0, version, draftOf(payload));
        return { ...logged({ before, after }, 'open'), target: String(after.id) };
      },
    }),
    ...(['on', 'off'] as const).map((state) =>
      define({
        ...onQuest,
        act: `quest.${state}`,
        title: state === 'on' ? '上线' : '停止',
        danger: state === 'off',
        payload: nothing,
        fields: [],
        async run({ tx, target, version }) {
          return logged(await desk.turn(tx, idOf(target) ?? 0, version, state), 'open');
        },
      }),
    ),
    ...([true, false] as const).map((isGood) =>
      define({
        ...onRecord,
        act: isGood ? 'quest_record.pass' : 'quest_record.void',
        title: isGood ? '通过' : '作废',
        danger: !isGood,
        payload: nothing,
        fields: [],
        async run({ tx, target, version, reason }) {
          return logged(await desk.decide(tx, idOf(target) ?? 0, version, isGood, reason));
        },
      }),
    ),
    define({
      ...onRecord,
      act: 'quest_record.take_back',
      title: '收回已发积分',
      roles: ['财务'],
      asks: ['客服'],
      danger: true,
      payload: nothing,
      fields: [],
      async run({ tx, target, version, reason, by }) {
        return logged(await desk.takeBack(tx, idOf(target) ?? 0, version, reason, by));
      },
    }),
    define({
      kind: 'credit_appeal',
      look: lookAppeal,
      roles: ['客服'],
      isMoney: true,
      act: 'appeal.decide',
      title: '处理申诉',
      payload: z.strictObject({ state: z.enum(['granted', 'refused']), reply: line(500) }),
      fields: [
        field('state', '结果', 'choice', { choices: choicesOf({ granted: '通过', refused: '不通过' }) }),
        field('reply', '答复', 'lines', { hint: '用户会看到。通过后相应的奖励或账户即恢复' }),
      ],
      async run({ tx, target, version, payload }) {
        const { before, after } = await credits.appeals.decide(tx, idOf(target) ?? 0, version, payload);
        if (payload.state === 'granted') {
          if (after.recordId === null) await credits.ledger.hold(tx, after.userId, null);
          else await desk.restore(tx, after.recordId);
        }
        return { before: { state: before.state }, after: { state: after.state } };
      },
    }),
  ];
}
