/** Sending messages: real providers by configuration, and the sandbox whose inbox is a page. */
import { desc, eq, lt, sql } from 'drizzle-orm';
import type { Config } from '../../lib/config.ts';
import type { Db } from '../../lib/db.ts';
import { ConfigFault } from '../../lib/config.ts';
import type { Keys } from '../../lib/keys.ts';
import { maskPhone } from '../../lib/log.ts';
import type { Logger } from '../../lib/log.ts';
import { digestPhone } from './phones.ts';
import type { SandboxSms } from './schema.ts';
import { createAliyunSender, createTencentSender } from './sms-providers.ts';
import type { Sender } from './sms-providers.ts';
import { sandboxSms } from './tables.ts';

export interface SmsProvider {
  /** Sends one code; throws 30009 when the provider did not take it. Never called inside a transaction. */
  sendCode(phone: string, code: string): Promise<void>;
  /** Tells the person what happened to the account; throws 30009 when the provider did not take it. */
  sendNotice(phone: string, text: string): Promise<void>;
  /** The sandbox's inbox, newest first; null for real providers. */
  inbox: ((phone: string | null) => Promise<SandboxSms[]>) | null;
}

export function createSms(deps: { config: Config; db: Db; keys: Keys; log: Logger }): SmsProvider {
  const { sms } = deps.config.providers;
  if (sms.kind === 'aliyun') return byTemplates(createAliyunSender(sms, deps.log), sms, deps.log);
  if (sms.kind === 'tencent') return byTemplates(createTencentSender(sms, deps.log), sms, deps.log);
  if (deps.config.isProduction) throw new ConfigFault('沙箱短信不能用于生产环境');
  return createSandboxSms(deps.db, deps.keys);
}

function byTemplates(sender: Sender, config: { template: string; notice: string | null }, log: Logger): SmsProvider {
  return {
    sendCode: (phone, code) => sender.send(phone, config.template, { name: 'code', value: code }),
    async sendNotice(phone, text) {
      // The operator has no template for notices: nothing could ever be sent, and the log says so each time.
      if (!config.notice) log.warn({ event: 'sms_notice' }, 'a notice was not sent: there is no template for notices');
      else await sender.send(phone, config.notice, { name: 'text', value: text });
    },
    inbox: null,
  };
}

function createSandboxSms(db: Db, keys: Keys): SmsProvider {
  const put = async (phone: string, text: string, code: string): Promise<void> => {
    await db.delete(sandboxSms).where(lt(sandboxSms.sentAt, sql`now() - interval '1 day'`));
    await db
      .insert(sandboxSms)
      .values({ phoneDigest: digestPhone(keys, phone), phoneShown: maskPhone(phone), text, code });
  };
  return {
    sendCode: (phone, code) => put(phone, `【衡析】验证码 ${code}，十分钟内有效。请勿告诉他人。`, code),
    sendNotice: (phone, text) => put(phone, `【衡析】${text}`, ''),
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
