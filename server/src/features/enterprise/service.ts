/** Enterprises: shared paid tenants with members, invitations, one owner, seats by terms. */
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { listActs } from '../../lib/act-log.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { midnightAfter, DAY_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Channel } from '../accounts/service.ts';
import type { Membership } from '../membership/service.ts';
import type { OrderList, OrderQuery } from '../orders/schema.ts';
import type { Orders } from '../orders/service.ts';
import type { Run } from '../runs/schema.ts';
import { enter, mayRead, mayWrite, ROLE_TITLES, writeFault } from './access.ts';
import { logCsv } from './log-csv.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import { createContracts } from './contracts.ts';
import { createContent } from './content.ts';
import { createCopies, forgetCopies } from './copies.ts';
import { createDeskWork } from './desk.ts';
import { createInvites } from './invites.ts';
import { readLimits, runsOf, storageOf } from './limits.ts';
import { createMembers } from './members.ts';
import { createOwnership } from './ownership.ts';
import type { LogEntry, LogQuery, Usage } from './schema.ts';
import { createSeatOrders } from './seat-orders.ts';
import { enterprises, members, seatOrders } from './tables.ts';
import type { EnterpriseRow } from './tables.ts';
import { createTenants, settingsOf } from './tenants.ts';
import { createTerms } from './terms.ts';

export type { Archiver, Content, ContentItem, Context, Copier, Persons, PersonShown } from './context.ts';
export { ROLE_TITLES } from './access.ts';
export type { EnterpriseRow } from './tables.ts';
export type Enterprises = ReturnType<typeof createEnterprises>;

interface Given extends Context {
  membership: Membership;
  /** Made later than this feature, because it is handed the product of this one. */
  orders: () => Orders;
  readPhone: (phone: string) => { digest: string; shown: string };
}

/** Newest entries of one csv file. */
const CSV_ROWS = 10_000;
const CSV_PAGE = 200;

const ACT_TITLES: Record<string, string> = {
  'enterprise.make': '创建企业',
  'enterprise.trial': '申请试用',
  'enterprise.change': '修改企业信息',
  'enterprise.dissolve': '申请解散',
  'enterprise.keep': '撤销解散',
  'member.join': '加入企业',
  'member.change': '修改成员',
  'member.remove': '移除成员',
  'member.leave': '退出企业',
  'invite.make': '邀请成员',
  'invite.withdraw': '撤回邀请',
  'transfer.ask': '发起转让',
  'transfer.cancel': '取消转让',
  'transfer.accept': '接受转让',
  'content.reassign': '转交内容',
  'share.end': '结束外部分享',
  'content.open': '向企业公开内容',
  'content.close': '取消公开内容',
  'content.copy_in': '从个人空间复制',
  'content.copy_out': '复制到个人空间',
  'contract.sign': '上传已签合同',
  'enterprise.export': '导出企业全部数据',
  'log.export': '导出操作日志',
};

