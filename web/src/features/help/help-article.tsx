/** A method's help: the text of its folder with what its declaration knows put in. A document: no router, no library of controls. */
import type { HelpPage } from '@hengxi/server/help/schema';
import type { ReactNode } from 'react';

import { type Section, sectionsOf } from '../../ui/prose/markdown.ts';
import { Prose } from '../../ui/prose/prose.tsx';
import styles from './help-page.module.css';
import { withNumbers } from './numbers.ts';
import { OptionTable, RoleTable } from './option-table.tsx';
import { References } from './references.tsx';

const ORDER = ['用途', '数据要求', '操作', '结果解读', '公式', '参考文献'] as const;

/** Sections the declaration fills even where the text has nothing yet. */
const hasOwn = (title: string): boolean => title === '数据要求' || title === '操作' || title === '参考文献';

/** The sections of a page in their order, with the numbers of the example put in. */
export function helpSections(page: HelpPage): Section[] {
  const sections = sectionsOf(withNumbers(page.text, page));
  const others = sections.filter((section) => section.title !== '' && !ORDER.some((title) => title === section.title));
  return [
    ...ORDER.map((title) => ({ title, text: sections.find((section) => section.title === title)?.text ?? '' })),
    ...others,
  ].filter(({ title, text }) => text.trim() !== '' || hasOwn(title));
}

interface HelpArticleProps {
  page: HelpPage;
  actions: ReactNode;
  /** Said before the text. */
  note?: ReactNode;
  feedback: ReactNode;
  /** Changes the finished HTML of the texts: formulas that are drawn at the build. */
  mark?: (html: string) => string;
}

export function HelpArticle({ page, actions, note, feedback, mark }: HelpArticleProps) {
  const sections = helpSections(page);
  const intro = sectionsOf(withNumbers(page.text, page)).find((section) => section.title === '');
  const prose = (text: string) => <Prose text={text} {...(mark ? { mark } : {})} />;
  return (
    <div className={styles['page']}>
      <nav aria-label="本页目录" className={styles['contents']}>
        <a href="/help/">‹ 帮助中心</a>
        {sections.map(({ title }) => (
          <a key={title} href={`#${title}`}>
            {title}
          </a>
        ))}
      </nav>
      <article className={styles['article']}>
        <header className={styles['head']}>
          <h1>{page.title}</h1>
          <p lang="en" className={styles['english']}>
            {page.title_en}
          </p>
          <p className={styles['purpose']}>{page.purpose}</p>
          <p className={styles['needs']}>
            <span className={styles['tier']}>{page.tier === 'member' ? '会员' : '标准'}</span>
            需要：{page.needs}
          </p>
          <div className={styles['actions']}>{actions}</div>
        </header>
        {note}
        {intro ? prose(intro.text.replace(/^# .*\n/m, '')) : null}
        {sections.map(({ title, text }) => (
          <section key={title} id={title} className={styles['section']}>
            <h2>{title}</h2>
            {text.trim() === '' ? null : prose(text)}
            {title === '数据要求' ? <RoleTable declaration={page.declaration} /> : null}
            {title === '操作' ? <OptionTable declaration={page.declaration} /> : null}
            {title === '参考文献' ? <References declaration={page.declaration} /> : null}
          </section>
        ))}
        <p className={styles['foot']}>
          方法版本 {page.version}
          {page.oracle.cases > 0 ? `，核对 ${page.oracle.cases} 组结果：${page.oracle.sources.join('；')}` : ''}
        </p>
        {feedback}
      </article>
    </div>
  );
}

/** Names longer than this lose their bracket in the title of the page. */
const LONG_NAME = 22;

export function helpTitle(name: string): string {
  const short = name.length > LONG_NAME ? name.replace(/[（(].*$/, '') : name;
  return `${short}：怎么做、怎么读 - 衡析帮助`;
}

/** Says that there is no film yet, and what there is instead. */
export const noVideo = (slug: string): string => `/dochelpempty?method=${slug}`;

/** Where the method is used; who is not signed in is asked to, and comes back there. */
export const methodAddress = (path: string): string => `/analysis/index?method=${encodeURIComponent(path)}`;
