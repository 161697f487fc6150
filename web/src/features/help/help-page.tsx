/** /help/{slug}/ for who comes from within the application; who opens the address gets the page written at the build. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect } from 'react';
import { useLocation, useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { usePageTitle } from '../../lib/title.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import type { HelpPage as HelpData } from '@hengxi/server/help/schema';
import styles from './help-page.module.css';
import { HelpActions } from './help-actions.tsx';
import { HelpArticle, helpSections, helpTitle } from './help-article.tsx';
import { PageFeedback } from './page-feedback.tsx';
import { helpQuery } from './queries.ts';

export function HelpPage() {
  const { slug = '' } = useParams();
  const page = useQuery(helpQuery(slug));
  usePageTitle(null, page.data ? helpTitle(page.data.title) : null);
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
  if (isNotFound(error)) {
    return (
      <NotFound
        title="没有这一页帮助"
        hint="方法可能已改名。"
        actions={
          <Button type="primary" href="/help/">
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
  useArrival(helpSections(page).map(({ title }) => title));
  return (
    <HelpArticle
      page={page}
      actions={<HelpActions page={page} />}
      feedback={<PageFeedback slug={page.slug} version={page.version} />}
    />
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
