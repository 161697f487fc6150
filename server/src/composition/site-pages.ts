/** The public pages written at the build (web/src/site), filled with what this installation knows; sitemap and robots. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { linesOf } from '@hengxi/contracts/editions';
import { yuan } from '@hengxi/contracts/price';
import { fillHoles } from '@hengxi/contracts/site-holes';
import type { SiteFacts } from '@hengxi/contracts/site-holes';
import { UPLOAD_FORMATS } from '@hengxi/contracts/upload-formats';
import type { FastifyRequest } from 'fastify';
import type { Methods } from '../features/analysis/methods.ts';
import type { Package } from '../features/membership/schema.ts';
import { dayOf } from '../lib/clock.ts';
import type { App, Deps } from '../lib/deps.ts';
import type { Money } from './money/money.ts';

/** Prices and limits are at most so old on a page. */
const FRESH_MS = 60_000;
const ALL = { page: 0, page_size: 99 };
/** Pages of the application that belong into the sitemap besides those written at the build and the help pages. */
const APP_PAGES = [
  '/',
  '/help/',
  '/contest/',
  '/enterprise/',
  '/enterprise-compare/',
  '/terms/',
  '/privacy/',
  '/agreement/',
];

export interface SitePages {
  /** The page of a path, with or without its last slash, filled in; null where none was written. */
  page(path: string, request: FastifyRequest): Promise<string | null>;
  /** The page for a path that there is none for, neither written nor of the application; null where there is. */
  absent(path: string, request: FastifyRequest): Promise<string | null>;
  /** Whether search engines are to list what stands at a path. */
  isListed(path: string): Promise<boolean>;
  /** Where a path without a page of its own leads. */
  redirect(path: string): string | null;
  sitemap(request: FastifyRequest): Promise<string>;
  robots(request: FastifyRequest): string;
}

interface Around {
  money: Pick<Money, 'membership' | 'campaigns'>;
  methods: readonly Pick<Methods['summaries'][number], 'slug' | 'tier'>[];
}

/** What was written at the build (web/src/written.tsx), and every address of the application. */
const Contents = z.object({
  pages: z.array(z.object({ path: z.string(), title: z.string(), isListed: z.boolean() })),
  paths: z.array(z.string()),
});
type Contents = z.infer<typeof Contents>;

const NOT_FOUND = '/404/';
/** So many pages with the nearest addresses are offered, and no address longer than this is compared. */
const NEAR = { most: 3, length: 100 };

