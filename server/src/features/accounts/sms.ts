/** Sending messages: an interface for real providers, and the sandbox whose inbox is a page. */
import { desc, eq, lt, sql } from 'drizzle-orm';
import type { Config } from '../../lib/config.ts';
import type { Db } from '../../lib/db.ts';
import { ConfigFault } from '../../lib/config.ts';
import type { Keys } from '../../lib/keys.ts';
import { maskPhone } from '../../lib/log.ts';
import { digestPhone } from './phones.ts';
import type { SandboxSms } from './schema.ts';
import { sandboxSms } from './tables.ts';

export interface SmsProvider {
  /** Sends one code; throws when the provider did not take it. Never called inside a transaction. */
  sendCode(phone: string, code: string): Promise<void>;
  /** The sandbox's inbox, newest first; null for real providers. */
  inbox: ((phone: string | null) => Promise<SandboxSms[]>) | null;
}

export function createSms(config: Config, db: Db, keys: Keys): SmsProvider {
  if (config.isProduction) throw new ConfigFault('沙箱短信不能用于生产环境');
  return createSandboxSms(db, keys);
}

function createSandboxSms(db: Db, keys: Keys): SmsProvider {
  return {
    async sendCode(phone, code) {
      await db.delete(sandboxSms).where(lt(sandboxSms.sentAt, sql`now() - interval '1 day'`));
      await db.insert(sandboxSms).values({
        phoneDigest: digestPhone(keys, phone),
        phoneShown: maskPhone(phone),
        text: `【衡析】验证码 ${code}，十分钟内有效。请勿告诉他人。`,
        code,
      });
    },
    async inbox(phone) {
      const rows = await db
        .select()
        .from(sandboxSms)
        .where(phone === null ? undefined : eq(sandboxSms.phoneDigest, digestPhone(keys, phone)))
        .orderBy(desc(sandboxSms.id))
        .limit(50);
      return rows.map((row) => ({
        phone: row.phoneShown,
        text: row.text,
        code: row.code,
        sent_at: row.sentAt.toISOString(),
      }));
    },
  };
}
