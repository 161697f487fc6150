/**
 * The one way to call the server: envelope, request id, token, idempotency, time limits, and the error behaviour of
 * specification section 8. Callers get data or an ApiError; what the user must see about it has been shown already.
 */
import {
  type Envelope,
  type Failure,
  type FieldFault,
  HTTP_TEXT,
  HTTP_TEXT_DEFAULT,
  TIMEOUT_TEXT,
} from '@hengxi/contracts/http';

import { callAnswered, callFailed } from './connection.ts';
import { randomHex } from './random.ts';
import { currentToken, useSession } from './session.ts';
import { sessionLost, showBan, showUpgrade } from './session-end.ts';
import { showLeaving } from './sign-in.ts';
import { toast } from './toast.ts';

const TIMEOUT_MS = 30_000;

export type ApiFault = 'refused' | 'http' | 'timeout' | 'network' | 'cancelled';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly fault: ApiFault,
    message: string,
    /** HTTP status; 0 when no answer came. */
    readonly status: number,
    readonly code: number,
    /** 422: what does not fit, one entry per field. Never shown as a toast: they belong at their fields. */
    readonly fields: FieldFault[],
    readonly data: unknown,
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

export interface CallOptions {
  query?: Query;
  signal?: AbortSignal | undefined;
  timeout?: number;
  /** Codes the caller shows at a field itself; those make no toast. */
  claims?: readonly number[];
  /** No toast at all: polls, look-ups while typing. A lost session and a ban still act. */
  quiet?: boolean;
  /** Given by callers that repeat a write after a lost answer, so that it is carried out once. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

type Body = Blob | ArrayBuffer | object | undefined;

export const api = {
  get: <T>(path: string, options?: CallOptions) => call<T>('GET', path, undefined, options),
  post: <T>(path: string, body?: Body, options?: CallOptions) => call<T>('POST', path, body, options),
  put: <T>(path: string, body?: Body, options?: CallOptions) => call<T>('PUT', path, body, options),
  patch: <T>(path: string, body?: Body, options?: CallOptions) => call<T>('PATCH', path, body, options),
  delete: <T>(path: string, options?: CallOptions) => call<T>('DELETE', path, undefined, options),
};

/** The last call that failed, for whoever tells us about it: its `_rid`, which leads to our log, and its number. */
let lastFailure: { rid: string; code: number } | null = null;
export const lastFailedCall = () => lastFailure;

/** Address with `_rid` and the query; exported for streams, which do not go through call(). */
export function addressOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) params.set(key, String(value));
  }
  params.set('_rid', randomHex(8));
  return `${path}${path.includes('?') ? '&' : '?'}${params}`;
}

export function authorization(): Record<string, string> {
  const token = currentToken();
  return token ? { authorization: `Bearer ${token}` } : {};
}

async function call<T>(method: string, path: string, body: Body, options: CallOptions = {}): Promise<T> {
  // This tab belongs to another account than the stored token: it must not act in its name (EE 5).
  if (useSession.getState().foreign) throw new ApiError('cancelled', '账号已在其他标签页切换', 0, 0, [], null);
  const token = currentToken();
  const clock = limit(options.timeout ?? TIMEOUT_MS, options.signal);
  const address = addressOf(path, options.query);
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method,
      headers: { ...authorization(), ...headersFor(method, body, options), ...options.headers },
      body: encode(body),
      signal: clock.signal,
    });
    text = await response.text();
  } catch (error) {
    throw unanswered(error, clock.timedOut(), options);
  } finally {
    clock.stop();
  }
  const envelope = parse<T>(text);
  // A gateway that answers in place of the server means that the server is down, whatever the status says.
  if (envelope) callAnswered();
  else if (response.status >= 502) callFailed();
  if (response.ok && envelope?.status_code === 1) return envelope.data;
  const error = failed(response.status, envelope?.status_code === 0 ? envelope : null, token, options);
  lastFailure = { rid: new URLSearchParams(address.split('?')[1]).get('_rid') ?? '', code: error.code };
  throw error;
}

function headersFor(method: string, body: Body, options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  if (body instanceof Blob || body instanceof ArrayBuffer) headers['content-type'] = 'application/octet-stream';
  else if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['idempotency-key'] = options.idempotencyKey ?? randomHex(16);
  return headers;
}

function encode(body: Body): BodyInit | null {
  if (body === undefined) return null;
  return body instanceof Blob || body instanceof ArrayBuffer ? body : JSON.stringify(body);
}

function parse<T>(text: string): Envelope<T> | null {
  try {
    const value: Envelope<T> | null = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** One signal out of the caller's and the clock's, and which of them it was. */
function limit(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, ms);
  const pass = () => controller.abort();
  if (outer?.aborted) controller.abort();
  outer?.addEventListener('abort', pass);
  return {
    signal: controller.signal,
    timedOut: () => late,
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', pass);
    },
  };
}

function unanswered(error: unknown, late: boolean, options: CallOptions): ApiError {
  if (late) {
    if (!options.quiet) toast.warn(TIMEOUT_TEXT);
    return new ApiError('timeout', TIMEOUT_TEXT, 0, 0, [], null);
  }
  if (options.signal?.aborted) return new ApiError('cancelled', '已取消', 0, 0, [], error);
  callFailed();
  if (!options.quiet) toast.warn(HTTP_TEXT_DEFAULT);
  return new ApiError('network', HTTP_TEXT_DEFAULT, 0, 0, [], error);
}

/** Shows what section 8 asks for and gives the error back to be thrown. */
function failed(status: number, failure: Failure | null, token: string | null, options: CallOptions): ApiError {
  const code = failure?.err_code ?? 0;
  const text = failure?.msg || failure?.err_msg || (code ? String(code) : '') || HTTP_TEXT[status] || HTTP_TEXT_DEFAULT;
  const fault = status === 200 ? 'refused' : 'http';
  const error = new ApiError(fault, text, status, code, failure?.fields ?? [], failure?.data ?? null);
  if (options.claims?.includes(code)) return error;
  if (code === 20023) showBan(failure?.data);
  else if (code === 30008) showLeaving(failure?.data);
  else if (status === 401) sessionLost(code, failure?.msg ?? null, token);
  else if (code === 20002) showUpgrade(text);
  else if (!options.quiet && error.fields.length === 0) toast.warn(text);
  return error;
}

/** What to print where a page cannot show its content. */
export function errorText(error: unknown): string {
  return error instanceof Error && error.message ? error.message : HTTP_TEXT_DEFAULT;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