export function createSitePages({ config }: Deps, { money, methods }: Around): SitePages {
  const folder = join(config.web, 'site');
  let written: Promise<Contents> | null = null;
  let patterns: readonly RegExp[] | null = null;
  let known: { at: number; facts: Promise<SiteFacts> } | null = null;
  const origin = (request: FastifyRequest): string => {
    if (config.publicUrl) return config.publicUrl.origin;
    return /^[\w.:[\]-]+$/.test(request.host) ? `${request.protocol}://${request.host}` : '';
  };

  const facts = (): Promise<SiteFacts> => {
    const now = performance.now();
    if (known && now - known.at < FRESH_MS) return known.facts;
    const next = { at: now, facts: gather() };
    // What could not be read is asked for again by the next visitor.
    next.facts.catch(() => {
      if (known === next) known = null;
    });
    known = next;
    return next.facts;
  };

  async function gather(): Promise<SiteFacts> {
    const { membership, campaigns } = money;
    const [vip, edu, editions, promo] = await Promise.all([
      membership.packages.list('vip', ALL),
      membership.packages.list('edu', ALL),
      membership.editions.all(),
      campaigns.shows.promo(),
    ]);
    const { company } = config;
    const members = methods.filter(({ tier }) => tier === 'member').length;
    const at = (edition: 'standard' | 'member' | 'enterprise') => editions.find((limits) => limits.edition === edition);
    const [standard, member, enterprise] = [at('standard'), at('member'), at('enterprise')];
    return {
      texts: {
        origin: '',
        'methods.total': String(methods.length),
        'methods.member': String(members),
        'methods.standard': String(methods.length - members),
        formats: UPLOAD_FORMATS.join('、'),
        'company.name': company.name ?? '',
        'company.address': company.address ?? '',
        'company.hotline': company.hotline ?? '',
        'company.mail': company.mail ?? '',
        'company.icp': company.icp ?? '',
        'company.police': company.police ?? '',
        'promo.title': promo?.title ?? '',
        'promo.rules': promo?.rules_md ?? '',
        'promo.from': promo ? dayOf(new Date(promo.starts_at)) : '',
        'promo.to': promo ? dayOf(new Date(promo.ends_at)) : '',
        'promo.first': promo?.first_ends_at ? dayOf(new Date(promo.first_ends_at)) : '',
        captcha: config.providers.captcha.kind,
        struck: [...vip.list, ...edu.list].some(isStruck) ? '有' : '',
        updated: dayOf(new Date()),
      },
      lists: {
        packages: vip.list.map(shown),
        edu: edu.list.map(shown),
        editions:
          standard && member && enterprise
            ? linesOf(methods).map(({ title, show, perSeat }) => ({
                title,
                standard: show(standard),
                member: show(member),
                enterprise: `${show(enterprise)}${perSeat ? ' / 席位' : ''}`,
              }))
            : [],
        near: [],
      },
    };
  }

  const contents = (): Promise<Contents> => (written ??= readContents(folder));

  async function fill(path: string, request: FastifyRequest, near: SiteFacts['lists']['near']): Promise<string> {
    const name = `${path.slice(1, -1).replaceAll('/', '.')}.html`;
    const [html, { texts, lists }] = await Promise.all([readFile(join(folder, name), 'utf8'), facts()]);
    return fillHoles(html, { texts: { ...texts, origin: origin(request) }, lists: { ...lists, near } });
  }

  return {
    async page(path, request) {
      const { pages } = await contents();
      const found = pages.find((page) => page.path === withSlash(path) && page.path !== NOT_FOUND);
      return found ? fill(found.path, request, []) : null;
    },

    async absent(path, request) {
      const { pages, paths } = await contents();
      patterns ??= paths.filter((known) => known !== '*').map(patternOf);
      const isHelp = path.startsWith('/help/');
      // Pages of methods are all written; of the application any address of one of its patterns is a page.
      if (paths.length === 0 || (!isHelp && patterns.some((pattern) => pattern.test(path)))) return null;
      const listed = pages.filter(({ isListed }) => isListed);
      return fill(NOT_FOUND, request, nearest(path, listed));
    },

    async isListed(path) {
      if (!config.isProduction) return false;
      const at = withSlash(path);
      return APP_PAGES.includes(at) || (await contents()).pages.some((page) => page.path === at && page.isListed);
    },

    redirect: (path) => (withSlash(path) === '/solution/' ? '/solution/industry/' : null),

    async sitemap(request) {
      const listed = (await contents()).pages.filter(({ isListed }) => isListed).map(({ path }) => path);
      const paths = new Set([...APP_PAGES, ...listed, ...methods.map(({ slug }) => `/help/${slug}/`)]);
      const lines = [...paths].map((path) => `<url><loc>${origin(request)}${path}</loc></url>`);
      const head =
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
      return `${head}\n${lines.join('\n')}\n</urlset>\n`;
    },

    robots(request) {
      // What is being developed or tried out is nobody's search result.
      if (!config.isProduction) return 'User-agent: *\nDisallow: /\n';
      const closed = ['/v1/', '/algorithm/', '/api/', '/sandbox/', '/s/', '/ops/'].map((path) => `Disallow: ${path}`);
      return `User-agent: *\n${closed.join('\n')}\nSitemap: ${origin(request)}/sitemap.xml\n`;
    },
  };
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/** Only what is really asked for without the discount. */
const isStruck = (row: Package): boolean => row.discount_on && row.fee > row.price;

function shown(row: Package): SiteFacts['lists']['packages'][number] {
  return {
    title: row.title,
    description: row.description,
    price: yuan(row.price),
    before: isStruck(row) ? yuan(row.fee) : '',
    discount: row.discount_on ? row.discount_description : '',
    term: row.lifetime ? '长期有效' : row.valid_vip_days === null ? '' : `有效期 ${row.valid_vip_days} 天`,
  };
}

/** /s/:shareid and /ops/* as what fits them, with or without a last slash. */
function patternOf(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/:[^/]+/g, '[^/]+')
    .replace('/*', '(?:/.*)?');
  return new RegExp(`^${source}/?$`);
}

/** Single characters to change between two addresses. */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const now = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      now.push(Math.min((before[j] ?? 0) + Number(a[i] !== b[j]), (before[j + 1] ?? 0) + 1, (now[j] ?? 0) + 1));
    before = now;
  }
  return before.at(-1) ?? 0;
}

/** The pages whose addresses are nearest, as far as they are near at all. */
function nearest(path: string, pages: Contents['pages']): SiteFacts['lists']['near'] {
  const asked = withSlash(path.toLowerCase()).slice(0, NEAR.length);
  return pages
    .map((page) => ({ page, far: distance(asked, page.path) }))
    .filter(({ page, far }) => far <= Math.max(asked.length, page.path.length) / 2)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, NEAR.most)
    .map(({ page: { path: to, title } }) => ({ path: to, title }));
}

/** Nothing where the pages were not built. */
async function readContents(folder: string): Promise<Contents> {
  const text = await readFile(join(folder, 'contents.json'), 'utf8').catch(() => null);
  return text === null ? { pages: [], paths: [] } : Contents.parse(JSON.parse(text));
}

export function siteRoutes(app: App, site: SitePages): void {
  const config = { access: 'visitor', limit: 'none' } as const;
  const hour = 'public, max-age=3600';
  app.get('/sitemap.xml', { config, schema: { hide: true } }, async (request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', hour)
      .send(await site.sitemap(request)),
  );
  app.get('/robots.txt', { config, schema: { hide: true } }, async (request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', hour).send(site.robots(request)),
  );
}
