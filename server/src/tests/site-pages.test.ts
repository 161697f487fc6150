import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { yuan } from '@hengxi/contracts/price';
import { createSitePages } from '../composition/site-pages.ts';
import { build } from '../testing/build.ts';
import type { World } from '../testing/build.ts';
import { call } from '../testing/makers.ts';

const web = mkdtempSync(join(tmpdir(), 'hengxi-site-'));
let world: World;
beforeAll(async () => {
  mkdirSync(join(web, 'site'));
  writeFileSync(join(web, 'index.html'), '<title>application</title>');
  writeFileSync(
    join(web, 'site/price.html'),
    '<title>{{company.name}}</title><link rel="canonical" href="{{origin}}/price/"><hx-each of="packages">[{{title}} {{price}}]</hx-each>' +
      '<hx-each of="editions">({{title}} {{standard}})</hx-each><hx-unless has="promo.title">none</hx-unless>{{methods.total}}<hx-if has="struck">struck</hx-if>',
  );
  writeFileSync(join(web, 'site/promo.html'), '<meta name="robots" content="noindex">');
  writeFileSync(join(web, 'site/solution.industry.html'), 'industry');
  writeFileSync(join(web, 'site/help.frequency.html'), 'frequency');
  const near = '<hx-each of="near">[{{path}} {{title}}]</hx-each>';
  writeFileSync(join(web, 'site/404.html'), `absent ${near}`);
  const written = [
    ['/price/', '价格'],
    ['/promo/', '优惠'],
    ['/solution/industry/', '行业'],
    ['/help/frequency/', '频数分析'],
  ];
  const pages = [...written, ['/404/', '没有这个页面']].map(([path, title]) => ({
    path,
    title,
    isListed: path !== '/promo/' && path !== '/404/',
  }));
  const paths = ['/', '*', '/help', '/help/:slug', '/s/:shareid', '/ops/*', '/contest', '/solution'];
  writeFileSync(join(web, 'site/contents.json'), JSON.stringify({ pages, paths }));
  world = await build({ config: { web, company: { ...NOBODY, name: '<甲> & 乙' } } });
});
afterAll(async () => {
  await world.close();
  rmSync(web, { recursive: true });
});
const NOBODY = { name: null, address: null, hotline: null, mail: null, icp: null, police: null };
const get = (url: string, headers: Record<string, string> = {}) => world.app.inject({ url, headers });

test('a page says the very prices and limits of the calls, with and without its last slash', async () => {
  const packages = (await call(world, null, 'GET', '/v1/user/subscriptions?page=0&page_size=99')).data.list;
  const statistics = (await call(world, null, 'GET', '/v1/index/statistics')).data;
  for (const url of ['/price', '/price/', '/price/?utm_source=x']) {
    const reply = await get(url);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['content-security-policy']).toContain("script-src 'self'");
    expect(reply.body).toContain('<title>&lt;甲&gt; &amp; 乙</title>');
    for (const { title, price } of packages) expect(reply.body).toContain(`[${title} ${yuan(price)}]`);
    type Priced = { discount_on: boolean; fee: number; price: number };
    const isStruck = packages.some((row: Priced) => row.discount_on && row.fee > row.price);
    expect(reply.body.includes('struck')).toBe(isStruck);
    expect(reply.body).toContain('(单个文件 20 MB)');
    expect(reply.body).toContain(`none${statistics.methods}`);
    expect(reply.body).toContain('href="http://');
  }
});

test('a host that is no host stands nowhere', async () => {
  expect((await get('/price/', { host: 'a"><script>' })).body).not.toContain('<script>');
});

test('an expired session changes nothing, and nobody is asked who they are', async () => {
  const reply = await get('/price/', { authorization: 'Bearer expired' });
  expect(reply.statusCode).toBe(200);
});

test('/solution leads on, the raw page and a foreign path do not exist as pages of the site', async () => {
  const reply = await get('/solution?utm_source=x');
  expect([reply.statusCode, reply.headers.location]).toEqual([302, '/solution/industry/?utm_source=x']);
  expect((await get('/solution/industry/')).body).toBe('industry');
  expect((await get('/site/price.html')).statusCode).toBe(404);
});

test.each([
  ['/nonsense', 404, 'absent '],
  ['/prize/', 404, 'absent [/price/ 价格]'],
  ['/help/freqency', 404, 'absent [/help/frequency/ 频数分析]'],
  ['/404/', 404, 'absent '],
  [`/${'x'.repeat(5000)}`, 404, 'absent '],
  ['/help/<script>/', 404, 'absent '],
  ['/help/frequency', 200, 'frequency'],
  ['/contest/', 200, '<title>application</title>'],
  ['/s/abc', 200, '<title>application</title>'],
  ['/s/abc/def', 404, 'absent '],
  ['/ops', 200, '<title>application</title>'],
  ['/ops/log', 200, '<title>application</title>'],
  ['/', 200, '<title>application</title>'],
])('%s is answered with %d', async (url, status, body) => {
  const reply = await get(url);
  expect([reply.statusCode, reply.body.slice(0, body.length)]).toEqual([status, body]);
});

test('a page goes compressed to whoever takes it', async () => {
  const reply = await get('/price/', { 'accept-encoding': 'gzip, br' });
  expect([reply.headers['content-encoding'], reply.headers['vary']]).toEqual(['br', 'accept-encoding']);
  expect(brotliDecompressSync(reply.rawPayload).toString()).toBe((await get('/price/')).body);
});

test('search engines keep out of what is being tried, of shares and of the work; the pages are theirs', async () => {
  expect((await get('/price/')).headers['x-robots-tag']).toBe('noindex');
  const production = createSitePages(
    { ...world.deps, config: { ...world.deps.config, isProduction: true } },
    { money: world.money, methods: [] },
  );
  const listed = await Promise.all(['/price', '/', '/contest/', '/help/frequency/'].map(production.isListed));
  expect(listed).toEqual([true, true, true, true]);
  const hidden = await Promise.all(['/promo/', '/s/abc', '/ops', '/mydata/index', '/404/'].map(production.isListed));
  expect(hidden).toEqual([false, false, false, false, false]);
});

test('the sitemap lists what is written, but for what says noindex; robots stay out of what is being tried', async () => {
  const map = await get('/sitemap.xml');
  expect(map.headers['content-type']).toContain('application/xml');
  expect(map.body).toMatch(/<loc>http:\/\/[^<]*\/price\/<\/loc>/);
  expect(map.body).toContain('/help/');
  expect(map.body).toContain('/contest/</loc>');
  expect(map.body).not.toContain('/promo/');
  expect((await get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n');
});
