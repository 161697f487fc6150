/** Who is staff; written by the command line only. */
import { eq } from 'drizzle-orm';
import { logAct } from '../../lib/act-log.ts';
import type { Db } from '../../lib/db.ts';
import type { Role } from './schema.ts';
import { operators, opsSessions } from './tables.ts';
import type { OperatorRow } from './tables.ts';

export const listOperators = (db: Db): Promise<OperatorRow[]> => db.select().from(operators).orderBy(operators.userId);

/** Gives somebody these roles; none takes the desk away at once. */
export async function setOperator(db: Db, userId: number, roles: Role[], by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(operators).where(eq(operators.userId, userId)).for('update');
    const state = roles.length > 0 ? 'active' : 'stopped';
    const after = { roles, state, addedBy: by } as const;
    await tx
      .insert(operators)
      .values({ userId, ...after })
      .onConflictDoUpdate({ target: operators.userId, set: { ...after, updatedAt: new Date() } });
    if (state === 'stopped')
      await tx.update(opsSessions).set({ endedAt: new Date() }).where(eq(opsSessions.userId, userId));
    await logAct(tx, {
      scope: 'ops',
      actor: null,
      role: `命令行 ${by}`,
      act: 'operator.set',
      kind: 'operator',
      target: userId,
      before: before ? { roles: before.roles, state: before.state } : null,
      after: { roles, state },
    });
  });
}
