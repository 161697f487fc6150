/** Who may do what in an enterprise: the right comes from the person's role in it, on any channel. */
import { and, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Keys } from '../../lib/keys.ts';
import { demandStepUp } from '../accounts/service.ts';
import { enterprises, members } from './tables.ts';
import type { EnterpriseRow, EnterpriseState, MemberRow, Role } from './tables.ts';

export interface Place {
  enterprise: EnterpriseRow;
  member: MemberRow;
}

const RANK: Record<Role, number> = { member: 0, admin: 1, owner: 2 };
export const ROLE_TITLES: Record<Role, string> = { owner: '企业所有者', admin: '管理员', member: '成员' };

/** States in which new work may begin. */
const WORKING: readonly EnterpriseState[] = ['trial', 'active', 'grace'];
/** States in which members may still read and export. */
const READING: readonly EnterpriseState[] = [...WORKING, 'readonly', 'dissolving'];

export const mayWrite = ({ state, seats, seatsUsed }: EnterpriseRow): boolean =>
  WORKING.includes(state) && seatsUsed <= seats;
export const mayRead = ({ state }: EnterpriseRow): boolean => READING.includes(state);

/** Why new work cannot begin; null when it can. */
export function writeFault(enterprise: EnterpriseRow): Fault | null {
  if (!mayRead(enterprise)) return new Fault(30307);
  if (!WORKING.includes(enterprise.state)) return new Fault(30306);
  return enterprise.seatsUsed > enterprise.seats ? new Fault(30314) : null;
}

/** The enterprise and the person's active membership in it; 404 for everybody else, 30305 below the role asked for. */
export async function enter(db: Db, userId: number, eid: number, least: Role = 'member'): Promise<Place> {
  const [row] = await db
    .select({ enterprise: enterprises, member: members })
    .from(members)
    .innerJoin(enterprises, eq(enterprises.id, members.enterpriseId))
    .where(
      and(
        eq(members.enterpriseId, eid),
        eq(members.userId, userId),
        eq(members.state, 'active'),
        sql`${enterprises.state} <> 'deleted'`,
      ),
    );
  if (!row) throw missing();
  demandRole(row.member, least);
  return row;
}

export function demandRole(member: MemberRow, least: Role): void {
  if (RANK[member.role] < RANK[least]) throw new Fault(30305, { role: ROLE_TITLES[least] });
}

/** The owner with a fresh code; who is none is told so without being sent one. */
export async function demandOwner(deps: { db: Db; keys: Keys }, actor: Actor, eid: number): Promise<void> {
  await enter(deps.db, actor.userId, eid, 'owner');
  await demandStepUp(deps, actor);
}

/** `enter` under the enterprise's row lock: seats, roles and states change one after the other. */
export async function enterLocked(tx: Tx, userId: number, eid: number, least: Role): Promise<Place> {
  await lockEnterprise(tx, eid);
  return enter(tx, userId, eid, least);
}

/** The row as it stands under its lock; 404 when it is gone. */
export async function lockEnterprise(tx: Tx, eid: number): Promise<EnterpriseRow> {
  const [row] = await tx.select().from(enterprises).where(eq(enterprises.id, eid)).for('update');
  if (!row || row.state === 'deleted') throw missing();
  return row;
}
