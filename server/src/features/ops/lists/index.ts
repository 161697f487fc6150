/** Every list of the desk by its name, with the acts an operator may do on its rows. */
import { mayAsk, maySee } from '../access.ts';
import type { Operator } from '../access.ts';
import type { Act } from '../act.ts';
import type { Acts } from '../acts/index.ts';
import type { Context } from '../context.ts';
import type { Desk } from '../desk.ts';
import { missing } from '../../../lib/errors.ts';
import type { ActShown, Customer, ListName, OpsList, OpsMe, OpsRow } from '../schema.ts';
import { ListQuery, LISTS } from '../schema.ts';
import { billLists } from './bills.ts';
import { contentLists } from './content.ts';
import { customerLists } from './customer.ts';
import { contestLists } from './contest.ts';
import { cooperationList } from './cooperation.ts';
import { creditLists } from './credits.ts';
import { enterpriseLists } from './enterprises.ts';
import { NothingSuch } from './list.ts';
import type { Listed, Row } from './list.ts';
import { feedbackList } from './feedback.ts';
import { jobsList } from './jobs.ts';
import { moneyLists } from './money.ts';
import { npsLists } from './nps.ts';
import { ownLists } from './own.ts';
import { helpFeedbackList } from './help-feedback.ts';
import { peopleList } from './people.ts';
import { sharesList } from './shares.ts';
import { shopLists } from './shop.ts';
import { systemLists } from './system.ts';
import { yearReportsList } from './year-reports.ts';

const GROUPS: Record<ListName, string> = {
  users: '用户',
  user_files: '用户',
  user_sessions: '用户',
  edu: '用户',
  feedback: '用户',
  cooperation: '用户',
  help_feedback: '内容',
  nps: '用户',
  nps_answers: '用户',
  orders: '财务',
  payments: '财务',
  anomalies: '财务',
  refunds: '财务',
  transfers: '财务',
  invoices: '财务',
  bills: '财务',
  bill_days: '财务',
  settings: '财务',
  packages: '商品',
  coupons: '商品',
  contests: '大赛',
  contest_works: '大赛',
  contest_judges: '大赛',
  contest_appeals: '大赛',
  contest_certificates: '大赛',
  banners: '内容',
  broadcasts: '内容',
  shares: '内容',
  year_reports: '内容',
  quests: '积分',
  quest_records: '积分',
  appeals: '积分',
  mall_items: '积分',
  mall_orders: '积分',
  credits: '积分',
  credit_entries: '积分',
  credit_ages: '积分',
  books: '财务',
  limits: '系统',
  enterprises: '企业',
  contracts: '企业',
  tenancy: '企业',
  health: '系统',
  jobs: '系统',
  outbox: '系统',
  requests: '审计',
  log: '审计',
};

/** What the page of a customer shows, in this order; each by its own list's right. */
const CUSTOMER_LISTS: { list: ListName; query: (id: string) => Record<string, string> }[] = [
  { list: 'users', query: (id) => ({ id }) },
  { list: 'orders', query: (id) => ({ user_id: id }) },
  { list: 'feedback', query: (id) => ({ user_id: id }) },
  { list: 'user_files', query: (id) => ({ user_id: id }) },
  { list: 'user_sessions', query: (id) => ({ user_id: id }) },
  { list: 'log', query: (id) => ({ kind: 'user', target: id }) },
];
/** Rows of each; the list itself has the rest. */
const CUSTOMER_ROWS = 10;

/** Acts on requests go through their own doors, but are shown like the others. */
const REQUEST_ACTS: ActShown[] = [
  { act: 'approve', title: '批准并执行', fields: [], danger: true, reason: false },
  { act: 'refuse', title: '驳回或撤回', fields: [], danger: false, reason: true },
];

export function createLists(context: Context, acts: Acts, desk: Desk) {
  const lists: Record<ListName, Listed> = {
    users: peopleList(context),
    ...customerLists(context),
    feedback: feedbackList(context),
    cooperation: cooperationList(context),
    help_feedback: helpFeedbackList(context),
    ...contestLists(context),
    ...npsLists(context),
    ...moneyLists(context),
    ...billLists(context),
    ...shopLists(context),
    ...contentLists(context),
    ...creditLists(context),
    ...systemLists(context),
    jobs: jobsList(context),
    shares: sharesList(context),
    year_reports: yearReportsList(context),
    ...enterpriseLists(context),
    ...ownLists(context, acts, desk),
  };
  const shown = ({ act, title, fields, danger, reason }: Act): ActShown => ({
    act,
    title,
    fields: [...fields],
    danger,
    reason,
  });

  /** What cannot be undone stands at the end, away from what is done every day. */
  const isDanger = (act: string): boolean =>
    acts.get(act)?.danger ?? REQUEST_ACTS.some((one) => one.act === act && one.danger);
  const dangerLast = (names: string[]): string[] => names.toSorted((a, b) => Number(isDanger(a)) - Number(isDanger(b)));

  function whole(row: Row, allowed: (act: string) => boolean): OpsRow {
    const blank = { name: row.id, version: null, values: {}, has_proof: false, detail: null };
    return { ...blank, ...row, acts: dangerLast((row.acts ?? []).filter(allowed)) };
  }

  async function rowsOf(listed: Listed, query: ListQuery, operator: Operator) {
    try {
      return await listed.rows(query, operator);
    } catch (error) {
      if (error instanceof NothingSuch) return { total: 0, list: [] };
      throw error;
    }
  }

  async function read(name: ListName, query: ListQuery, operator: Operator): Promise<OpsList> {
    // What a role may not see is as absent as for everybody else.
    if (!maySee(operator, name)) throw missing();
    const listed = lists[name];
    const isAllowed = (act: string): boolean => {
      const found = acts.get(act);
      return found ? mayAsk(operator, found) : REQUEST_ACTS.some((one) => one.act === act);
    };
    const { total, list } = await rowsOf(listed, query, operator);
    const rows = list.map((row) => whole(row, isAllowed));
    const makes = (listed.makes ?? []).filter(isAllowed);
    const used = [...new Set([...makes, ...rows.flatMap((row) => row.acts)])];
    const isAsked = (listed.filters ?? []).some(({ key }) => query[key as keyof ListQuery]);
    return {
      title: listed.title,
      columns: listed.columns,
      filters: listed.filters ?? [],
      total,
      list: rows,
      acts: used.flatMap((act) => {
        const found = acts.get(act);
        return found ? [shown(found)] : REQUEST_ACTS.filter((one) => one.act === act);
      }),
      makes,
      hint: isAsked ? null : (listed.hint ?? null),
    };
  }

  return {
    seenBy: (operator: Operator): OpsMe['lists'] =>
      LISTS.filter((list) => maySee(operator, list)).map((list) => ({
        list,
        title: lists[list].title,
        group: GROUPS[list],
      })),

    read,

    /** All of one customer; null where there is none. */
    async customer(id: number, operator: Operator): Promise<Customer | null> {
      const [row] = (await rowsOf(lists.users, ListQuery.parse({ id: String(id) }), operator)).list;
      if (row === undefined) return null;
      const seen = CUSTOMER_LISTS.filter(({ list }) => maySee(operator, list));
      const parts = seen.map(async ({ list, query }) => {
        const asked = query(String(id));
        const part = await read(list, ListQuery.parse({ ...asked, page_size: CUSTOMER_ROWS }), operator);
        return { ...part, name: list, query: asked };
      });
      return { id, name: row.name ?? '', lists: await Promise.all(parts) };
    },
  };
}
export type Lists = ReturnType<typeof createLists>;
