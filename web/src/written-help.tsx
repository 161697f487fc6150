/** The help centre as documents written at the build: every method's page, and the index with its search. */
import type { HelpPage } from '@hengxi/server/help/schema';
import { REASONS } from '@hengxi/server/help-feedback/schema';
import katex from 'katex';

import type { SearchWords } from './lib/help-search.ts';
import { ButtonLink, type SitePage, styles as site } from './features/site/parts.tsx';
import { HelpArticle, helpTitle, methodAddress, noVideo } from './features/help/help-article.tsx';
import styles from './written-help.module.css';

/** With the other names of the method, for the search. */
export type WrittenHelp = HelpPage & { aliases: readonly string[] };

/** A description has so many characters at most (site page, section 4), and at least. */
const DESCRIPTION = { least: 50, most: 110 };

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const FORMULA = /<span class="formula" data-formula( data-display)?>([^<]*)<\/span>/g;

/** Formulas drawn at the build. Their source stays in the MathML; double braces in it are no holes to fill. */
export function drawn(html: string): string {
  return html.replace(FORMULA, (_, display: string | undefined, source: string) => {
    const tex = source.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
    const displayMode = display !== undefined;
    const shape = katex
      .renderToString(tex, { displayMode, throwOnError: false, strict: 'ignore', output: 'htmlAndMathml' })
      .replaceAll('{{', '{&#123;');
    return displayMode
      ? `<span class="formula" data-display tabindex="0" role="group" aria-label="公式">${shape}</span>`
      : `<span class="formula">${shape}</span>`;
  });
}

export function describe({ title, purpose, needs }: Pick<HelpPage, 'title' | 'purpose' | 'needs'>): string {
  const parts = [
    `${title}：${purpose.replace(/。$/, '')}。`,
    needs === '' ? '' : `需要${needs}。`,
    '讲用途、数据要求、操作步骤、结果怎么读、公式和参考文献。',
  ];
  let text = '';
  for (const part of parts)
    if (text.length < DESCRIPTION.least || text.length + part.length <= DESCRIPTION.most) text += part;
  return text.length <= DESCRIPTION.most ? text : `${text.slice(0, DESCRIPTION.most - 1)}…`;
}

function Feedback({ slug, version }: Pick<HelpPage, 'slug' | 'version'>) {
  return (
    <section
      className={styles['feedback']}
      aria-label="这一页有帮助吗"
      data-help-feedback={slug}
      data-version={version}
      hidden
    >
      <p>这一页有帮助吗？</p>
      <button type="button" className={site['button']} data-verdict="yes">
        有
      </button>
      <button type="button" className={site['button']} data-verdict="no" aria-expanded="false">
        没解决
      </button>
      <form hidden>
        <fieldset>
          <legend>原因</legend>
          {Object.entries(REASONS).map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="reason" value={value} /> {label}
            </label>
          ))}
        </fieldset>
        <label>
          哪里没解决（可不填）
          <textarea name="text" maxLength={300} rows={3} />
        </label>
        <button type="submit" className={site['button']}>
          提交
        </button>
      </form>
      <p role="status" data-told="" />
    </section>
  );
}

function Actions({ page }: { page: HelpPage }) {
  return (
    <>
      <ButtonLink to={methodAddress(page.path)} strong>
        打开方法
      </ButtonLink>
      {page.record.example_data ? (
        <a className={site['button']} href={page.record.example_data} download>
          示例数据
        </a>
      ) : null}
      <a
        className={site['button']}
        href={page.record.video_link ?? noVideo(page.slug)}
        target="_blank"
        rel="noreferrer"
      >
        视频
      </a>
      <button type="button" className={site['button']} data-print="" hidden>
        打印
      </button>
    </>
  );
}

const script = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

export function helpPages(pages: readonly HelpPage[]): SitePage[] {
  const called = (name: string): number => pages.filter(({ title }) => helpTitle(title) === helpTitle(name)).length;
  return pages.map((page) => ({
    path: `/help/${page.slug}/`,
    title: page.title,
    // Two methods of one name are told apart by where they stand.
    full: helpTitle(called(page.title) > 1 ? `${page.title} · ${page.family}` : page.title),
    description: describe(page),
    within: ['帮助中心', '/help/'],
    isBare: true,
    data: [
      script({
        '@context': 'https://schema.org',
        '@type': 'TechArticle',
        headline: page.title,
        alternativeHeadline: page.title_en,
        description: page.purpose,
        articleSection: page.family,
        inLanguage: 'zh-CN',
        version: String(page.version),
        url: `{{json:origin}}/help/${page.slug}/`,
      }),
    ],
    Body: () => (
      <HelpArticle
        page={page}
        mark={drawn}
        actions={<Actions page={page} />}
        note={<p className={styles['note']} role="note" data-version={page.version} data-version-note="" hidden />}
        feedback={<Feedback slug={page.slug} version={page.version} />}
      />
    ),
  }));
}

interface IndexFiles {
  /** Addresses of the names, and of the words of the pages. */
  index: string;
  words: string;
}

export function helpIndex(pages: readonly HelpPage[], { intents }: SearchWords, files: IndexFiles): SitePage {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const families = [...new Set(pages.map(({ family }) => family))];
  const asked = intents.flatMap(({ ask, methods }) => {
    const page = byPath.get(methods[0] ?? '');
    return page && ask[0] !== undefined ? [{ ask: ask[0], page }] : [];
  });
  function Body() {
    return (
      <div className={styles['page']}>
        <h1>帮助中心</h1>
        <p className={styles['lead']}>每个方法一页：用途、数据要求、操作、结果怎么读、公式和出处。</p>
        <form
          className={styles['search']}
          role="search"
          action="/help/"
          data-help-search=""
          data-index={files.index}
          data-words={files.words}
          hidden
        >
          <label htmlFor="help-query" className="hx-hidden">
            搜索帮助
          </label>
          <input
            id="help-query"
            name="q"
            type="search"
            autoComplete="off"
            maxLength={100}
            placeholder="方法名、拼音首字母，或想问的问题：两组比较用什么"
          />
          <button type="submit" className={site['strong']}>
            搜索
          </button>
        </form>
        <p role="status" className={styles['status']} data-help-count="" />
        <div data-help-found="" className={styles['found']} hidden />
        <div data-help-directory="">
          <details className={styles['asked']} open>
            <summary>
              <h2>想知道什么</h2>
            </summary>
            <ul>
              {asked.map(({ ask, page }) => (
                <li key={ask}>
                  <a href={`/help/${page.slug}/`}>{ask}</a>
                  <span>{page.title}</span>
                </li>
              ))}
            </ul>
          </details>
          {families.map((family) => (
            <section key={family} className={styles['family']} aria-label={family}>
              <h2>{family}</h2>
              <ul>
                {pages
                  .filter((page) => page.family === family)
                  .map((page) => (
                    <li key={page.slug}>
                      <a href={`/help/${page.slug}/`}>{page.title}</a>
                      <span>{page.purpose}</span>
                    </li>
                  ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    );
  }
  return {
    path: '/help/',
    title: '帮助中心',
    description:
      '衡析的方法手册：每个方法一页，讲用途、数据要求、操作步骤、结果怎么读、公式和参考文献。可按名称、拼音首字母或想问的问题查找。',
    isBare: true,
    Body,
  };
}
