/** Accounts: found by number, exact phone, or one of their orders; never listed. */
import { maskPhone } from '../../../lib/log.ts';
import { digestPhone, findUser, findUserByPhone, liveSessions, openPhone } from '../../accounts/service.ts';
import type { UserRow } from '../../accounts/service.ts';
import { vipOf } from '../../membership/service.ts';
import type { Context } from '../context.ts';
import { column, iso, numberIn, textFilter } from './list.ts';
import type { Listed, Row } from './list.ts';

export function peopleList({ db, keys, clock, membership, points, orders }: Context): Listed {
  async function find({ id, phone, order_no: no }: { id?: string; phone?: string; order_no?: string }) {
    if (id) return findUser(db, numberIn(id) ?? 0);
    if (phone) return findUserByPhone(db, digestPhone(keys, phone));
    const order = no ? await orders.desk.order(db, no) : null;
    return order ? findUser(db, order.userId) : null;
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
      column('id', '编号', 'number'),
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
    filters: [textFilter('id', '用户编号'), textFilter('phone', '完整手机号'), textFilter('order_no', '订单号')],
    hint: '按用户编号、完整手机号或订单号查找。',
    async rows({ id, phone, order_no: no }) {
      const user = await find({ ...(id ? { id } : {}), ...(phone ? { phone } : {}), ...(no ? { order_no: no } : {}) });
      return user ? { total: 1, list: [await row(user)] } : { total: 0, list: [] };
    },
  };
}
