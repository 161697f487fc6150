/**
 * An engine for server tests: a real HTTP server speaking the engine's face. Runs end as told by `onRun`; other calls
 * answer what a test gives with `on`.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Like the engine's: a silent stream is taken for broken, and runs the engine does not know are lost then. */
const BEAT_MS = 2000;

export interface FakeRun {
  run_id: number;
  kind: string;
  payload: any;
  memory_mb: number;
  timeout_s: number;
}

type Answer = { status?: number; body: unknown };
type Handler = (body: any, params: string[]) => Answer | Promise<Answer>;

export class FakeEngine {
  readonly secret = 'fake-engine-secret';
  /** Every submission, oldest first. */
  readonly submitted: FakeRun[] = [];
  readonly cancelled: number[] = [];
  readonly stopped: number[] = [];
  /** What happens to a submitted run; by default it is done at once with an empty result. null: it just runs. */
  onRun: ((run: FakeRun) => Record<string, unknown> | null) | null = () => ({ state: 'done', result: {} });
  /** Set to refuse submissions with this answer. */
  refuseRuns: Answer | null = null;
  readonly #events = new Set<ServerResponse>();
  readonly #states = new Map<number, Record<string, unknown>>();
  readonly #handlers: { method: string; pattern: RegExp; handler: Handler }[] = [];
  #server: Server | null = null;
  #seq = 0;
  port = 0;

  async start(port = 0): Promise<void> {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    // A connection closed for idleness just as it is used again would be an error of the test's own.
    this.#server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => this.#server?.listen(port, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const response of this.#events) response.destroy();
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
  }

  /** Answers a call; `path` may hold :names, whose values are the second argument of the handler. Newest wins. */
  on(method: string, path: string, handler: Handler): void {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`);
    this.#handlers.unshift({ method, pattern, handler });
  }

  /** Sends an event of a run to whoever listens. */
  emit(runId: number, event: Record<string, unknown>): void {
    this.#seq += 1;
    const whole = { run_id: runId, seq: this.#seq, state: 'running', ...event };
    this.#states.set(runId, whole);
    for (const response of this.#events) response.write(`${JSON.stringify(whole)}\n`);
  }

  /** Ends all event streams and forgets all runs, like a process that died. */
  die(): void {
    this.#states.clear();
    this.dropStreams();
  }

  dropStreams(): void {
    for (const response of this.#events) response.destroy();
    this.#events.clear();
  }

  /** Changes what GET /runs/{id} tells without sending an event: one that was missed. */
  settle(runId: number, event: Record<string, unknown>): void {
    this.#states.set(runId, { run_id: runId, ...event });
  }

  reset(): void {
    this.submitted.length = 0;
    this.cancelled.length = 0;
    this.stopped.length = 0;
    this.onRun = () => ({ state: 'done', result: {} });
    this.refuseRuns = null;
    this.#handlers.length = 0;
    this.#states.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    if (request.headers.authorization !== `Bearer ${this.secret}`) return void response.writeHead(401).end();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString('utf8')) : null;
    if (url === '/events') {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const beat = () => response.write('{"beat":true}\n');
      beat();
      const beats = setInterval(beat, BEAT_MS);
      this.#events.add(response);
      response.once('close', () => {
        clearInterval(beats);
        this.#events.delete(response);
      });
      return;
    }
    const { status = 200, body: answer } = await this.#answer(method, url, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #answer(method: string, url: string, body: any): Promise<Answer> {
    for (const { method: wanted, pattern, handler } of this.#handlers) {
      const match = wanted === method ? pattern.exec(url) : null;
      if (match) return handler(body, match.slice(1));
    }
    if (/^\/tables\/[^/]+\/text-check$/.test(url)) return { body: { columns: {} } };
    const run = /^\/runs(?:\/(\d+)(\/stop)?)?$/.exec(url);
    if (url === '/health')
      return {
        body: {
          ok: true,
          workers: 100,
          busy: 0,
          queue: 0,
          toy_at: new Date().toISOString(),
          version: 'fake',
          libraries: {},
        },
      };
    if (!run)
      return {
        status: 404,
        body: { error: { code: 'http.missing', text: `no fake answer for ${method} ${url}`, facts: {} } },
      };
    return this.#runs(method, Number(run[1]), Boolean(run[2]), body);
  }

  #runs(method: string, id: number, isStop: boolean, body: any): Answer {
    if (method === 'POST' && isStop) {
      this.stopped.push(id);
      setImmediate(() => this.emit(id, { state: 'done', result: { stopped: true } }));
      return { body: {} };
    }
    if (method === 'POST') {
      if (this.refuseRuns) return this.refuseRuns;
      this.submitted.push(body);
      const end = this.onRun?.(body);
      this.#states.set(body.run_id, { run_id: body.run_id, state: 'waiting' });
      setImmediate(() => {
        this.emit(body.run_id, { state: 'running' });
        if (end) this.emit(body.run_id, end);
      });
      return { status: 202, body: { state: 'waiting' } };
    }
    if (method === 'DELETE') {
      this.cancelled.push(id);
      return { body: {} };
    }
    const state = this.#states.get(id);
    return state
      ? { body: state }
      : { status: 404, body: { error: { code: 'run.missing', text: '没有这个任务', facts: {} } } };
  }
}
