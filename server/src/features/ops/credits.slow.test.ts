import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { happened } from '../../lib/product-events.ts';
import { rowsOf } from '../../testing/build.ts';
import { REASON, deskOf, deskStage, deskTools } from '../../testing/desk.ts';
import type { Staff } from '../../testing/desk.ts';
import { call } from '../../testing/makers.ts';
import { expectBalanced } from '../../testing/money.ts';

const on = deskStage({});
const { act } = deskTools(() => on.world);
const list = async (who: Staff, name: string, query = ''): Promise<any> =>
  (await deskOf(on.world, who)('GET', `/v1/ops/${name}?${query}`)).data;
const balance = async () => (await call(on.world, on.person, 'GET', '/v1/user')).data.total_amount;
const analysed = async (): Promise<number> => {
  const deed = { kind: 'analysis_succeeded', subject: 'a', method: 'descriptive/frequency' } as const;
  await on.world.db.transaction((tx) => happened(tx, on.person.owner, deed));
  await on.world.money.centre.count();
  const quests = (await call(on.world, on.person, 'GET', '/v1/quests')).data;
  return quests.find(({ title }: any) => title === '完成首次分析').record_id;
};
const ITEM = {
  title: '季末优惠码',
  summary: null,
  body_md: null,
  price_credits: 30,
  stock_total: 10,
  per_user_limit: null,
  limit_period: 'ever',
  on_at: null,
  off_at: null,
  campaign_id: null,
  sort: 9,
};

describe('accounts', () => {
  test('up to 1,000 credits one operator, above two; what is taken cannot fall below 0', async () => {
    const adjust = (amount: number) =>
      act(on.finance, 'credits.adjust', on.person.id, { credits: amount, title: '活动补发' });
    expect((await adjust(1000)).body).toMatchObject({ data: { state: 'done' } });
    expect(await balance()).toBe(1000);
    const asked = (await adjust(1001)).data;
    expect(asked.state).toBe('waiting');
    expect(await balance()).toBe(1000);
    const approved = await deskOf(on.world, on.second)('POST', `/v1/ops/requests/${asked.request_id}/approve`);
    expect(approved.body.status_code).toBe(1);
    expect(await balance()).toBe(2001);
    expect((await adjust(0)).body.err_code).toBe(30090);
    await on.world.db.execute(sql`UPDATE credit_accounts SET cleared_at = NULL`);
    expect((await adjust(-1000)).data.state).toBe('done');
    expect((await adjust(-1000)).data.state).toBe('done');
    expect((await adjust(-2)).body).toMatchObject({ err_code: 31001, msg: '积分不足，还差 1' });
    const [own] = [await act(on.finance, 'credits.adjust', on.finance.id, { credits: 1, title: '自己' })];
    expect(own.body.err_code).toBe(30406);
    expect((await list(on.finance, 'credit_entries', `user_id=${on.person.id}`)).total).toBe(4);
    await expectBalanced(on.world);
  });

  test('held: neither earns nor spends, says why, is objected to and freed by the answer', async () => {
    const id = await analysed();
    expect((await act(on.service, 'credits.hold', on.person.id)).body.status_code).toBe(1);
    const reply = await call(on.world, on.person, 'PUT', `/v1/quest-record/${id}/accept-bonus`, {});
    expect(reply.body.err_code).toBe(31005);
    expect((await list(on.service, 'credits', 'state=held')).list).toMatchObject([
      { acts: ['credits.adjust', 'credits.release'] },
    ]);
    await call(on.world, on.person, 'POST', '/v1/credits-center/appeals', { text: '请复核' });
    const [appeal] = (await list(on.service, 'appeals')).list;
    expect(appeal.cells).toMatchObject({ about: '账户暂停', text: '请复核' });
    const decided = await act(
      on.service,
      'appeal.decide',
      appeal.id,
      { state: 'granted', reply: '已核对' },
      appeal.version,
    );
    expect(decided.body.status_code).toBe(1);
    expect((await list(on.service, 'appeals')).list).toEqual([]);
    expect((await call(on.world, on.person, 'PUT', `/v1/quest-record/${id}/accept-bonus`, {})).data.amount).toBe(20);
  });
});

