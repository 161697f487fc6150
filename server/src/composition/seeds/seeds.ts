/** Sample data of a new product: editions, packages, prices, campaigns. Planted once; from then on it is the operator's. */
import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../lib/db.ts';
import { advertisements, broadcasts, campaigns } from '../../features/campaigns/tables.ts';
import { editionLimits, eduDomains, packages } from '../../features/membership/tables.ts';
import { mallItems } from '../../features/mall/tables.ts';
import { moneySettings } from '../../features/orders/tables.ts';
import { plagdetLimits } from '../../features/plagdet/tables.ts';
import { quests } from '../../features/quests/tables.ts';
import { ITEMS, QUESTS } from './credits.ts';

const seeds = pgTable('seeds', { name: text('name').primaryKey() });

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const at = (iso: string): Date => new Date(iso);

const EDITIONS: (typeof editionLimits.$inferInsert)[] = [
  {
    edition: 'standard',
    uploadBytes: 20 * MIB,
    storageBytes: 500 * MIB,
    files: 200,
    rows: 10_000,
    analysesDay: 50,
    scriptsDay: 3,
    memberMethods: false,
    ownScripts: false,
    questionnaires: false,
    advancedCharts: false,
    flowModels: false,
    dashboards: false,
  },
  {
    edition: 'member',
    uploadBytes: GIB,
    storageBytes: 20 * GIB,
    memberMethods: true,
    ownScripts: true,
    questionnaires: true,
    advancedCharts: true,
    flowModels: false,
    dashboards: false,
  },
  {
    edition: 'enterprise',
    uploadBytes: 4 * GIB,
    // A seat has 20 GB; the enterprise's own number of seats multiplies it.
    storageBytes: 20 * GIB,
    memberMethods: true,
    ownScripts: true,
    questionnaires: true,
    advancedCharts: true,
    flowModels: true,
    dashboards: true,
  },
];

/** What checks of texts may be and cost. */
const TEXT_CHECKS: (typeof plagdetLimits.$inferInsert)[] = [
  { edition: 'standard', checksDay: 1, freeCharacters: 30_000, documents: 200, price: 3, keptDays: 30 },
  { edition: 'member', checksDay: 5, freeCharacters: 200_000, documents: 2000, price: 3, keptDays: 30 },
  { edition: 'enterprise', checksDay: 50, freeCharacters: 200_000, documents: 10_000, price: null, keptDays: 30 },
];

/** Sample prices. 24 is the lifetime plan of the specification. */
const PACKAGES: (typeof packages.$inferInsert)[] = [
  { id: 21, kind: 'vip', title: '月度会员', description: '先用一个月', fee: 3900, validVipDays: 31, sort: 1 },
  { id: 22, kind: 'vip', title: '季度会员', description: '一个学期的论文', fee: 9900, validVipDays: 93, sort: 2 },
  { id: 23, kind: 'vip', title: '年度会员', description: '最常选的套餐', fee: 29900, validVipDays: 366, sort: 3 },
  {
    id: 24,
    kind: 'vip',
    title: '长期会员',
    description: '一次付清，长期有效',
    fee: 99900,
    lifetime: true,
    perUserLimit: 1,
    sort: 4,
  },
  {
    id: 31,
    kind: 'edu',
    title: '教育季度会员',
    description: '通过教育认证的师生',
    fee: 6900,
    validVipDays: 93,
    sort: 1,
  },
  {
    id: 32,
    kind: 'edu',
    title: '教育年度会员',
    description: '通过教育认证的师生',
    fee: 19900,
    validVipDays: 366,
    sort: 2,
  },
  {
    id: 41,
    kind: 'combo',
    title: '年度会员与 100 点',
    description: '年度会员，另有 100 个 AI 点数',
    fee: 33900,
    validVipDays: 366,
    points: 100,
    sort: 1,
  },
  { id: 51, kind: 'point', title: '20 点', description: 'AI 解读 20 次', fee: 1000, points: 20, sort: 1 },
  { id: 52, kind: 'point', title: '100 点', description: 'AI 解读 100 次', fee: 4500, points: 100, sort: 2 },
  { id: 53, kind: 'point', title: '500 点', description: 'AI 解读 500 次', fee: 20000, points: 500, sort: 3 },
];

const DOMAINS = ['edu.cn', 'edu.hk', 'edu.mo', 'edu.tw', 'ac.cn', 'edu'];

