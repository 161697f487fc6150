/** Making, reading, changing and dissolving enterprises. */
import { isCreditCode } from '@hengxi/contracts/seats';
import { and, desc, eq, ne } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import { violates } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { enter, enterLocked, mayWrite } from './access.ts';
import type { Place } from './access.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import { countMemberships } from './members.ts';
import type { createDeskWork } from './desk.ts';
import { readLimits } from './limits.ts';
import type { createOwnership } from './ownership.ts';
import type { Enterprise, EnterpriseCard, EnterpriseChange, NewEnterprise, Settings } from './schema.ts';
import { enterprises, members, trials } from './tables.ts';
import type { EnterpriseRow } from './tables.ts';
import { DISSOLVE_DAYS } from './terms.ts';
import type { Terms } from './terms.ts';

const ENTERPRISES_MAX = 5;
const DEFAULTS: Settings = { export_allowed: true, shares_allowed: true, share_days: null };

export const settingsOf = ({ settings }: EnterpriseRow): Settings => ({ ...DEFAULTS, ...settings });

const field = (key: string, text: string): Fault =>
  new Fault(30090, { detail: text }, { fields: [{ field: key, code: key, text }] });

interface Parts {
  terms: Terms;
  ownership: ReturnType<typeof createOwnership>;
  desk: ReturnType<typeof createDeskWork>;
}

