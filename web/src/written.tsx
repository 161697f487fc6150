/** The public pages as documents: made at the build (tools/written-pages.mjs), filled by the server, read without a script. */
import './ui/tokens.css';
import './ui/base.css';

import { fillHoles, sampleFacts } from '@hengxi/contracts/site-holes';
import { renderToStaticMarkup } from 'react-dom/server';

import frame from './features/frame/public-frame.module.css';
import { SiteFooter, SiteHeader } from './features/frame/site-header.tsx';
import { ExampleSheet } from './features/home/example-sheet.tsx';
import { about, plagdet, promo } from './features/site/about.tsx';
import { client } from './features/site/client.tsx';
import { cooperation } from './features/site/cooperation.tsx';
import { introduction } from './features/site/introduction.tsx';
import { Has, type SitePage, styles } from './features/site/parts.tsx';
import { notFound } from './features/site/not-found.tsx';
import { price } from './features/site/price.tsx';
import { education, industry } from './features/site/solutions.tsx';
import words from '@hengxi/contracts/generated/search-words.json';

import { entryOf } from './lib/help-index.ts';
import { type HelpIndex, pageWords, type PageWords } from './lib/help-search.ts';
import { GUARDED_PATHS } from './lib/access.ts';
import { pageTitle } from './lib/title.ts';
import { helpIndex, helpPages, type WrittenHelp } from './written-help.tsx';

/** Every page, in the order of the sitemap. */
export const PAGES: readonly SitePage[] = [
  introduction(<ExampleSheet />),
  price,
  promo,
  industry,
  education,
  client,
  cooperation,
  about,
  plagdet,
  notFound,
];

export interface Assets {
  script: string;
  style: string;
  /** Styles of formulas, on pages that have some. */
  formulas: string;
  /** Whether there are pictures for links that are shared. */
  pictures: boolean;
  /** The index of the help search, and the words of the help pages. */
  index: string;
  words: string;
}

/** What the help search loads: names when it is asked, words of the pages when the names do not tell. */
export function searchFiles(help: readonly WrittenHelp[]): { index: HelpIndex; words: PageWords } {
  // Formulas and the places of numbers are no words.
  const plain = (text: string): string => text.replace(/\$[^$]*\$|\{\{[^}]*\}\}/g, ' ');
  const texts = help.map(({ title, purpose, text }) => `${title} ${purpose} ${plain(text)}`);
  return { index: { entries: help.map(entryOf), ...words }, words: pageWords(texts) };
}

const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

/** Where the page stands, and who is behind it; only what is set. */
function structured(page: SitePage): string[] {
  const item = (position: number, name: string, path: string) => ({
    '@type': 'ListItem',
    position,
    name,
    item: `{{json:origin}}${path}`,
  });
  return [
    json({
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: [
        ['衡析', '/'] as const,
        ...(page.within ? [page.within] : []),
        [page.title, page.path] as const,
      ].map(([name, path], at) => item(at + 1, name, path)),
    }),
    json({
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      name: page.title,
      description: page.description,
      url: `{{json:origin}}${page.path}`,
      inLanguage: 'zh-CN',
      upDate: '{{json:updated}}',
    }),
    ...(page.data ?? []),
  ];
}

const script = (data: string): string => `<script type="application/ld+json">${data}</script>`;

/** One offer for each package on sale. */
const OFFERS = `<hx-each of="packages">${script(
  json({
    '@context': 'https://schema.org',
    '@type': 'Offer',
    name: '{{json:title}}',
    price: '{{json:price}}',
    priceCurrency: 'CNY',
    url: '{{json:origin}}/price/',
  }),
)}</hx-each>`;

function Operator() {
  return (
    <span className={frame['company']}>
      <Has name="company.name">
        <span>{'{{company.name}}'}</span>
      </Has>
      <Has name="company.address">
        <span>{'{{company.address}}'}</span>
      </Has>
      <Has name="company.hotline">
        <span>{'电话 {{company.hotline}}'}</span>
      </Has>
      <Has name="company.mail">
        <a href="mailto:{{company.mail}}">{'{{company.mail}}'}</a>
      </Has>
      <Has name="company.icp">
        <a href="https://beian.miit.gov.cn/" target="_blank" rel="noreferrer">
          {'{{company.icp}}'}
        </a>
      </Has>
      <Has name="company.police">
        <a href="https://beian.mps.gov.cn/" target="_blank" rel="noreferrer">
          {'{{company.police}}'}
        </a>
      </Has>
    </span>
  );
}

