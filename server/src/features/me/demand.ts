/** /v1/stats/demand/mac: 「希望有 macOS 客户端」, one voice a browser, signed in or not. */
import { and, eq } from 'drizzle-orm';
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { App, Deps } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { deviceOf } from '../accounts/service.ts';
import { Demand } from './schema.ts';

const demandVotes = pgTable('demand_votes', {
  subject: text('subject', { enum: ['mac'] }).notNull(),
  deviceId: text('device_id').notNull(),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
});

const URL = '/v1/stats/demand/mac';

export function demandRoutes(app: App, { db, config, keys }: Deps): void {
  route(app, {
    method: 'GET',
    url: URL,
    access: 'visitor',
    summary: 'Whether this browser has asked for a macOS client',
    answer: Demand,
    handler: async ({ request, reply }) => {
      const { deviceId } = deviceOf(request, reply, config, keys);
      const [row] = await db
        .select({ at: demandVotes.at })
        .from(demandVotes)
        .where(and(eq(demandVotes.subject, 'mac'), eq(demandVotes.deviceId, deviceId)));
      return { voted: row !== undefined };
    },
  });

  route(app, {
    method: 'POST',
    url: URL,
    access: 'visitor',
    limit: 'signin',
    summary: 'Asks for a macOS client; asked again it stays one voice',
    answer: Demand,
    handler: async ({ request, reply }) => {
      const { deviceId } = deviceOf(request, reply, config, keys);
      await db.insert(demandVotes).values({ subject: 'mac', deviceId }).onConflictDoNothing();
      return { voted: true };
    },
  });
}
