/** Asking a configured provider: five seconds, no redirects, at most 2 MB, and a pause after five failures in a row. */
import type { ZodType } from 'zod';

/** The provider is slow, down or talks nonsense: nothing is known, and nothing may be concluded from it. */
export class ProviderFault extends Error {
  /** For the log: which of the many ways to fail. Holds no secrets. */
  readonly reason: string;
  constructor(reason: string) {
    super(`Provider: ${reason}`);
    this.reason = reason;
  }
}

const ANSWER_MAX = 2 * 1024 * 1024;
const FAILURES_MAX = 5;
const PAUSE_MS = 30_000;

export interface ProviderCall {
  method?: 'GET' | 'POST';
  query?: Record<string, string>;
  json?: unknown;
  headers?: Record<string, string>;
  /** Ends the call from outside. That is no failure of the provider. */
  signal?: AbortSignal;
}

export interface ProviderClient {
  ask<T>(url: string, answer: ZodType<T>, call?: ProviderCall): Promise<T>;
}

export function createProviderClient(options: { timeoutMs?: number; clock?: () => number } = {}): ProviderClient {
  const { timeoutMs = 5000, clock = () => performance.now() } = options;
  let failures = 0;
  let pausedUntil = 0;

  async function once<T>(url: string, answer: ZodType<T>, call: ProviderCall): Promise<T> {
    const address = new URL(url);
    for (const [name, value] of Object.entries(call.query ?? {})) address.searchParams.set(name, value);
    const response = await fetch(address, {
      method: call.method ?? 'GET',
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(call.signal ? [call.signal] : [])]),
      headers: {
        ...call.headers,
        accept: 'application/json',
        ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
    });
    if (!response.ok) throw new ProviderFault(`status ${response.status}`);
    const parsed = answer.safeParse(parse(await bounded(response)));
    if (!parsed.success) throw new ProviderFault('unexpected answer');
    return parsed.data;
  }

  return {
    async ask(url, answer, call = {}) {
      if (clock() < pausedUntil) throw new ProviderFault('paused after failures');
      try {
        const data = await once(url, answer, call);
        failures = 0;
        return data;
      } catch (error) {
        call.signal?.throwIfAborted();
        failures += 1;
        if (failures >= FAILURES_MAX) {
          pausedUntil = clock() + PAUSE_MS;
          failures = 0;
        }
        if (error instanceof ProviderFault) throw error;
        throw new ProviderFault(error instanceof Error ? error.name : 'unknown');
      }
    },
  };
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (!response.body) return '';
  for await (const part of response.body) {
    size += part.length;
    if (size > ANSWER_MAX) throw new ProviderFault('answer too large');
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderFault('answer is no JSON');
  }
}