export function createTenants(context: Context, { terms, ownership, desk }: Parts) {
  const { db, clock } = context;

  const card = ({ enterprise, member }: Place): EnterpriseCard => ({
    id: enterprise.id,
    name: enterprise.name,
    state: enterprise.state,
    role: member.role,
    ends_at: enterprise.endsAt?.toISOString() ?? null,
    seats: enterprise.seats,
    seats_used: enterprise.seatsUsed,
    me: { id: member.id, version: member.version },
  });

  async function whole(place: Place): Promise<Enterprise> {
    const { enterprise, member } = place;
    const manages = member.role !== 'member';
    return {
      ...card(place),
      credit_code: manages ? enterprise.creditCode : null,
      contact: manages ? enterprise.contact : '',
      starts_at: enterprise.startsAt?.toISOString() ?? null,
      dissolves_at: enterprise.dissolvesAt?.toISOString() ?? null,
      settings: settingsOf(enterprise),
      version: enterprise.version,
      over_seats: enterprise.seatsUsed > enterprise.seats,
      can: { manage: manages, own: member.role === 'owner', write: mayWrite(enterprise) },
      transfer: manages ? await ownership.open(db, enterprise.id) : null,
      trial: manages ? await trialOf(enterprise.id) : null,
      held: enterprise.heldReason,
    };
  }

  async function trialOf(eid: number): Promise<Enterprise['trial']> {
    const [row] = await db.select().from(trials).where(eq(trials.enterpriseId, eid));
    return row && row.state !== 'granted' ? { state: row.state, reason: row.reason } : null;
  }

  return {
    async mine(userId: number): Promise<{ total: number; list: EnterpriseCard[] }> {
      const rows = await db
        .select({ enterprise: enterprises, member: members })
        .from(members)
        .innerJoin(enterprises, eq(enterprises.id, members.enterpriseId))
        .where(and(eq(members.userId, userId), eq(members.state, 'active'), ne(enterprises.state, 'deleted')))
        .orderBy(desc(members.usedAt), members.id);
      return { total: rows.length, list: rows.map(card) };
    },

    /** The founder is its owner. A trial begins at once; the caller has proved who it is. */
    async make(userId: number, body: NewEnterprise): Promise<Enterprise> {
      const code = body.credit_code || null;
      if (code !== null && !isCreditCode(code)) throw field('credit_code', '统一社会信用代码有误，请核对 18 位代码');
      if (body.trial && code === null) throw field('credit_code', '申请试用请填写统一社会信用代码');
      if (body.trial && body.contact === '') throw field('contact', '请填写联系人');
      const eid = await db
        .transaction(async (tx) => {
          if ((await countMemberships(tx, userId)) >= ENTERPRISES_MAX) throw new Fault(30312);
          const [enterprise] = await tx
            .insert(enterprises)
            .values({ name: body.name, creditCode: code, contact: body.contact })
            .returning();
          if (!enterprise) throw new Error('INSERT gave no row');
          const [member] = await tx
            .insert(members)
            .values({ enterpriseId: enterprise.id, userId, role: 'owner' })
            .returning();
          if (!member) throw new Error('INSERT gave no row');
          if (body.trial && code !== null) {
            const { trialReview } = await readLimits(tx);
            await tx.insert(trials).values({
              creditCode: code,
              enterpriseId: enterprise.id,
              contact: body.contact,
              state: trialReview ? 'waiting' : 'granted',
            });
            if (!trialReview) await desk.grantTrial(tx, enterprise.id);
          }
          await terms.settle(tx, enterprise.id);
          await note(
            tx,
            { enterprise, member },
            {
              act: body.trial ? 'enterprise.trial' : 'enterprise.make',
              kind: 'enterprise',
              target: enterprise.name,
              after: { credit_code: code },
            },
          );
          return enterprise.id;
        })
        .catch((error: unknown) => {
          if (violates(error, 'enterprise_trials_pkey')) throw new Fault(30311);
          if (violates(error, 'enterprises_name')) throw field('name', '该企业名称已被使用');
          throw error;
        });
      return whole(await enter(db, userId, eid));
    },

    read: async (userId: number, eid: number): Promise<Enterprise> => whole(await enter(db, userId, eid)),

    async change(userId: number, eid: number, body: EnterpriseChange): Promise<Enterprise> {
      await db
        .transaction(async (tx) => {
          const place = await enterLocked(tx, userId, eid, body.keep ? 'owner' : 'admin');
          const { enterprise } = place;
          if (enterprise.version !== body.version) throw new Fault(30309);
          const before = { name: enterprise.name, contact: enterprise.contact, settings: settingsOf(enterprise) };
          const after = {
            name: body.name ?? before.name,
            contact: body.contact ?? before.contact,
            settings: { ...before.settings, ...body.settings },
          };
          await tx
            .update(enterprises)
            .set({
              ...after,
              version: enterprise.version + 1,
              ...(body.keep && enterprise.state === 'dissolving'
                ? { state: enterprise.stateBefore ?? 'pending', stateBefore: null, dissolvesAt: null }
                : {}),
            })
            .where(eq(enterprises.id, eid));
          await note(tx, place, {
            act: body.keep ? 'enterprise.keep' : 'enterprise.change',
            kind: 'enterprise',
            target: enterprise.name,
            before,
            after,
          });
          if (body.keep) await terms.settle(tx, eid);
        })
        .catch((error: unknown) => {
          if (violates(error, 'enterprises_name')) throw field('name', '该企业名称已被使用');
          throw error;
        });
      return whole(await enter(db, userId, eid));
    },

    /** Everything is removed after thirty days, until then the owner may keep it. The caller has proved who it is. */
    async dissolve(userId: number, eid: number): Promise<Enterprise> {
      await db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'owner');
        const { enterprise } = place;
        if (enterprise.state === 'dissolving') return;
        const dissolvesAt = new Date((await clock(tx)).getTime() + DISSOLVE_DAYS * DAY_MS);
        await tx
          .update(enterprises)
          .set({
            state: 'dissolving',
            stateBefore: enterprise.state,
            dissolvesAt,
            version: enterprise.version + 1,
          })
          .where(eq(enterprises.id, eid));
        await note(tx, place, {
          act: 'enterprise.dissolve',
          kind: 'enterprise',
          target: enterprise.name,
          before: { state: enterprise.state },
          after: { dissolves_at: dissolvesAt },
        });
      });
      return whole(await enter(db, userId, eid));
    },
  };
}