export function createEnterprises(given: Given) {
  const { db, clock, content, persons } = given;
  const terms = createTerms(given);
  const ownership = createOwnership(given);
  const desk = createDeskWork(given, terms);
  const tenants = createTenants(given, { terms, ownership, desk });
  const people = createMembers(given);
  const invites = createInvites(given, given.readPhone);
  const seats = createSeatOrders(given, terms, { membership: given.membership, orders: given.orders });

  async function find(executor: Db, eid: number): Promise<EnterpriseRow | null> {
    const [row] = await executor.select().from(enterprises).where(eq(enterprises.id, eid));
    return row && row.state !== 'deleted' ? row : null;
  }

  return {
    tenants,
    members: people,
    invites,
    ownership,
    seats,
    terms,
    find,
    content: createContent(given),
    copies: createCopies(given),
    contracts: createContracts(given, given.membership),
    desk,

    /** Enterprises whose channel somebody may use now, the one last used first. */
    async channels(executor: Db, userId: number): Promise<Channel[]> {
      const rows = await executor
        .select({ enterprise: enterprises, role: members.role })
        .from(members)
        .innerJoin(enterprises, eq(enterprises.id, members.enterpriseId))
        .where(and(eq(members.userId, userId), eq(members.state, 'active')))
        .orderBy(sql`${members.usedAt} DESC NULLS LAST`, members.id);
      return rows
        .filter(({ enterprise }) => mayRead(enterprise))
        .map(({ enterprise, role }) => ({
          enterprise_id: enterprise.id,
          enterprise_name: enterprise.name,
          is_admin: role !== 'member',
        }));
    },

    /** Remembers which enterprise was used last; at a sign-in on its channel. */
    async touch(executor: Db, userId: number, eid: number): Promise<void> {
      await executor
        .update(members)
        .set({ usedAt: await clock(executor) })
        .where(and(eq(members.enterpriseId, eid), eq(members.userId, userId), eq(members.state, 'active')));
    },

    /** Refuses new work in an enterprise that is read-only, frozen, or has more members than seats. */
    async demandWrite(executor: Db, eid: number): Promise<void> {
      const row = await find(executor, eid);
      const refused = row ? writeFault(row) : null;
      if (refused) throw refused;
    },

    /** Refuses reading in an enterprise that is frozen, or has not begun. */
    async demandRead(executor: Db, eid: number): Promise<void> {
      const row = await find(executor, eid);
      if (!row || !mayRead(row)) throw new Fault(30307);
    },

    /** What seats and the member's own limits make of the limits of the edition. */
    async limits(executor: Db, { id, member }: Owner) {
      const row = await find(executor, id);
      if (!row) return {};
      const [own] =
        member === undefined
          ? []
          : await executor
              .select({ limits: members.limits })
              .from(members)
              .where(and(eq(members.enterpriseId, id), eq(members.userId, member), eq(members.state, 'active')));
      return {
        storage_bytes: storageOf(row, await readLimits(executor)),
        analyses_day: own?.limits.analyses_day ?? null,
        member_bytes: own?.limits.storage_bytes ?? null,
      };
    },

    /** In any enterprise, suspended too. */
    isMember: async (executor: Db, userId: number): Promise<boolean> =>
      (await executor.$count(members, and(eq(members.userId, userId), ne(members.state, 'left')))) > 0,

    settings: async (executor: Db, eid: number) => {
      const row = await find(executor, eid);
      return row ? settingsOf(row) : null;
    },

    mayWrite: async (executor: Db, eid: number): Promise<boolean> => {
      const row = await find(executor, eid);
      return row !== null && mayWrite(row);
    },

    /** Runs it may have at once; null where there is no such enterprise. */
    async runRoom(executor: Db, eid: number) {
      const row = await find(executor, eid);
      return row && runsOf(row, await readLimits(executor));
    },

    async ownsEnterprise(executor: Db, userId: number): Promise<boolean> {
      const [row] = await executor
        .select({ id: members.id })
        .from(members)
        .innerJoin(enterprises, eq(enterprises.id, members.enterpriseId))
        .where(
          and(
            eq(members.userId, userId),
            eq(members.role, 'owner'),
            eq(members.state, 'active'),
            sql`${enterprises.state} <> 'deleted'`,
          ),
        )
        .limit(1);
      return row !== undefined;
    },

    async dropPerson(tx: Tx, userId: number): Promise<void> {
      await people.dropPerson(tx, userId);
      await forgetCopies(tx, userId);
    },

    async usage(userId: number, eid: number): Promise<Usage> {
      const { enterprise } = await enter(db, userId, eid, 'admin');
      const now = await clock(db);
      const today = new Date(midnightAfter(now).getTime() - DAY_MS);
      const month = new Date(now.getTime() - 30 * DAY_MS);
      const [storage, days, months, runs, rows] = await Promise.all([
        content.storage(db, eid),
        content.analyses(db, eid, today),
        content.analyses(db, eid, month),
        content.openRuns(db, eid),
        db
          .select()
          .from(members)
          .where(and(eq(members.enterpriseId, eid), inArray(members.state, ['active', 'suspended'])))
          .orderBy(members.id),
      ]);
      const shown = await persons.shown(
        db,
        rows.map((row) => row.userId),
      );
      const all = (counts: Map<number, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
      return {
        seats: enterprise.seats,
        seats_used: enterprise.seatsUsed,
        storage_bytes: all(storage),
        storage_limit: storageOf(enterprise, await readLimits(db)),
        analyses_today: all(days),
        analyses_month: all(months),
        runs_open: runs,
        members: rows.map((row) => ({
          member_id: row.id,
          nickname: shown.get(row.userId)?.nickname ?? '已注销用户',
          storage_bytes: storage.get(row.userId) ?? 0,
          analyses_month: months.get(row.userId) ?? 0,
        })),
      };
    },

    async log(userId: number, eid: number, query: LogQuery): Promise<{ total: number; list: LogEntry[] }> {
      await enter(db, userId, eid, 'admin');
      const { act, actor, from, to } = query;
      const { total, list } = await listActs(
        db,
        {
          scope: eid,
          ...(act ? { act } : {}),
          ...(actor ? { actor } : {}),
          ...(from ? { from: new Date(from) } : {}),
          ...(to ? { to: new Date(to) } : {}),
        },
        query,
      );
      const shown = await persons.shown(
        db,
        list.flatMap((row) => row.actor ?? []),
      );
      const titles: Record<string, string> = ROLE_TITLES;
      return {
        total,
        list: list.map((row) => ({
          seq: row.seq,
          at: row.at.toISOString(),
          actor: row.actor === null ? '系统' : (shown.get(row.actor)?.nickname ?? '已注销用户'),
          role: titles[row.role] ?? row.role,
          act: row.act,
          title: ACT_TITLES[row.act] ?? row.act,
          target: row.target,
          before: row.before,
          after: row.after,
          reason: row.reason,
        })),
      };
    },

    /** The newest entries as a csv file; that it was taken is an act of its own. */
    async logCsv(userId: number, eid: number, query: LogQuery): Promise<string> {
      const rows: LogEntry[] = [];
      for (let page = 1; page <= CSV_ROWS / CSV_PAGE; page += 1) {
        const { list } = await this.log(userId, eid, { ...query, page, page_size: CSV_PAGE });
        rows.push(...list);
        if (list.length < CSV_PAGE) break;
      }
      await db.transaction(async (tx) => {
        const place = await enter(tx, userId, eid, 'admin');
        await note(tx, place, { act: 'log.export', kind: 'log', target: '操作日志', after: { rows: rows.length } });
      });
      return logCsv(rows);
    },

    /** Everything it has as one archive, for the owner in every state. The caller has proved who it is. */
    async archive(actor: Actor, eid: number): Promise<Run> {
      const { enterprise } = await enter(db, actor.userId, eid, 'owner');
      const run = await given.archiver(actor, enterprise, await clock(db));
      await db.transaction(async (tx) => {
        const place = await enter(tx, actor.userId, eid, 'owner');
        await note(tx, place, { act: 'enterprise.export', kind: 'enterprise', target: enterprise.name });
      });
      return run;
    },

    /** What the archive says of the enterprise itself: its row, its people, its log. */
    async facts(eid: number) {
      const [row] = await db.select().from(enterprises).where(eq(enterprises.id, eid));
      const people = await db.select().from(members).where(eq(members.enterpriseId, eid)).orderBy(members.id);
      const shown = await persons.shown(
        db,
        people.map(({ userId }) => userId),
      );
      const acts = await listActs(db, { scope: eid }, { page: 1, page_size: CSV_ROWS });
      return {
        enterprise: row,
        members: people.map((one) => ({ ...one, nickname: shown.get(one.userId)?.nickname ?? null })),
        log: acts.list,
      };
    },

    isOwner: async (executor: Db, userId: number, eid: number): Promise<boolean> =>
      (await executor.$count(
        members,
        and(
          eq(members.enterpriseId, eid),
          eq(members.userId, userId),
          eq(members.role, 'owner'),
          eq(members.state, 'active'),
        ),
      )) > 0,

    /** Orders of the enterprise, for those who manage it. */
    async orders(userId: number, eid: number, query: OrderQuery): Promise<OrderList> {
      await enter(db, userId, eid, 'admin');
      return given.orders().buying.listOf(eid, query);
    },

    /** The contract of a corporate transfer; filled for an order of seats of this person. */
    async contract(userId: number | null, orderNo: string | undefined): Promise<Buffer> {
      const { contractTemplate } = await import('./contract-template.ts');
      const orders = given.orders();
      const { companyName: company, bank, bankAccount: account } = await orders.settings.read();
      const seller = { company, bank, account };
      if (orderNo === undefined || userId === null) return contractTemplate(seller, null);
      const order = await orders.buying.read({ userId, enterpriseId: null }, orderNo);
      const [sold] = await db.select().from(seatOrders).where(eq(seatOrders.orderNo, orderNo));
      const row = sold ? await find(db, sold.enterpriseId) : null;
      if (!sold || !row) return contractTemplate(seller, null);
      return contractTemplate(seller, {
        enterprise: row.name,
        creditCode: row.creditCode,
        orderNo,
        title: order.subscription.title,
        seats: sold.seats,
        from: sold.fromAt,
        to: sold.toAt,
        total: order.total_fee,
      });
    },
  };
}
