/** What happened to an account, told by SMS: written with the work, sent by the outbox until the provider took it. */
import { z } from 'zod';
import type { Db } from '../../lib/db.ts';
import type { Keys } from '../../lib/keys.ts';
import { send, topicOf } from '../../lib/outbox.ts';
import type { Topic } from '../../lib/outbox.ts';
import { openPhone } from './phones.ts';
import type { SmsProvider } from './sms.ts';

export const NOTICE = 'sms.notice';
const Letter = z.strictObject({ phone: z.string(), text: z.string() });

/** `phone` as it is kept, sealed: the number may be nobody's any more when the message goes out. The key names the occasion. */
export async function tell(tx: Db, key: string, phone: string | null, text: string): Promise<void> {
  if (phone !== null) await send(tx, { topic: NOTICE, key: `${NOTICE}:${key}`, payload: { phone, text } });
}

/** How the outbox sends them; forgotten once sent, since they hold a number. */
export const noticeTopic = ({ keys, sms }: { keys: Keys; sms: SmsProvider }): Topic => ({
  ...topicOf(Letter, async ({ phone, text }) => {
    await sms.sendNotice(openPhone(keys, phone), text);
    return 'done';
  }),
  forget: true,
});