describe('quests', () => {
  test('are made, tried on last week’s events, begun and stopped', async () => {
    const quest = {
      code: 'three-a-day',
      kind: 'daily',
      event: 'analysis_succeeded',
      counts: 'subject',
      window: null,
      per_year: null,
      title: '一天三次分析',
      why: '多看几个变量',
      target: 1,
      bonus: 5,
      starts_at: null,
      ends_at: null,
      audience: 'all',
      action_url: '/analysis',
      campaign_id: null,
      sort: 20,
    };
    await analysed();
    const make = (change: object) => act(on.service, 'quest.make', '', { ...quest, ...change });
    expect((await make({ window: 7 })).body.err_code).toBe(30408);
    expect((await make({ campaign_id: 999 })).body.msg).toBe('没有这个活动');
    expect((await make({ action_url: 'https://elsewhere' })).body.err_code).toBe(30090);
    expect((await make({})).body.status_code).toBe(1);
    expect((await make({})).body.msg).toBe('已有这个代码的任务');
    const row = async () =>
      (await list(on.service, 'quests')).list.find((one: any) => one.cells.code === 'three-a-day');
    expect((await row()).cells).toMatchObject({ state: '草稿', trial: '最多 5 积分，1 人' });
    const { id, version, values } = await row();
    expect((await act(on.service, 'quest.on', id, {}, version)).body.status_code).toBe(1);
    expect((await act(on.service, 'quest.change', id, { ...values, target: 3 }, version)).body.status_code).toBe(1);
    const changed = await row();
    expect(changed.cells).toMatchObject({ version: 2, target: 3, state: '进行中' });
    expect((await act(on.service, 'quest.off', changed.id, {}, version)).body.err_code).toBe(30309);
    expect((await act(on.service, 'quest.off', changed.id, {}, 2)).body.status_code).toBe(1);
  });

  test('what is looked at is passed or made void; what was paid is taken back', async () => {
    const id = await analysed();
    await on.world.db.execute(sql`UPDATE quest_records SET state = 3, held_reason = '核对' WHERE state = 1`);
    const [held] = (await list(on.service, 'quest_records')).list.filter((one: any) => one.id === String(id));
    expect(held.acts).toEqual(['quest_record.pass', 'quest_record.void']);
    expect((await act(on.service, 'quest_record.pass', id, {}, held.version)).body.status_code).toBe(1);
    await call(on.world, on.person, 'PUT', `/v1/quest-record/${id}/accept-bonus`, {});
    const [paid] = (await list(on.finance, 'quest_records', 'state=2')).list;
    expect((await act(on.finance, 'quest_record.take_back', id, {}, paid.version)).body.status_code).toBe(1);
    expect(await balance()).toBe(0);
    expect((await list(on.finance, 'quest_records', 'state=4')).list[0].cells.held_reason).toBe(REASON);
    await expectBalanced(on.world);
  });
});

describe('the mall', () => {
  test('items are made, changed by the version seen, stopped; a purchase is given back; each act is a row of the log', async () => {
    const make = (change: object) =>
      act(on.service, 'mall_item.make', '', {
        ...ITEM,
        grant_kind: 'coupon',
        grant_value: 300,
        coupon_type: '0',
        valid_days: 30,
        ...change,
      });
    expect((await make({ valid_days: null })).body.err_code).toBe(30408);
    expect((await make({})).body.status_code).toBe(1);
    const row = async () => (await list(on.service, 'mall_items')).list.find((one: any) => one.name === ITEM.title);
    const { id, version } = await row();
    const buy = () =>
      call(on.world, on.person, 'POST', '/v1/mall/purchase', {
        item_id: Number(id),
        quantity: 2,
        expect_credits: 30,
        request_id: 'r1',
      });
    expect((await buy()).status).toBe(404);
    await act(on.service, 'mall_item.on', id, {}, version);
    await act(on.finance, 'credits.adjust', on.person.id, { credits: 100, title: '补发' });
    expect((await buy()).data).toMatchObject({ total_amount: 40 });
    const shown = await row();
    expect(shown.cells).toMatchObject({ stock_left: 8, stock_total: 10, state: '在售' });
    const change = (stock: number) =>
      act(on.service, 'mall_item.change', id, { ...shown.values, stock_total: stock }, shown.version);
    expect((await change(1)).body.msg).toBe('已兑出 2 件，总库存不能更少');
    expect((await change(2)).body.status_code).toBe(1);
    expect((await row()).cells).toMatchObject({ stock_left: 0 });
    const [order] = (await list(on.finance, 'mall_orders')).list;
    expect((await act(on.finance, 'mall_order.refund', order.id, {}, order.version)).body.status_code).toBe(1);
    expect(await balance()).toBe(100);
    expect((await row()).cells).toMatchObject({ stock_left: 2 });
    const acts = (
      await rowsOf(on.world.db, sql`SELECT act FROM act_log WHERE kind IN ('mall_item', 'mall_order')`)
    ).map((one) => one.act);
    expect(acts).toEqual(['mall_item.make', 'mall_item.on', 'mall_item.change', 'mall_order.refund']);
    await expectBalanced(on.world);
  });
});

test('what is owed by month, and the books: all of them agree', async () => {
  await act(on.finance, 'credits.adjust', on.person.id, { credits: 100, title: '补发' });
  expect((await list(on.finance, 'credit_ages')).list).toMatchObject([{ cells: { amount: 100, people: 1 } }]);
  const books = (await list(on.finance, 'books')).list;
  expect(books).toHaveLength(11);
  expect(books.every((one: any) => one.cells.state === '一致')).toBe(true);
  await on.world.db.execute(sql`UPDATE credit_accounts SET balance = 99`);
  expect((await list(on.finance, 'books')).list.filter((one: any) => one.cells.off > 0)).toMatchObject([
    { name: '积分余额与流水', cells: { off: 1, state: '不符' } },
  ]);
});