const CAMPAIGNS: (typeof campaigns.$inferInsert)[] = [
  {
    id: 1,
    code: 'welcome',
    title: '欢迎礼',
    kind: 'lucky',
    startsAt: at('2025-01-01T00:00:00+08:00'),
    endsAt: at('2030-01-01T00:00:00+08:00'),
    audience: 'new',
    gift: { points: 10 },
    budgetTotal: 1_000_000,
    budgetLeft: 1_000_000,
    rulesMd: '新账号首次登录赠送 10 个 AI 点数，每个账号一次。',
    state: 'running',
  },
  {
    id: 2,
    code: 'friends',
    title: '邀请好友',
    kind: 'invite',
    startsAt: at('2025-01-01T00:00:00+08:00'),
    endsAt: at('2030-01-01T00:00:00+08:00'),
    gift: { vip_days: 3 },
    budgetTotal: 1_000_000,
    budgetLeft: 1_000_000,
    rulesMd:
      '好友通过你的链接注册、绑定手机号，并在 14 天内用自己的数据完成一次分析后，双方各得 3 天会员。你每年最多得 60 天。同一设备或同一付款人的账号需要人工核对。',
    state: 'running',
  },
  {
    id: 3,
    code: 'graduation-2025',
    title: '毕业季优惠',
    kind: 'price',
    startsAt: at('2025-06-15T00:00:00+08:00'),
    endsAt: at('2025-08-05T00:00:00+08:00'),
    budgetTotal: 0,
    budgetLeft: 0,
    rulesMd: '毕业季期间，年度会员与长期会员享受优惠价，以下单页面显示的价格为准。',
    state: 'ended',
  },
];

const BROADCASTS: (typeof broadcasts.$inferInsert)[] = [
  '邀请好友一起用，双方各得 3 天会员',
  '每个方法都有示例数据，点一下就能跑通',
].map((line, sort) => ({
  text: line,
  startsAt: at('2025-01-01T00:00:00+08:00'),
  endsAt: at('2030-01-01T00:00:00+08:00'),
  sort,
}));

const ADS: (typeof advertisements.$inferInsert)[] = [
  {
    typ: 1,
    campaignId: 2,
    title: '邀请好友，双方各得 3 天会员',
    summary: '好友注册并完成一次自己的分析后到账',
    bodyMd:
      '## 怎么参加\n\n1. 在个人中心的“邀请”里复制链接。\n2. 好友通过链接注册并绑定手机号。\n3. 好友在 14 天内用自己的数据完成一次分析。\n\n双方各得 3 天会员，你每年最多得 60 天。',
    url: '/member?tab=invite',
    label: '活动',
    startsAt: at('2025-01-01T00:00:00+08:00'),
    endsAt: at('2030-01-01T00:00:00+08:00'),
    sort: 1,
  },
  {
    typ: 2,
    title: '教育优惠',
    summary: '师生认证后享教育价',
    url: '/member/package',
    position: 'header',
    label: '活动',
    startsAt: at('2025-01-01T00:00:00+08:00'),
    endsAt: at('2030-01-01T00:00:00+08:00'),
    sort: 1,
  },
];

/** Sample prices of one seat and one term. */
const SEATS: (typeof packages.$inferInsert)[] = [
  { id: 61, kind: 'seat', title: '企业版席位·一年', description: '每席位每年', fee: 59900, validVipDays: 365, sort: 1 },
  {
    id: 62,
    kind: 'seat',
    title: '企业版席位·一季',
    description: '每席位每季度',
    fee: 19900,
    validVipDays: 93,
    sort: 2,
  },
];

const SETS: [name: string, plant: (tx: Tx) => Promise<unknown>][] = [
  ['text-checks', (tx) => tx.insert(plagdetLimits).values(TEXT_CHECKS).onConflictDoNothing()],
  ['editions', (tx) => tx.insert(editionLimits).values(EDITIONS).onConflictDoNothing()],
  ['seat-packages', (tx) => tx.insert(packages).values(SEATS).onConflictDoNothing()],
  ['packages', (tx) => tx.insert(packages).values(PACKAGES).onConflictDoNothing()],
  [
    'edu-domains',
    (tx) =>
      tx
        .insert(eduDomains)
        .values(DOMAINS.map((domain) => ({ domain })))
        .onConflictDoNothing(),
  ],
  [
    'money-settings',
    (tx) =>
      tx
        .insert(moneySettings)
        .values({
          refundDays: 7,
          invoiceDays: 30,
          agreementVersion: '0.1-draft',
          bank: '示例银行（未设置）',
          bankAccount: '0000 0000 0000 0000',
          companyName: '示例公司（未设置）',
        })
        .onConflictDoNothing(),
  ],
  ['campaigns', (tx) => tx.insert(campaigns).values(CAMPAIGNS).onConflictDoNothing()],
  ['broadcasts', (tx) => tx.insert(broadcasts).values(BROADCASTS)],
  ['advertisements', (tx) => tx.insert(advertisements).values(ADS)],
  ['quests', (tx) => tx.insert(quests).values(QUESTS).onConflictDoNothing()],
  ['mall-items', (tx) => tx.insert(mallItems).values(ITEMS)],
];

/** Plants what has not been planted yet; a set that is there is left as the operator has made it. */
export async function plantSeeds(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(7205761)`);
    const planted = new Set((await tx.select({ name: seeds.name }).from(seeds)).map(({ name }) => name));
    for (const [name, plant] of SETS) {
      if (planted.has(name)) continue;
      await plant(tx);
      await tx.insert(seeds).values({ name });
    }
  });
}
