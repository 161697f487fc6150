/** Text written in markdown: help, agreements, rules of activities. */
import { useEffect, useMemo, useRef } from 'react';

import { toHtml } from './markdown.ts';
import styles from './prose.module.css';

/** `mark` changes the finished HTML; it must add nothing that came from a user. */
export function Prose({ text, mark }: { text: string; mark?: (html: string) => string }) {
  const html = useMemo(() => (mark ? mark(toHtml(text)) : toHtml(text)), [text, mark]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element?.querySelector('[data-formula]')) return;
    let isGone = false;
    void import('./formulas.ts').then(({ drawFormulas }) => {
      if (!isGone) drawFormulas(element);
    });
    return () => {
      isGone = true;
    };
  }, [html]);
  // The HTML is made by a renderer that lets no HTML through, whoever wrote the text.
  // oxlint-disable-next-line react/no-danger
  return <div ref={box} className={styles['prose']} dangerouslySetInnerHTML={{ __html: html }} />;
}
