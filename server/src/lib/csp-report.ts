/**
 * POST /v1/csp-report: what browsers tell about something that the content policy of our pages stopped. Anybody can call
 * it, so it is small, limited by network, believes nothing, and keeps nothing but a line in the log without queries,
 * codes in addresses, or samples of code.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SECRET_PAGES } from './headers.ts';

const BYTES = 16 * 1024;
const TEXT = 200;
/** Reports that are gathered by the browser come as a list. */
const MOST = 10;

const word = z.string().optional().catch(undefined);
const line = z.number().int().nonnegative().optional().catch(undefined);
const Old = z.object({
  'csp-report': z.object({
    'document-uri': word,
    'effective-directive': word,
    'violated-directive': word,
    'blocked-uri': word,
    'source-file': word,
    'line-number': line,
  }),
});
const Reported = z.object({
  type: z.literal('csp-violation'),
  body: z.object({
    documentURL: word,
    effectiveDirective: word,
    blockedURL: word,
    sourceFile: word,
    lineNumber: line,
  }),
});

interface Violation {
  directive: string;
  page: string;
  blocked: string;
  source: string;
  line: number | undefined;
}

/** The path of an own page; of a secret one only which kind it is. Other words (`inline`, `eval`) stay as they are. */
function pathOf(url: string | undefined): string {
  if (!url) return '';
  if (!URL.canParse(url)) return plain(url);
  const { pathname } = new URL(url);
  return plain(SECRET_PAGES.test(pathname) ? `/${pathname.split('/')[1] ?? ''}/…` : pathname);
}

/** Where it came from, without what was asked there. */
function originOf(url: string | undefined): string {
  if (!url || !URL.canParse(url)) return plain(url ?? '');
  const { origin, protocol } = new URL(url);
  return plain(origin === 'null' ? protocol : origin);
}

/** No line ends: a report must not be able to write lines of its own. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, TEXT);

/** The violations in a body of either kind; whatever else it is, none. */
export function violationsOf(body: unknown): Violation[] {
  const old = Old.safeParse(body);
  if (old.success) {
    const report = old.data['csp-report'];
    return [
      {
        directive: plain(report['effective-directive'] ?? report['violated-directive'] ?? ''),
        page: pathOf(report['document-uri']),
        blocked: originOf(report['blocked-uri']),
        source: pathOf(report['source-file']),
        line: report['line-number'],
      },
    ];
  }
  if (!Array.isArray(body)) return [];
  return body.slice(0, MOST).flatMap((one: unknown) => {
    const read = Reported.safeParse(one);
    if (!read.success) return [];
    const report = read.data.body;
    return [
      {
        directive: plain(report.effectiveDirective ?? ''),
        page: pathOf(report.documentURL),
        blocked: originOf(report.blockedURL),
        source: pathOf(report.sourceFile),
        line: report.lineNumber,
      },
    ];
  });
}

export async function installCspReport(app: FastifyInstance): Promise<void> {
  await app.register(async (inner) => {
    const parse = inner.getDefaultJsonParser('error', 'error');
    inner.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string' },
      (request, body, done) => void parse(request, typeof body === 'string' ? body : body.toString('utf8'), done),
    );
    inner.post(
      '/v1/csp-report',
      {
        bodyLimit: BYTES,
        config: { access: 'visitor', limit: 'report' },
        schema: { summary: 'Violations of the content policy, as browsers tell them', tags: ['csp-report'] },
      },
      async (request, reply) => {
        for (const violation of violationsOf(request.body))
          request.log.warn({ event: 'csp_violation', rid: request.id, ...violation });
        return reply.code(204).send();
      },
    );
  });
}
