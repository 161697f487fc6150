/**
 * The chat in the help menu. It answers with passages of our own help pages, word for word and with links, knows nothing
 * of the person's data, and keeps nothing of what is asked.
 */
import { timingSafeEqual } from 'node:crypto';
import { databaseClock } from '../../lib/clock.ts';
import type { Deps } from '../../lib/deps.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { createSearch } from './search.ts';
import type { HelpText, Hit } from './search.ts';
import type { ChatAnswer, ChatToken } from './schema.ts';

const TOKEN_SECONDS = 600;
const A_MINUTE = { most: 6, seconds: 60 };
const A_DAY = { most: 100, seconds: 86_400 };
/** Below this part of the question a page is near it, but no answer to it. */
const SHARE_LEAST = 0.5;
const LINKS = 3;
const SENTENCES_MOST = 5;
const NOTE = '内容由AI生成，仅供参考';

/** Money, accounts and law are for people: nothing is guessed. */
const FOR_PEOPLE = /退款|退钱|发票|封号|封禁|投诉|隐私|人工|注销|律师|起诉|法律|赔偿/u;

export type HelpChat = ReturnType<typeof createHelpChat>;

export function createHelpChat(
  deps: Pick<Deps, 'clock' | 'db' | 'keys' | 'limiter'> & { texts: () => Promise<HelpText[]> },
) {
  const { clock = databaseClock, db, keys, limiter, texts } = deps;
  let search: Promise<ReturnType<typeof createSearch>> | null = null;
  /** Made once; a failure to read the pages is not kept, the next question tries again. */
  const index = () =>
    (search ??= texts()
      .then(createSearch)
      .catch((error: unknown) => {
        search = null;
        throw error;
      }));

  const sign = (actor: Actor, ends: number): string => keys.digest('help-chat', `${actor.userId} ${ends}`);

  async function demandToken(actor: Actor, token: string): Promise<void> {
    const [, ends = '', signature = ''] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(token) ?? [];
    const right = Buffer.from(sign(actor, Number(ends)));
    const given = Buffer.from(signature);
    const isRight = right.length === given.length && timingSafeEqual(right, given);
    if (!isRight || Number(ends) * 1000 < (await clock(db)).getTime()) throw new Fault(30108);
  }

  return {
    async token(actor: Actor): Promise<ChatToken> {
      const ends = Math.floor((await clock(db)).getTime() / 1000) + TOKEN_SECONDS;
      return { access_token: `${ends}.${sign(actor, ends)}`, expires_in: TOKEN_SECONDS, mode: 'rules', note: NOTE };
    },

    async answer(actor: Actor, token: string, question: string): Promise<ChatAnswer> {
      await demandToken(actor, token);
      const key = `help-chat ${actor.userId}`;
      if (limiter.take(`${key} day`, A_DAY.most, A_DAY.seconds) > 0) throw new Fault(30107);
      const wait = limiter.take(key, A_MINUTE.most, A_MINUTE.seconds);
      if (wait > 0) throw tooMany(wait);
      if (FOR_PEOPLE.test(question)) return { kind: 'people', sentences: [], links: [] };
      const hits = (await index())(question, LINKS);
      const links = hits.map(({ source, passage }) => ({
        title: source.title,
        heading: passage?.heading ?? null,
        url: `/help/${source.slug}/`,
      }));
      const [first] = hits;
      if (!first?.passage || first.share < SHARE_LEAST) return { kind: 'none', sentences: [], links };
      return { kind: 'answer', sentences: quote(first), links };
    },
  };
}

/** What the page is for, then the passage; both as they stand there. */
function quote({ source, passage }: Hit): string[] {
  const text = passage?.text ?? '';
  const both = text === source.purpose || source.purpose === '' ? [text] : [source.purpose, text];
  // Purposes are written as headings, without a full stop.
  const ended = both.map((part) => (/[。！？：；]$/u.test(part) ? part : `${part}。`));
  return ended.flatMap((part) => part.match(/[^。！？]+[。！？]?/gu) ?? []).slice(0, SENTENCES_MOST);
}
