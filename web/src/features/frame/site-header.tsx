/** Header and footer of the public pages: the same markup in the application and in the pages written at the build. */
import type { ReactNode, Ref } from 'react';

import { SITE_FOOTER, SITE_MENU, type SiteLink } from '../../lib/site-menu.ts';
import { Logo } from '../../ui/logo.tsx';
import styles from './public-frame.module.css';

interface SiteHeaderProps {
  /** What one is asked to do: sign in, or go on. */
  action: ReactNode;
  ref?: Ref<HTMLElement>;
}

function Caret() {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={styles['caret']}>
      <path d="M2 3.5 5 6.5 8 3.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </svg>
  );
}

function Item({ title, to, note }: SiteLink) {
  return (
    <a href={to}>
      {title}
      {note === undefined ? null : <small>{note}</small>}
    </a>
  );
}

export function SiteHeader({ action, ref }: SiteHeaderProps) {
  return (
    <header className={styles['bar']} ref={ref}>
      <div className={styles['inner']}>
        <a href="/" className={styles['brand']}>
          <Logo size={30} />
          <span>衡析</span>
        </a>
        <nav aria-label="网站" className={styles['nav']}>
          {SITE_MENU.map((entry) =>
            'to' in entry ? (
              <Item key={entry.title} {...entry} />
            ) : (
              <details key={entry.title} name="site-menu" className={styles['menu']}>
                <summary>
                  {entry.title}
                  <Caret />
                </summary>
                <div className={styles['drop']}>
                  {entry.links.map((link) => (
                    <Item key={link.to} {...link} />
                  ))}
                </div>
              </details>
            ),
          )}
        </nav>
        <div className={styles['action']}>{action}</div>
        <details className={styles['sheet']} data-sheet="">
          <summary>菜单</summary>
          <nav aria-label="网站">
            {SITE_MENU.map((entry) =>
              'to' in entry ? (
                <Item key={entry.title} {...entry} />
              ) : (
                <section key={entry.title} aria-label={entry.title}>
                  <p>{entry.title}</p>
                  {entry.links.map((link) => (
                    <Item key={link.to} title={link.title} to={link.to} />
                  ))}
                </section>
              ),
            )}
          </nav>
        </details>
      </div>
    </header>
  );
}

/** `operator` says who runs this installation; `more` is what only the application can offer. */
export function SiteFooter({ operator, more }: { operator: ReactNode; more?: ReactNode }) {
  return (
    <footer className={styles['footer']}>
      <div className={styles['columns']}>
        {SITE_FOOTER.map((group, place) => (
          <nav key={group.title} aria-label={group.title}>
            <p>{group.title}</p>
            {group.links.map((link) => (
              <a key={link.to} href={link.to}>
                {link.title}
              </a>
            ))}
            {place === SITE_FOOTER.length - 1 ? more : null}
          </nav>
        ))}
      </div>
      <div className={styles['operator']}>{operator}</div>
    </footer>
  );
}
