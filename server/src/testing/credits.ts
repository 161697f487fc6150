/** The credits centre as tests use it: a clock of their own, events counted, rewards and balances as a page sees them. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { happened } from '../lib/product-events.ts';
import type { Deed } from '../lib/product-events.ts';
import { build } from './build.ts';
import type { World } from './build.ts';
import { call, makePerson } from './makers.ts';
import type { Person } from './makers.ts';
import { expectBalanced } from './money.ts';

export interface CreditStage {
  world: World;
  person: Person;
  /** What the product takes for the present. */
  now: Date;
}

/** A fresh product for each test of a file, whose time stands still until the test moves it. */
export function creditStage(start: string) {
  const stage: Partial<CreditStage> = {};
  beforeAll(async () => {
    stage.world = await build({ clock: async () => stage.now! });
  });
  beforeEach(async () => {
    stage.now = new Date(start);
    await stage.world!.reset();
    stage.person = await makePerson(stage.world!);
  });
  afterAll(() => stage.world?.close());
  // Filled before a test begins.
  const on = stage as CreditStage;
  const credits = () => on.world.money.centre.credits;
  return Object.assign(on, {
    get: async (url: string, who: Person | null = on.person) => (await call(on.world, who, 'GET', url)).data,

    /** Something that happened at the stage's present, and is counted. */
    async does(deed: Deed, who: Person = on.person, at: Date = on.now): Promise<void> {
      await on.world.db.transaction(async (tx) => {
        await happened(tx, who.owner, deed);
        await tx.execute(sql`UPDATE product_events SET at = ${at} WHERE applied_at IS NULL AND user_id = ${who.id}`);
      });
      await on.world.money.centre.count();
    },

    /** Credits out of nothing, as the desk gives them. */
    gives: (amount: number, who: Person = on.person, key = `test:${randomUUID()}`) =>
      on.world.db.transaction((tx) =>
        credits().ledger.earn(tx, who.id, amount, { kind: 'adjust', key, title: '测试' }),
      ),

    balance: async (who: Person = on.person): Promise<number> =>
      (await call(on.world, who, 'GET', '/v1/credits-center/account')).data.total_amount,

    at(iso: string): void {
      on.now = new Date(iso);
    },

    /** Every book agrees. */
    agrees: () => expectBalanced(on.world),

    async quest(title: string, who: Person = on.person) {
      const list: { title: string; record_id: number; state: number; progress: number }[] = (
        await call(on.world, who, 'GET', '/v1/quests')
      ).data;
      const found = list.find((one) => one.title === title);
      expect(found, title).toBeDefined();
      return found!;
    },

    accept: (id: number, who: Person = on.person) =>
      call(on.world, who, 'PUT', `/v1/quest-record/${id}/accept-bonus`, {}),
  });
}
