/** What the public pages are made of. Plain documents: rendered once at the build, never hydrated. */
import { createElement, type ReactNode } from 'react';

import notice from '../../ui/phone-notice.module.css';
import styles from './site.module.css';

export interface SitePage {
  /** With its last slash; the canonical form. */
  path: string;
  title: string;
  /** Stands as the title where it is not the name with the site's suffix. */
  full?: string;
  description: string;
  /** Name and address of the page above it. */
  within?: readonly [name: string, path: string];
  /** Has margins and a measure of its own. */
  isBare?: true;
  /** Structured data beside what every page has; holes as {{json:name}}. */
  data?: readonly string[];
  /** Not for search engines when the named text is empty, or never. */
  noindex?: true;
  Body: () => ReactNode;
}

/** Once for each row of a list; filled by the server (contracts/src/site-holes.ts). */
export function Each({ of, children }: { of: string; children: ReactNode }) {
  return createElement('hx-each', { of }, children);
}

export function Has({ name, children }: { name: string; children: ReactNode }) {
  return createElement('hx-if', { has: name }, children);
}

export function HasNot({ name, children }: { name: string; children: ReactNode }) {
  return createElement('hx-unless', { has: name }, children);
}

export function Opening({ title, lead, children }: { title: string; lead: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles['opening']}>
      <h1>{title}</h1>
      <p>{lead}</p>
      {children}
    </div>
  );
}

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles['section']} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

export function Actions({ children }: { children: ReactNode }) {
  return <p className={styles['actions']}>{children}</p>;
}

export function ButtonLink({ to, strong, children }: { to: string; strong?: true; children: ReactNode }) {
  return (
    <a href={to} className={strong ? styles['strong'] : styles['button']}>
      {children}
    </a>
  );
}

export function Asked({ items }: { items: readonly { ask: string; answer: ReactNode }[] }) {
  return (
    <dl className={styles['asked']}>
      {items.map(({ ask, answer }) => (
        <div key={ask}>
          <dt>{ask}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to pages of methods, by slug. */
export function Methods({ list }: { list: readonly [slug: string, title: string][] }) {
  return (
    <ul className={styles['methods']}>
      {list.map(([slug, title]) => (
        <li key={slug}>
          <a href={`/help/${slug}/`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

/** Shown on phones; the script makes its buttons work and shows it. */
export function PhoneNotice() {
  return (
    <div className={notice['notice']} data-phone-notice="" hidden>
      <p>数据分析请在电脑浏览器上进行，手机可阅读、评论和分享。</p>
      <button type="button" data-copy-link="">
        复制链接
      </button>
      <button type="button" data-close="" aria-label="关闭提示">
        ×
      </button>
    </div>
  );
}

export { styles };
