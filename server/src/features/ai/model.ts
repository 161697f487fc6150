/** Who writes a reading: a configured service, or a sandbox that answers by itself. No other code knows which runs. */
import { z } from 'zod';
import type { Providers } from '../../lib/config-providers.ts';
import { createProviderClient, ProviderFault } from '../../lib/provider-http.ts';
import type { Statement } from './statements.ts';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Model {
  /** As the reader is told. */
  title: string;
  /** One sentence a line. */
  write: (messages: Message[], statements: readonly Statement[], signal: AbortSignal) => Promise<string>;
}

const TIMEOUT_MS = 60_000;
const TOKENS_MAX = 1200;
export const ANSWER_MAX = 20_000;

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

export function modelOf(provider: Providers['ai'], timeoutMs = TIMEOUT_MS): Model | null {
  if (provider.kind !== 'on') return provider.kind === 'sandbox' ? SANDBOX : null;
  const { url, key, model } = provider;
  const client = createProviderClient({ timeoutMs });
  return {
    title: model,
    async write(messages, _, signal) {
      const answer = await client.ask(`${url.replace(/\/$/, '')}/chat/completions`, Completion, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        json: { model, messages, max_tokens: TOKENS_MAX, stream: false },
        signal,
      });
      const content = answer.choices[0]?.message.content ?? '';
      if (content.length > ANSWER_MAX) throw new ProviderFault('answer too long');
      return content;
    },
  };
}

/** Points at the same statements as a model would, and says by its name that it is none. */
const SANDBOX: Model = {
  title: '沙箱',
  write: async (messages, statements) => {
    // Asked again only for what was refused, of which there is nothing.
    if (messages.length > 2) return '';
    const of = (...kinds: Statement['kind'][]) => statements.filter(({ kind }) => kinds.includes(kind));
    return [
      ...of('lead').map(({ id }) => `先看结论：{{s:${id}}}`),
      ...of('test')
        .slice(0, 3)
        .map(({ id }) => `结论来自这项检验：{{s:${id}}}`),
      ...of('check').map(({ id }) => `再看它依赖的前提：{{s:${id}}}`),
      ...of('warning').map(({ id }) => `使用之前请留意：{{s:${id}}}`),
      '读数字时，请对照报告里的表格。',
      '结果描述的是这份样本，推广之前请想清楚样本从哪里来。',
    ].join('\n');
  },
};
