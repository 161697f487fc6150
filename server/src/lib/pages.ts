/** The built web application: hashed files for ever, pages written at the build, every other path is one of its own pages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { ERRORS, errorText } from '@hengxi/contracts/http';
import type { ErrorCode } from '@hengxi/contracts/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Paths that are calls, never pages. */
const CALLS = /^\/(?:v1|algorithm|api|health|metrics|data|sandbox|openapi\.json)(?:\/|$)/;
/** Exists for staff only: to everybody else not even the right method of a call is told. */
const HIDDEN = /^\/v1\/ops(?:\/|$)/;
/** Pages as they were written at the build, with their holes: shown filled, under their own paths. */
const WRITTEN = /^\/site\//;
/** Looks like a file: a missing script must not be answered with a page. */
const FILE = /\.[a-z0-9]{2,5}$/i;

/** Pages that were written at the build, filled in for this request. */
interface Written {
  page(path: string, request: FastifyRequest): Promise<string | null>;
  /** What is sent with the status 404 where there is no page; null where there is one. */
  absent(path: string, request: FastifyRequest): Promise<string | null>;
  /** Whether search engines are to list it. */
  isListed(path: string): Promise<boolean>;
  redirect(path: string): string | null;
}

export async function installPages(app: FastifyInstance, folder: string, written: Written): Promise<void> {
  // A server whose pages were not built (a test, a server of calls only) serves none, and is quiet about it.
  const isBuilt = existsSync(folder);
  if (isBuilt)
    await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false });
  const config = { access: 'visitor', limit: 'none' } as const;

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config,
    schema: { hide: true },
    handler: async (request, reply) => {
      const path = pathOf(request);
      // Pages have no extension; what is no file is left to the handler below.
      if (!isBuilt || CALLS.test(path) || WRITTEN.test(path) || !FILE.test(path)) return reply.callNotFound();
      const isHashed = path.startsWith('/assets/');
      return reply
        .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        .sendFile(decodePath(path));
    },
  });

  const existsForOther = allowedMethods(app);
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (existsForOther(path, request.method)) return refuse(request, reply, 30096);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPage = isBuilt && isRead && !CALLS.test(path) && !FILE.test(path) && existsSync(join(folder, 'index.html'));
    if (!isPage) return refuse(request, reply, 30093);
    reply.header('cache-control', 'no-cache');
    const elsewhere = written.redirect(path);
    if (elsewhere !== null) return reply.redirect(elsewhere + request.url.slice(path.length));
    if (!(await written.isListed(path))) reply.header('x-robots-tag', 'noindex');
    const page = await written.page(path, request);
    if (page !== null) return sendHtml(request, reply, page);
    const absent = await written.absent(path, request);
    return absent === null ? reply.sendFile('index.html') : sendHtml(request, reply.code(404), absent);
  });
}

const brotli = promisify(brotliCompress);
/** Quick enough to be done for each request: a page in a millisecond or two. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function sendHtml(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding');
  if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(html);
  return reply.header('content-encoding', 'br').send(await brotli(html, QUALITY));
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/';

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path).slice(1);
  } catch {
    return 'not-a-file';
  }
}

function refuse(request: FastifyRequest, reply: FastifyReply, code: ErrorCode): FastifyReply {
  request.errCode = code;
  return reply.code(ERRORS[code].status).send({ status_code: 0, err_code: code, msg: errorText(code) });
}

/** Tells whether a path that was not found exists for another method (405 instead of 404). */
function allowedMethods(app: FastifyInstance): (path: string, method: string) => boolean {
  const known = routesOf(app);
  return (path, method) => known.some((route) => !route.methods.includes(method) && route.pattern.test(path));
}

interface KnownRoute {
  methods: string[];
  pattern: RegExp;
}

const registered = new WeakMap<object, KnownRoute[]>();

function routesOf(app: FastifyInstance): KnownRoute[] {
  const found = registered.get(app);
  if (!found) throw new Error('collectRoutes must run before the routes are declared');
  return found;
}

/** Must be called before any route is declared. Static files are read-only by nature and are left out. */
export function collectRoutes(app: FastifyInstance): void {
  const list: KnownRoute[] = [];
  registered.set(app, list);
  app.addHook('onRoute', (route) => {
    if (!CALLS.test(route.url) || HIDDEN.test(route.url)) return;
    const source = route.url
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/');
    list.push({ methods: [route.method].flat(), pattern: new RegExp(`^${source}$`) });
  });
}
