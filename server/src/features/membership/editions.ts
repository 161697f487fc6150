/** What an edition may do: one table, changed by the operator without code. A refusal says what lifts it. */
import { eq, inArray, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { standingOf } from './grants.ts';
import type { createGrants } from './grants.ts';
import type { Changed } from './packages.ts';
import type { Edition, LimitData, Limits } from './schema.ts';
import { EDITIONS } from './schema.ts';
import { editionLimits, vipAccounts } from './tables.ts';
import type { LimitsRow } from './tables.ts';

export type LimitsDraft = Partial<Omit<LimitsRow, 'edition' | 'version' | 'updatedAt'>>;

/** The limits of an edition as they are shown. */
export const shownLimits = (row: LimitsRow): Limits => ({
  edition: row.edition,
  upload_bytes: row.uploadBytes,
  storage_bytes: row.storageBytes,
  files: row.files,
  rows: row.rows,
  analyses_day: row.analysesDay,
  scripts_day: row.scriptsDay,
  member_methods: row.memberMethods,
  own_scripts: row.ownScripts,
  questionnaires: row.questionnaires,
  advanced_charts: row.advancedCharts,
  flow_models: row.flowModels,
  dashboards: row.dashboards,
});

/** 20002 with its facts; the text names the limit, what was asked and what lifts it. */
export const needsUpgrade = (text: string, data: LimitData): Fault => {
  const fault = new Fault(20002, {}, { data });
  fault.message = text;
  return fault;
};

export function bytesText(bytes: number): string {
  const [size, unit] = bytes >= 1024 ** 3 ? [bytes / 1024 ** 3, 'GB'] : [bytes / 1024 ** 2, 'MB'];
  return `${Math.round(size * 10) / 10} ${unit}`;
}

/** Limits that are numbers, where a higher edition allows more. */
type Countable = 'upload_bytes' | 'storage_bytes' | 'files';

export const EDITION_TEXT: Record<Edition, string> = { standard: '标准版', member: '会员', enterprise: '企业版' };

/** What an enterprise changes of its edition's limits, for the member at work; `member_bytes` is that member's share. */
export type EnterpriseLimits = (
  executor: Db,
  owner: Owner,
) => Promise<Partial<Pick<Limits, 'storage_bytes' | 'analyses_day'>> & { member_bytes?: number | null }>;

interface Parts {
  db: Db;
  clock: Clock;
  grants: ReturnType<typeof createGrants>;
}

export function createEditions({ db, clock, grants }: Parts) {
  async function rowOf(executor: Db, edition: Edition): Promise<LimitsRow> {
    const [row] = await executor.select().from(editionLimits).where(eq(editionLimits.edition, edition));
    if (!row) throw new Error(`The edition ${edition} has no limits`);
    return row;
  }

  const editionOf = async (executor: Db, owner: Owner): Promise<Edition> => {
    if (owner.kind === 'enterprise') return 'enterprise';
    return (await grants.standing(executor, owner.id)).isMember ? 'member' : 'standard';
  };

  /** In one look, since every analysis asks: the limits of both editions a person may have, and the account that decides. */
  async function personalRow(executor: Db, userId: number): Promise<LimitsRow> {
    const rows = await executor
      .select({ limits: editionLimits, account: vipAccounts })
      .from(editionLimits)
      .leftJoin(vipAccounts, eq(vipAccounts.userId, userId))
      .where(inArray(editionLimits.edition, ['standard', 'member']));
    const account = rows[0]?.account;
    const { isMember } = standingOf(account, account ? await clock(executor) : new Date(0));
    const edition: Edition = isMember ? 'member' : 'standard';
    const found = rows.find(({ limits }) => limits.edition === edition);
    if (!found) throw new Error(`The edition ${edition} has no limits`);
    return found.limits;
  }

  let inEnterprise: EnterpriseLimits = async () => ({});

  return {
    editionOf,

    /** Seats and limits of members are the enterprise's; called once, while the application is put together. */
    connect(source: EnterpriseLimits): void {
      inEnterprise = source;
    },

    /** Limits of an owner now: an enterprise has its own, a person those of standard or member. */
    async limitsOf(executor: Db, owner: Owner): Promise<Limits & { member_bytes?: number | null }> {
      if (owner.kind === 'user') return shownLimits(await personalRow(executor, owner.id));
      return { ...shownLimits(await rowOf(executor, 'enterprise')), ...(await inEnterprise(executor, owner)) };
    },

    /** All editions in their order, for the table of prices. */
    async all(): Promise<Limits[]> {
      return (await this.rows()).map(shownLimits);
    },

    /** Desk: the same with their versions. */
    async rows(): Promise<LimitsRow[]> {
      const rows = await db.select().from(editionLimits);
      return EDITIONS.flatMap((edition) => rows.filter((row) => row.edition === edition));
    },

    /** The edition that would allow so much; null when none does. */
    async lifting(from: Edition, limit: Countable, asked: number): Promise<'member' | 'enterprise' | null> {
      const above = (await this.all()).slice(EDITIONS.indexOf(from) + 1);
      const found = above.find((one) => (one[limit] ?? Number.POSITIVE_INFINITY) >= asked)?.edition;
      return found === 'member' || found === 'enterprise' ? found : null;
    },

    /** Desk. */
    async change(tx: Tx, edition: Edition, version: number, change: LimitsDraft): Promise<Changed<LimitsRow>> {
      const [before] = await tx.select().from(editionLimits).where(eq(editionLimits.edition, edition)).for('update');
      if (!before) throw new Error(`The edition ${edition} has no limits`);
      if (before.version !== version) throw new Fault(30309);
      const [after] = await tx
        .update(editionLimits)
        .set({ ...change, version: version + 1, updatedAt: sql`now()` })
        .where(eq(editionLimits.edition, edition))
        .returning();
      if (!after) throw new Error('UPDATE gave no row');
      return { before, after };
    },
  };
}
