/** Acts on education checks, banners, activities and broadcasts. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { Fault } from '../../../lib/errors.ts';
import { choicesOf, define, field, instant, line, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import { forLog, logged, maskName } from '../mask.ts';

/** An own page or one of the web; nothing that runs. */
const link = z
  .string()
  .trim()
  .max(300)
  .regex(/^(?:$|\/(?![/\\])|https:\/\/)/, '链接以 / 或 https:// 开头');
const Ad = z.strictObject({
  typ: z.enum(['1', '2']),
  title: line(60),
  cover: link.nullable(),
  summary: z.string().trim().max(120).nullable(),
  body_md: z.string().trim().max(10_000).nullable(),
  url: link.nullable(),
  position: z.enum(['header']).nullable(),
  label: z.enum(['广告', '活动']),
  starts_at: instant,
  ends_at: instant,
  sort: z.number().int().min(-1000).max(1000),
  is_on: z.boolean(),
});
const Broadcast = z.strictObject({
  text: line(60),
  starts_at: instant,
  ends_at: instant,
  sort: z.number().int().min(-1000).max(1000),
  is_on: z.boolean(),
});
export const AD_TYPES = { '1': '活动', '2': '横幅' };
/** Where a banner may stand. */
export const POSITIONS: Record<string, string> = { header: '顶部横幅' };

const when = [
  field('starts_at', '开始', 'instant'),
  field('ends_at', '结束', 'instant'),
  field('sort', '排序', 'number', { hint: '小的在前' }),
  field('is_on', '显示', 'switch'),
];
const adFields = [
  field('typ', '类别', 'choice', { choices: choicesOf(AD_TYPES) }),
  field('title', '标题', 'text'),
  field('summary', '摘要', 'text', { optional: true }),
  field('position', '位置', 'choice', {
    choices: choicesOf(POSITIONS),
    optional: true,
    hint: '横幅须选位置，活动不用',
  }),
  field('label', '标注', 'choice', { choices: choicesOf({ 广告: '广告', 活动: '活动' }) }),
  field('url', '链接', 'text', { optional: true }),
  field('cover', '图片地址', 'text', { optional: true }),
  field('body_md', '正文', 'lines', { optional: true }),
  ...when,
];
const broadcastFields = [field('text', '内容', 'text'), ...when];

const demandPeriod = ({ starts_at: from, ends_at: to }: { starts_at: Date; ends_at: Date }): void => {
  if (to <= from) throw new Fault(30408, { detail: '结束时间须晚于开始时间' });
};

export function contentActs({ membership, campaigns }: Context): Act[] {
  const { education } = membership;
  const { shows } = campaigns;

  async function lookEdu(executor: Db, target: string): Promise<Looked | null> {
    const row = await education.find(executor, idOf(target) ?? 0);
    return row && { name: maskName(row.name), owner: row.userId, version: row.version, before: forLog(row) };
  }
  async function lookAd(executor: Db, target: string): Promise<Looked | null> {
    const row = await shows.findAd(executor, idOf(target) ?? 0);
    return row && { name: row.title, owner: null, version: row.version, before: forLog(row, 'open') };
  }
  async function lookBroadcast(executor: Db, target: string): Promise<Looked | null> {
    const row = await shows.findBroadcast(executor, idOf(target) ?? 0);
    return row && { name: row.text, owner: null, version: row.version, before: forLog(row, 'open') };
  }

  const demandAd = (ad: z.output<typeof Ad>): void => {
    demandPeriod(ad);
    if (ad.typ === '2' && ad.position === null) throw new Fault(30408, { detail: '请选择横幅的位置' });
  };
  const adDraft = (ad: z.output<typeof Ad>) => {
    demandAd(ad);
    return {
      typ: Number(ad.typ),
      title: ad.title,
      cover: ad.cover || null,
      summary: ad.summary ?? '',
      bodyMd: ad.body_md ?? '',
      url: ad.url ?? '',
      position: ad.position ?? '',
      label: ad.label,
      startsAt: ad.starts_at,
      endsAt: ad.ends_at,
      sort: ad.sort,
      isOn: ad.is_on,
    };
  };
  const broadcastDraft = (one: z.output<typeof Broadcast>) => {
    demandPeriod(one);
    return { text: one.text, startsAt: one.starts_at, endsAt: one.ends_at, sort: one.sort, isOn: one.is_on };
  };

  const onEdu = { kind: 'edu', look: lookEdu, roles: ['客服', '内容'] } as const;
  const onAd = { kind: 'banner', look: lookAd, roles: ['内容'], reason: false, payload: Ad, fields: adFields } as const;
  const onBroadcast = {
    kind: 'broadcast',
    look: lookBroadcast,
    roles: ['内容'],
    reason: false,
    payload: Broadcast,
    fields: broadcastFields,
  } as const;

  return [
    define({
      ...onEdu,
      act: 'edu.approve',
      title: '通过',
      reason: false,
      payload: nothing,
      fields: [],
      async run({ tx, target, version }) {
        return logged(await education.approve(tx, idOf(target) ?? 0, version));
      },
    }),
    define({
      ...onEdu,
      act: 'edu.refuse',
      title: '不通过',
      danger: true,
      payload: nothing,
      fields: [],
      async run({ tx, target, version, reason }) {
        return logged(await education.refuse(tx, idOf(target) ?? 0, version, reason));
      },
    }),
    define({
      ...onAd,
      act: 'banner.make',
      title: '新建横幅或活动',
      makes: true,
      async run({ tx, payload }) {
        const { after } = await shows.putAd(tx, null, 0, adDraft(payload));
        return { before: null, after: forLog(after, 'open'), target: String(after.id) };
      },
    }),
    define({
      ...onAd,
      act: 'banner.change',
      title: '修改',
      async run({ tx, target, version, payload }) {
        return logged(await shows.putAd(tx, idOf(target) ?? 0, version, adDraft(payload)), 'open');
      },
    }),
    define({
      ...onBroadcast,
      act: 'broadcast.make',
      title: '新建播报',
      makes: true,
      async run({ tx, payload }) {
        const { after } = await shows.putBroadcast(tx, null, 0, broadcastDraft(payload));
        return { before: null, after: forLog(after, 'open'), target: String(after.id) };
      },
    }),
    define({
      ...onBroadcast,
      act: 'broadcast.change',
      title: '修改',
      async run({ tx, target, version, payload }) {
        return logged(await shows.putBroadcast(tx, idOf(target) ?? 0, version, broadcastDraft(payload)), 'open');
      },
    }),
  ];
}
