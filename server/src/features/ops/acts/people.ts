/** Acts on accounts: bans, sessions, grants of days and points. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { listActs } from '../../../lib/act-log.ts';
import { DAY_MS, midnightAfter } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Fault, missing } from '../../../lib/errors.ts';
import { banUser, endAllSessions, findUser, liveSessions, unbanUser } from '../../accounts/service.ts';
import type { UserRow } from '../../accounts/service.ts';
import { define, field, instant, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';

const DAYS_ALONE = 31;
const POINTS_ALONE = 100;
const GRANTS_A_DAY = 3;
const GRANTS = ['grant.days', 'grant.points'];

const banOf = (user: UserRow) => ({ banned_at: user.bannedAt, reason: user.banReason, until: user.banUntil });

export function peopleActs({ db, clock, membership, points }: Context): Act[] {
  async function load(executor: Db, target: string): Promise<UserRow> {
    const id = idOf(target);
    const user = id === null ? null : await findUser(executor, id);
    if (!user || user.removedAt) throw missing();
    return user;
  }

  async function look(executor: Db, target: string): Promise<Looked | null> {
    const id = idOf(target);
    const user = id === null ? null : await findUser(executor, id);
    if (!user || user.removedAt) return null;
    const vip = await membership.grants.standing(executor, user.id);
    const account = await points.account(executor, { kind: 'user', id: user.id });
    return {
      name: user.nickname,
      owner: user.id,
      version: null,
      before: { ...banOf(user), vip_until: vip.until, lifetime: vip.lifetime, points: account.user_ai_point },
    };
  }

  /** Grants of the desk to this person since midnight. */
  async function grantsToday(executor: Db, target: string): Promise<number> {
    const from = new Date(midnightAfter(await clock(executor)).getTime() - DAY_MS);
    const counts = GRANTS.map(async (act) => {
      const filter = { scope: 'ops', act, kind: 'user', target, from } as const;
      return (await listActs(executor, filter, { page: 1, page_size: 1 })).total;
    });
    return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
  }

  const often = async (executor: Db, target: string): Promise<string | null> =>
    (await grantsToday(executor, target)) >= GRANTS_A_DAY ? `同一用户当日已发放 ${GRANTS_A_DAY} 次` : null;

  const onUser = { kind: 'user', look } as const;
  const grants = { ...onUser, roles: ['财务'], asks: ['客服'], isMoney: true } as const;

  return [
    define({
      ...onUser,
      act: 'user.ban',
      title: '封禁账号',
      roles: ['客服', '内容', '运维'],
      danger: true,
      payload: z.strictObject({ until: instant.nullable() }),
      fields: [field('until', '封禁至', 'instant', { optional: true, hint: '留空为永久封禁' })],
      async demand({ payload }) {
        if (payload.until && payload.until <= (await clock(db)))
          throw new Fault(30408, { detail: '封禁截止时间须在将来' });
      },
      async run({ tx, target, payload, reason }) {
        const before = await load(tx, target);
        await banUser(tx, before.id, reason, payload.until);
        return { before: banOf(before), after: banOf(await load(tx, target)) };
      },
    }),
    define({
      ...onUser,
      act: 'user.unban',
      title: '解除封禁',
      roles: ['客服', '运维'],
      payload: nothing,
      fields: [],
      async run({ tx, target }) {
        const before = await load(tx, target);
        await unbanUser(tx, before.id);
        return { before: banOf(before), after: banOf(await load(tx, target)) };
      },
    }),
    define({
      ...onUser,
      act: 'user.end_sessions',
      title: '结束全部会话',
      roles: ['客服', '运维'],
      danger: true,
      payload: nothing,
      fields: [],
      async run({ tx, target }) {
        const user = await load(tx, target);
        const before = await liveSessions(tx, user.id);
        await endAllSessions(tx, user.id, 'operator');
        return { before: { sessions: before.length }, after: { sessions: (await liveSessions(tx, user.id)).length } };
      },
    }),
    define({
      ...grants,
      act: 'grant.days',
      title: '赠送会员天数',
      payload: z.strictObject({ days: z.number().int().min(1).max(3660) }),
      fields: [field('days', '天数', 'number', { hint: `超过 ${DAYS_ALONE} 天需要另一位操作员审批` })],
      fourEyes: async ({ target, payload }) =>
        payload.days > DAYS_ALONE ? `赠送超过 ${DAYS_ALONE} 天` : often(db, target),
      async run({ tx, target, payload }) {
        const user = await load(tx, target);
        const gift = { userId: user.id, source: 'ops', ref: `desk:${randomUUID()}`, lifetime: false } as const;
        const { before, after } = await membership.grants.grant(tx, { ...gift, days: payload.days });
        return { before, after: { ...after, days: payload.days } };
      },
    }),
    define({
      ...grants,
      act: 'grant.points',
      title: '赠送 AI 点数',
      payload: z.strictObject({ points: z.number().int().min(1).max(100_000) }),
      fields: [field('points', '点数', 'number', { hint: `超过 ${POINTS_ALONE} 点需要另一位操作员审批` })],
      fourEyes: async ({ target, payload }) =>
        payload.points > POINTS_ALONE ? `赠送超过 ${POINTS_ALONE} 点` : often(db, target),
      async run({ tx, target, payload, by }) {
        const user = await load(tx, target);
        const occasion = { kind: 'ops', key: `desk:${randomUUID()}`, title: '客服赠送', actor: by } as const;
        const owner = { kind: 'user', id: user.id } as const;
        const { before, after } = await points.add(tx, owner, { gift: payload.points }, occasion);
        return { before, after: { ...after, points: payload.points } };
      },
    }),
  ];
}
