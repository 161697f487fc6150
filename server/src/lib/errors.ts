/** The three kinds of errors, and the one place where they become answers. */
import { randomBytes } from 'node:crypto';
import { ERRORS, errorText } from '@hengxi/contracts/http';
import type { ErrorCode, Failure, FieldFault } from '@hengxi/contracts/http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isCrowded } from './db.ts';
import { faultMessage } from './validation-messages.ts';

/** Told to whoever comes while the database has no connection left. */
const CROWDED_SECONDS = 5;

type Branches = Parameters<typeof faultMessage>[0]['errors'];

export type Facts = Record<string, string | number>;

interface FaultExtras {
  fields?: FieldFault[];
  data?: unknown;
  /** Seconds after which trying again makes sense; sent as Retry-After. */
  retryAfter?: number;
}

/** A refusal or unavailability that the person is told about; everything else that is thrown is a bug of ours. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly extras: FaultExtras;
  constructor(code: ErrorCode, facts: Facts = {}, extras: FaultExtras = {}) {
    super(errorText(code, facts));
    this.code = code;
    this.extras = extras;
  }
}

/** The engine declined (4xx): `text` is the engine's own wording and is shown as it is. */
export class EngineFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly facts: Record<string, unknown>;
  /** Always at least one: a fault that names no field is one of the whole form. */
  readonly fields: FieldFault[];
  constructor(status: number, code: string, text: string, facts: Record<string, unknown>, fields: FieldFault[] = []) {
    super(text);
    this.status = status;
    this.code = code;
    this.facts = facts;
    this.fields = fields.length > 0 ? fields : [{ field: null, code, text, facts }];
  }
}

/** Foreign and absent things are never told apart. */
export const missing = (): Fault => new Fault(30093);

/** 45 秒, 44 分钟, 3 小时: rounded up, in the largest unit that says it well. */
export function waitText(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 120) return `${whole} 秒`;
  return whole < 7200 ? `${Math.ceil(whole / 60)} 分钟` : `${Math.ceil(whole / 3600)} 小时`;
}

export const tooMany = (seconds: number): Fault =>
  new Fault(30001, { wait: waitText(seconds) }, { retryAfter: Math.max(1, Math.ceil(seconds)) });

/** Removes keys without a value, so that answers hold only what they promise. */
function failure(code: number, msg: string, extras: FaultExtras = {}): Failure {
  return {
    status_code: 0,
    err_code: code,
    msg,
    ...(extras.fields ? { fields: extras.fields } : {}),
    ...(extras.data === undefined ? {} : { data: extras.data }),
  };
}

const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100', 'disk.full']);

/** The disk has no room: of the server's files, of the database, or of the engine's tables. */
export function isFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (('code' in at && NO_ROOM.has(at.code)) || at.message.endsWith('No space left on device')) return true;
  }
  return false;
}

/** Translates anything thrown into a Fault; null for a bug. */
function understood(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  if (isFull(error)) return new Fault(30022);
  if (error instanceof EngineFault) return new Fault(30601, { text: error.message }, { fields: error.fields });
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation;
    const path = first?.instancePath.split('/').filter(Boolean) ?? [];
    // The issue of the schema as it was, beside what the framework made of it.
    const { errors }: { errors?: Branches } = first?.params ?? {};
    return new Fault(30090, { detail: faultMessage({ path, message: first?.message ?? '', errors }) });
  }
  if (isCrowded(error)) return new Fault(30098, {}, { retryAfter: CROWDED_SECONDS });
  const { statusCode, code } = (error instanceof Error ? error : {}) as Partial<FastifyError>;
  if (statusCode === 413) return new Fault(30097);
  if (statusCode === 415) return new Fault(30090, { detail: '不支持的内容类型' });
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new Fault(30090, {
      detail: code === 'FST_ERR_CTP_INVALID_JSON_BODY' ? '内容不是有效的 JSON' : '无法读取请求',
    });
  return null;
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = understood(error);
  if (fault) {
    request.errCode = fault.code;
    if (fault.extras.retryAfter !== undefined) reply.header('retry-after', String(fault.extras.retryAfter));
    return reply.code(ERRORS[fault.code].status).send(failure(fault.code, fault.message, fault.extras));
  }
  const id = randomBytes(4).toString('hex');
  request.errCode = 30094;
  request.log.error({ event: 'bug', err: error, err_id: id }, 'unexpected error');
  return reply.code(500).send(failure(30094, errorText(30094, { err_id: id })));
}