function Document({ page, assets }: { page: SitePage; assets: Assets }) {
  const { Body } = page;
  const title = pageTitle(page.title, page.full ?? null);
  return (
    <html lang="zh-CN" data-theme="light">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <meta name="description" content={page.description} />
        {page.noindex ? <meta name="robots" content="noindex" /> : null}
        <link rel="canonical" href={`{{origin}}${page.path}`} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={page.description} />
        <meta property="og:url" content={`{{origin}}${page.path}`} />
        <meta property="og:type" content={page.within ? 'article' : 'website'} />
        <meta property="og:site_name" content="衡析" />
        {assets.pictures ? (
          <>
            <meta property="og:image" content={`{{origin}}/og/${fileOf(page)}.png`} />
            <meta property="og:image:width" content="1200" />
            <meta property="og:image:height" content="630" />
            <meta property="og:image:alt" content={page.title} />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        ) : null}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/manifest.json" />
        <link rel="stylesheet" href={assets.style} />
        <script src="/theme.js" />
        <script type="module" src={assets.script} />
      </head>
      <body>
        <div className={frame['frame']}>
          <a className={frame['skip']} href="#main">
            跳到正文
          </a>
          <SiteHeader
            action={
              <>
                <a className={`${styles['button']} ${styles['out']}`} href={`/?login=1&next=${page.path}`}>
                  登录 / 注册
                </a>
                <a className={`${styles['strong']} ${styles['in']}`} href="/index">
                  继续使用
                </a>
              </>
            }
          />
          <main id="main" tabIndex={-1} className={frame['main']}>
            {page.isBare ? (
              <Body />
            ) : (
              <div className={styles['page']}>
                <Body />
              </div>
            )}
          </main>
          <SiteFooter operator={<Operator />} />
        </div>
      </body>
    </html>
  );
}

const allPages = (assets: Pick<Assets, 'index' | 'words'>, help: readonly WrittenHelp[]): SitePage[] => [
  ...PAGES,
  helpIndex(help, words, assets),
  ...helpPages(help),
];

/** Name of a page's files. */
const fileOf = ({ path }: SitePage): string => path.slice(1, -1).replaceAll('/', '.');

/** What stands on the picture of a link that is shared. */
export function pictured(assets: Pick<Assets, 'index' | 'words'>, help: readonly WrittenHelp[]) {
  const methods = new Map(help.map((page) => [`/help/${page.slug}/`, page]));
  return allPages(assets, help).map((page) => {
    const method = methods.get(page.path);
    const sentence = method?.purpose ?? page.description;
    const foot = method?.needs ? `帮助中心 · 需要${method.needs}` : '在线统计分析平台';
    return { file: fileOf(page), title: page.title, sentence, foot };
  });
}

/** For the server: which pages were written, and every address the application has (a page of neither is a 404). */
export function contents(assets: Pick<Assets, 'index' | 'words'>, help: readonly WrittenHelp[]) {
  const pages = allPages(assets, help).map(({ path, title, noindex }) => ({ path, title, isListed: noindex !== true }));
  return { pages, paths: GUARDED_PATHS };
}

/** File name → page. Throws for a page that asks for what nobody knows, and for two pages of one title. */
export function writePages(assets: Assets, help: readonly WrittenHelp[]): Record<string, string> {
  const sample = sampleFacts();
  const files: Record<string, string> = {};
  const pages = allPages(assets, help);
  for (const page of pages) {
    const data = structured(page).map(script).join('') + (page === price ? OFFERS : '');
    const markup = renderToStaticMarkup(<Document page={page} assets={assets} />);
    const formulas = markup.includes('class="katex') ? `<link rel="stylesheet" href="${assets.formulas}"/>` : '';
    const html = `<!doctype html>${markup.replace('</head>', () => `${formulas}${data}</head>`)}`;
    const filled = fillHoles(html, sample);
    if (/\{\{|<\/?hx-/.test(filled)) throw new Error(`${page.path} keeps a hole after it was filled`);
    const { length } = page.description;
    if (length < 40 || length > 110) throw new Error(`The description of ${page.path} has ${length} characters`);
    files[`${fileOf(page)}.html`] = html;
  }
  const titles = new Set(pages.map(({ title, full }) => full ?? title));
  if (titles.size !== pages.length) throw new Error('Two pages have the same title');
  return files;
}
