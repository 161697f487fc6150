/**
 * The server's view of the engine: calls, and one stream of events for all runs. Features add their own calls with
 * `engine.call(method, path, body, schema)`; what every run needs (submit, cancel, stop, events) stands here.
 */
import { z } from 'zod';
import type { ZodType } from 'zod';
import { EngineHttp } from './engine-http.ts';
import type { CallOptions, EngineAddress } from './engine-http.ts';
import { linesOf, readEvent } from './engine-events.ts';
import { EngineFault } from './errors.ts';
import type { Logger } from './log.ts';
import { KeyedMutex } from './keyed-mutex.ts';

const Progress = z.object({
  done: z.number(),
  of: z.number().nullish(),
  text: z.string().nullish(),
  best: z.number().nullish(),
});

/** One event of a run; also the answer of GET /runs/{id}. */
export const EngineEvent = z.object({
  run_id: z.coerce.number(),
  seq: z.number().optional(),
  state: z.enum([
    'waiting',
    'running',
    'asking',
    'done',
    'refused',
    'failed',
    'cancelled',
    'timeout',
    'memory',
    'lost',
  ]),
  position: z.number().nullish(),
  progress: Progress.nullish(),
  refusal: z.object({ fields: z.array(z.record(z.string(), z.unknown())) }).nullish(),
  result: z.unknown().optional(),
  error: z.object({ code: z.string(), text: z.string(), id: z.union([z.string(), z.number()]).nullish() }).nullish(),
});
export type EngineEvent = z.infer<typeof EngineEvent>;

export const EngineHealth = z.looseObject({
  ok: z.boolean(),
  workers: z.number().nullish(),
  busy: z.number().nullish(),
  queue: z.number().nullish(),
  version: z.string().nullish(),
  libraries: z.record(z.string(), z.string()).nullish(),
});
export type EngineHealth = z.infer<typeof EngineHealth>;

export interface EngineRun {
  run_id: number;
  kind: string;
  payload: unknown;
  memory_mb: number;
  timeout_s: number;
}

interface Listener {
  /** Called in order, one event at a time. */
  event(event: EngineEvent): Promise<void>;
  /** The stream stands (again): events may have been missed, open runs must be compared. */
  connected(): Promise<void>;
}

const BEAT_LIMIT_MS = 15_000;

export class EngineClient {
  readonly #http: EngineHttp;
  readonly #log: Logger;
  #closed = false;
  #drop: (() => void) | null = null;
  #streaming: Promise<void> | null = null;
  #isConnected = false;
  #wake: (() => void) | null = null;
  readonly #turns = new KeyedMutex();
  readonly #using = new Set<Promise<void>>();

  constructor(address: EngineAddress, log: Logger) {
    this.#http = new EngineHttp(address);
    this.#log = log;
  }

  call<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: unknown,
    schema: ZodType<T>,
    options?: CallOptions,
  ): Promise<T> {
    return this.#http.call(method, path, body, schema, options);
  }

  health(): Promise<EngineHealth> {
    return this.call('GET', '/health', undefined, EngineHealth, { timeoutMs: 2000 });
  }

  /** On a busy machine the answer may be late: asked once more, since the same number twice is one run. */
  async submit(run: EngineRun): Promise<void> {
    const send = (timeoutMs: number) => this.call('POST', '/runs', run, z.unknown(), { timeoutMs });
    try {
      await send(5000);
    } catch (error) {
      if (error instanceof EngineFault) throw error;
      await send(15_000);
    }
  }

  async cancel(runId: number): Promise<void> {
    await this.call('DELETE', `/runs/${runId}`, undefined, z.unknown(), { timeoutMs: 2000 });
  }

  async stop(runId: number): Promise<void> {
    await this.call('POST', `/runs/${runId}/stop`, {}, z.unknown(), { timeoutMs: 2000 });
  }

  /** State of a run as the engine knows it; null when it does not know the run. */
  async run(runId: number): Promise<EngineEvent | null> {
    try {
      return await this.call('GET', `/runs/${runId}`, undefined, EngineEvent);
    } catch (error) {
      if (error instanceof EngineFault && error.status === 404) return null;
      throw error;
    }
  }

  /** True while the event stream stands. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Holds the one event stream until close(), reconnecting as long as it takes. */
  listen(listener: Listener): void {
    if (this.#streaming) throw new Error('The engine has one listener');
    this.#streaming = this.#stream(listener);
  }

  async #stream(listener: Listener): Promise<void> {
    let pause = 100;
    while (!this.#closed) {
      try {
        await this.#readEvents(listener, () => (pause = 100));
      } catch (error) {
        this.#log.debug({ event: 'engine_stream', err: error }, 'event stream ended');
      }
      this.#isConnected = false;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, pause).unref();
      });
      pause = Math.min(pause * 2, 1000);
    }
  }

  async #readEvents(listener: Listener, onOpen: () => void): Promise<void> {
    const { response, destroy } = this.#http.open('GET', '/events');
    this.#drop = destroy;
    let silence = setTimeout(destroy, BEAT_LIMIT_MS);
    try {
      const incoming = await response;
      if (incoming.statusCode !== 200) throw new Error(`Engine answered ${incoming.statusCode} to GET /events`);
      onOpen();
      this.#isConnected = true;
      // Reading goes on while open runs are compared: the lines wait in the stream, none is lost.
      await listener.connected();
      // Ended meanwhile: a reader of what is destroyed already would wait for ever.
      if (incoming.destroyed) throw new Error('the event stream ended while runs were compared');
      for await (const line of linesOf(incoming)) {
        clearTimeout(silence);
        silence = setTimeout(destroy, BEAT_LIMIT_MS);
        this.#deliver(line, listener);
      }
    } finally {
      clearTimeout(silence);
      destroy();
      this.#drop = null;
    }
  }

  /** Events of one run are used in their order; those of others need not wait for them. */
  #deliver(line: Buffer, listener: Listener): void {
    if (line.length === 0) return;
    const complain = (error: unknown): void =>
      this.#log.error({ event: 'engine_event', err: error }, 'an event of the engine could not be used');
    try {
      const value = readEvent(line);
      if (typeof value === 'object' && value !== null && 'beat' in value) return;
      const event = EngineEvent.parse(value);
      const used = this.#turns
        .run(event.run_id, () => listener.event(event))
        .catch(complain)
        .finally(() => this.#using.delete(used));
      this.#using.add(used);
    } catch (error) {
      complain(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#drop?.();
    this.#wake?.();
    await this.#streaming;
    await Promise.all(this.#using);
    this.#http.close();
  }
}
