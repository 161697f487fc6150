/** Accounts: found by exact phone, words of the nickname, number, or one of their orders; never listed as a whole. */
import { maskPhone } from '../../../lib/log.ts';
import {
  digestPhone,
  findUser,
  findUserByPhone,
  liveSessions,
  openPhone,
  usersByNickname,
} from '../../accounts/service.ts';
import type { UserRow } from '../../accounts/service.ts';
import { vipOf } from '../../membership/service.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import type { ListQuery } from '../schema.ts';
import { column, iso, numberIn, pageOf, textFilter } from './list.ts';
import type { Listed, Row } from './list.ts';

const PHONE = /^1\d{10}$/;
const ORDER_NO = /^[0-9A-Za-z-]{8,40}$/;
/** One sign would name half of all people. */
const NICKNAME_MIN = 2;
const MOST = 50;

export function peopleList({ db, keys, clock, membership, points, orders }: Context): Listed {
  const byPhone = (phone: string) => findUserByPhone(db, digestPhone(keys, phone));
  async function byOrder(no: string): Promise<UserRow | null> {
    const order = await orders.desk.order(db, no);
    return order ? findUser(db, order.userId) : null;
  }

  /** One field for all four: what looks like a phone, a number or an order is tried as such, words as a nickname. */
  async function byAny(who: string): Promise<UserRow[]> {
    const id = idOf(who);
    const exact = await Promise.all([
      id === null ? null : findUser(db, id),
      PHONE.test(who) ? byPhone(who) : null,
      ORDER_NO.test(who) ? byOrder(who) : null,
    ]);
    const named = [...who].length < NICKNAME_MIN ? [] : await usersByNickname(db, who, MOST);
    const all = [...exact.filter((one) => one !== null), ...named];
    return all.filter((one, at) => all.findIndex((other) => other.id === one.id) === at).slice(0, MOST);
  }

  async function find({ who, id, phone, order_no: no }: ListQuery): Promise<UserRow[]> {
    if (who) return byAny(who);
    const user = id
      ? await findUser(db, numberIn(id) ?? 0)
      : phone
        ? await byPhone(phone)
        : no
          ? await byOrder(no)
          : null;
    return user === null ? [] : [user];
  }

  async function row(user: UserRow): Promise<Row> {
    const standing = await membership.grants.standing(db, user.id);
    const now = await clock(db);
    const isBanned = user.bannedAt !== null && (user.banUntil === null || user.banUntil > now);
    const account = await points.account(db, { kind: 'user', id: user.id });
    return {
      id: String(user.id),
      name: user.nickname,
      cells: {
        id: user.id,
        nickname: user.nickname,
        phone: user.phoneSealed ? maskPhone(openPhone(keys, user.phoneSealed)) : null,
        created_at: iso(user.createdAt),
        state: user.removedAt ? '已注销' : user.leavingAt ? '注销中' : isBanned ? '已封禁' : '正常',
        ban_reason: isBanned ? user.banReason : null,
        ban_until: isBanned ? (iso(user.banUntil) ?? '永久') : null,
        vip_until: standing.lifetime ? '长期有效' : vipOf(standing).invalid_at,
        points: account.user_ai_point,
        sessions: (await liveSessions(db, user.id)).length,
      },
      acts: user.removedAt
        ? []
        : [isBanned ? 'user.unban' : 'user.ban', 'user.end_sessions', 'grant.days', 'grant.points'],
    };
  }

  return {
    title: '用户',
    columns: [
      column('id', '编号', 'customer'),
      column('nickname', '昵称'),
      column('phone', '手机号'),
      column('created_at', '注册时间', 'instant'),
      column('state', '状态', 'state'),
      column('ban_reason', '封禁原因'),
      column('ban_until', '封禁至', 'instant'),
      column('vip_until', '会员至', 'instant'),
      column('points', 'AI 点数', 'number'),
      column('sessions', '在线会话', 'number'),
    ],
    filters: [textFilter('who', '手机号、昵称、用户编号或订单号')],
    hint: '按完整手机号、昵称、用户编号或订单号查找，点编号打开客户页。',
    async rows(query) {
      const { total, list } = pageOf(await find(query), query);
      return { total, list: await Promise.all(list.map(row)) };
    },
  };
}
