/** /help/{slug}/: the text of a method's folder, with what its declaration knows put in: needs, options, references, checks. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { usePageTitle } from '../../lib/title.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import type { HelpPage as HelpData } from '@hengxi/server/help/schema';
import styles from './help-page.module.css';
import { HelpHead } from './help-head.tsx';
import { sectionsOf } from '../../ui/prose/markdown.ts';
import { withNumbers } from './numbers.ts';
import { OptionTable, RoleTable } from './option-table.tsx';
import { Prose } from '../../ui/prose/prose.tsx';
import { PageFeedback } from './page-feedback.tsx';
import { References } from './references.tsx';
import { helpQuery } from './queries.ts';

const ORDER = ['用途', '数据要求', '操作', '结果解读', '公式', '参考文献'] as const;

export function HelpPage() {
  const { slug = '' } = useParams();
  const page = useQuery(helpQuery(slug));
  usePageTitle(null, page.data ? `${page.data.title}：方法说明 - 衡析帮助` : null);
  if (page.isPending) {
    return (
      <div className={styles['page']}>
        <ListSkeleton />
      </div>
    );
  }
  if (page.isLoadingError) return <Failure error={page.error} onRetry={() => void page.refetch()} />;
  return <Help page={page.data} />;
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const navigate = useNavigate();
  if (isNotFound(error)) {
    return (
      <NotFound
        title="没有这一页帮助"
        hint="方法可能已改名。"
        actions={
          <Button type="primary" onClick={() => void navigate('/help/')}>
            去帮助中心
          </Button>
        }
      />
    );
  }
  return (
    <div className={styles['page']}>
      <EmptyState title="帮助没有加载出来" hint={errorText(error)} actions={<Button onClick={onRetry}>重试</Button>} />
    </div>
  );
}

function Help({ page }: { page: HelpData }) {
  const sections = sectionsOf(withNumbers(page.text, page));
  const intro = sections.find((section) => section.title === '');
  const others = sections.filter((section) => section.title !== '' && !ORDER.some((title) => title === section.title));
  const shown = [
    ...ORDER.map((title) => ({ title, text: sections.find((section) => section.title === title)?.text ?? '' })),
    ...others,
  ].filter(({ title, text }) => text.trim() !== '' || hasOwn(title));
  useArrival(shown.map(({ title }) => title));
  return (
    <div className={styles['page']}>
      <nav aria-label="本页目录" className={styles['contents']}>
        <Link to="/help/">‹ 帮助中心</Link>
        {shown.map(({ title }) => (
          <a key={title} href={`#${title}`}>
            {title}
          </a>
        ))}
      </nav>
      <article className={styles['article']}>
        <HelpHead page={page} />
        {intro ? <Prose text={intro.text.replace(/^# .*\n/m, '')} /> : null}
        {shown.map(({ title, text }) => (
          <section key={title} id={title} className={styles['section']}>
            <h2>{title}</h2>
            {text.trim() === '' ? null : <Prose text={text} />}
            {title === '数据要求' ? <RoleTable declaration={page.declaration} /> : null}
            {title === '操作' ? <OptionTable declaration={page.declaration} /> : null}
            {title === '参考文献' ? <References declaration={page.declaration} /> : null}
          </section>
        ))}
        <p className={styles['foot']}>
          方法版本 {page.version}
          {page.oracle.cases > 0 ? `，核对 ${page.oracle.cases} 组结果：${page.oracle.sources.join('；')}` : ''}
        </p>
        <PageFeedback slug={page.slug} version={page.version} />
      </article>
    </div>
  );
}

/** Who comes for a section is taken there: the browser looked for it before there was a text. */
function useArrival(titles: readonly string[]): void {
  const { hash } = useLocation();
  const wanted = titles.find((title) => hash === `#${title}` || hash === `#${encodeURIComponent(title)}`);
  useEffect(() => {
    if (wanted !== undefined) document.getElementById(wanted)?.scrollIntoView();
  }, [wanted]);
}

/** Sections the declaration fills even where the text has nothing yet. */
function hasOwn(title: string): boolean {
  return title === '数据要求' || title === '操作' || title === '参考文献';
}
