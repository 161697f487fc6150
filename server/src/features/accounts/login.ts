/** The one way into an account, whichever provider brought the person: ban, leaving, channels, the answer. */
import type { Config } from '../../lib/config.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Device } from './device.ts';
import { cancelDeletion, isPastGrace, removePerson, graceEnds } from './account-deletion.ts';
import type { People } from './people.ts';
import type { SignIn } from './schema.ts';
import { beginSessions, signInAnswer } from './sessions.ts';
import type { UserRow } from './store.ts';
import { giveTicket, takeTicket } from './tickets.ts';

export interface LoginDeps {
  db: Db;
  keys: Keys;
  config: Config;
  metrics: Metrics;
  people: People;
}

/** Finds or makes the account, its row locked; called again when the one it found had left for good. */
export type Finder = (tx: Tx) => Promise<{ user: UserRow; isNew: boolean }>;

export async function logIn(deps: LoginDeps, device: Device, find: Finder): Promise<SignIn> {
  const attempt = () =>
    deps.db.transaction(async (tx) => {
      const { user, isNew } = await find(tx);
      if (!user.leavingAt) return { begun: await beginSessions(tx, deps.people, user, device, isNew) };
      if (!(await isPastGrace(tx, user.id))) return { leaving: user, leavingAt: user.leavingAt };
      await removePerson(tx, deps.people, user.id);
      return null;
    });
  const outcome = (await attempt()) ?? (await attempt());
  if (!outcome) throw new Fault(30003);
  if (outcome.begun) return signInAnswer(deps.keys, outcome.begun);
  const { leaving, leavingAt } = outcome;
  const ends = graceEnds(leavingAt);
  const ticket = await giveTicket(deps, 'restore', { userId: leaving.id }, device);
  throw new Fault(
    30008,
    { until: shownDay.format(ends) },
    { data: { nickname: leaving.nickname, until: ends.toISOString(), ticket } },
  );
}

const shownDay = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

/** 恢复账号: the second half of a sign-in that was answered with 30008. */
export function restore(deps: LoginDeps, ticket: string, device: Device): Promise<SignIn> {
  return logIn(deps, device, async (tx) => {
    const { userId } = await takeTicket(tx, deps.keys, 'restore', ticket, device);
    return { user: await cancelDeletion(tx, userId), isNew: false };
  });
}
