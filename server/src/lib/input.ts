/** What reaches a handler at all: JSON bodies only (features add their own types), no doubled query keys, bounded depth. */
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { ZodType } from 'zod';
import { Fault } from './errors.ts';

const DEPTH = 32;

/** Checks by zod. An absent body is an empty one, so that a call that has nothing to say may leave it out. */
export const compileValidator: FastifySchemaCompiler<ZodType> = (route) => {
  const validate = validatorCompiler(route);
  return route.httpPart === 'body' ? (body: unknown) => validate(body ?? {}) : validate;
};

export function installInput(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A write without a body often carries the header of one.
    if (body === '') done(null, undefined);
    else void parseJson(request, typeof body === 'string' ? body : body.toString('utf8'), done);
  });

  app.addHook('onRequest', async (request) => {
    for (const [key, value] of Object.entries(entriesOf(request.query)))
      if (Array.isArray(value)) throw new Fault(30090, { detail: `参数 ${key.slice(0, 40)} 重复` });
    // A stored text has none, so nothing is found by one; asked for, it would make the statement fail.
    if (hasNul(entriesOf(request.query)) || hasNul(entriesOf(request.params)))
      throw new Fault(30090, { detail: '参数含有空字符' });
  });

  app.addHook('preValidation', async (request) => {
    if (isDeeper(request.body, DEPTH)) throw new Fault(30090, { detail: '内容嵌套过深' });
    if (typeof request.body === 'object' && request.body !== null && hasNul(request.body))
      throw new Fault(30090, { detail: '内容含有空字符' });
  });
}

const entriesOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** Plain JSON only: streams and buffers of other content types are not walked. */
const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value)));

function isDeeper(value: unknown, left: number): boolean {
  if (!isPlain(value)) return false;
  if (left === 0) return true;
  return Object.values(value).some((item) => isDeeper(item, left - 1));
}

/** PostgreSQL text refuses NUL; better a clear 400 than a failed statement. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (!isPlain(value)) return false;
  return Object.entries(value).some(([key, item]) => key.includes('\0') || hasNul(item));
}
