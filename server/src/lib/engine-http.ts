/** One HTTP call to the engine, over its Unix socket or loopback TCP; errors become EngineFault or 30095. */
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Remedy } from '@hengxi/contracts/http';
import { z } from 'zod';
import type { ZodType } from 'zod';
import { EngineFault, Fault } from './errors.ts';

export interface EngineAddress {
  /** Unix socket, or null for TCP. */
  socket: string | null;
  host: string;
  port: number;
  secret: string;
}

export interface CallOptions {
  /** From sending to the whole answer. */
  timeoutMs?: number;
  /** The engine's answers are untrusted: larger ones are refused. */
  maxBytes?: number;
}

const FieldBody = z.object({
  field: z
    .string()
    .nullish()
    .transform((field) => field ?? null),
  code: z.string(),
  text: z.string(),
  facts: z.record(z.string(), z.unknown()).optional(),
  column: z.string().nullish(),
  row: z.number().nullish(),
  remedies: z.array(z.looseObject({ title: z.string() })).optional(),
});

const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    text: z.string(),
    facts: z.record(z.string(), z.unknown()).nullish(),
    remedies: z.array(z.custom<Remedy>()).nullish(),
  }),
  fields: z.array(FieldBody).optional(),
});

export class EngineHttp {
  readonly #address: EngineAddress;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32, scheduling: 'lifo' });
  constructor(address: EngineAddress) {
    this.#address = address;
  }

  /** Raw stream of the answer; used for the event stream. The caller destroys it. */
  open(method: string, path: string, body?: string): { response: Promise<IncomingMessage>; destroy: () => void } {
    const { socket, host, port, secret } = this.#address;
    const outgoing = request({
      ...(socket ? { socketPath: socket } : { host, port }),
      method,
      path,
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${secret}`,
        host: 'engine',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    });
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.once('error', reject);
    });
    outgoing.end(body);
    return { response, destroy: () => outgoing.destroy() };
  }

  /** Calls and checks the answer by its schema. A fault the engine words itself (4xx) is thrown as EngineFault. */
  async call<T>(
    method: string,
    path: string,
    body: unknown,
    schema: ZodType<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const { timeoutMs = 10_000, maxBytes = 64 * 1024 * 1024 } = options;
    const { response, destroy } = this.open(method, path, body === undefined ? undefined : JSON.stringify(body));
    const timer = setTimeout(destroy, timeoutMs);
    let status: number;
    let text: string;
    try {
      const incoming = await response;
      status = incoming.statusCode ?? 500;
      text = await readText(incoming, maxBytes);
    } catch (error) {
      throw new EngineUnavailable(error);
    } finally {
      clearTimeout(timer);
    }
    const parsed = parseJson(text);
    if (status >= 400) {
      const fault = ErrorBody.safeParse(parsed);
      if (fault.success && status < 500) {
        const { code, text: words, facts, remedies } = fault.data.error;
        // A preview is refused as a whole, but what helps (repair, skip, another encoding) still has to be offered.
        const whole = remedies ? [{ field: null, code, text: words, facts: facts ?? {}, remedies }] : [];
        throw new EngineFault(status, code, words, facts ?? {}, fault.data.fields ?? whole);
      }
      throw new EngineUnavailable(new Error(`Engine answered ${status} to ${method} ${path}: ${text.slice(0, 500)}`));
    }
    return schema.parse(parsed);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The engine does not answer, or answers nonsense; the cause is for the log. */
export class EngineUnavailable extends Fault {
  constructor(cause: unknown) {
    super(30095);
    this.cause = cause;
  }
}

async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > maxBytes) {
      incoming.destroy();
      throw new Error(`Engine's answer exceeds ${maxBytes} bytes`);
    }
    parts.push(bytes);
  }
  if (!incoming.complete) throw new Error('Engine ended its answer early');
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EngineUnavailable(error);
  }
}
