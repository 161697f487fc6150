/** What the three pages of one questionnaire share: its title, the way between them, and an absent one. */
import type { Project } from '@hengxi/server/expert-questionnaires/schema';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NavLink, useParams } from 'react-router';

import { isNotFound } from '../../lib/api.ts';
import { usePageTitle } from '../../lib/title.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './pro.module.css';
import { projectQuery } from './queries.ts';
import { KINDS, STATES } from './words.ts';

const PAGES = [
  { to: (id: number) => `/pro-analysis/edit/${id}`, title: '编辑' },
  { to: (id: number) => `/pro-analysis/collect/${id}`, title: '收集' },
  { to: (id: number) => `/pro-analysis/report/${id}`, title: '结果' },
];

export function ProjectFrame({ children }: { children: (project: Project) => ReactNode }) {
  const pid = Number(useParams()['pid']);
  const project = useQuery(projectQuery(pid));
  usePageTitle(project.data?.title ?? null);
  if (isNotFound(project.error)) return <NotFound title="没有这个问卷" hint="可能是地址有误，或问卷已经删除。" />;
  return (
    <div className={styles['page']}>
      <Loaded query={project}>
        {(one) => (
          <>
            <PageTitle
              title={one.title}
              aside={`${KINDS[one.kind]}，${STATES[one.state]}`}
              actions={
                <nav aria-label="问卷" className={styles['acts']}>
                  {PAGES.map(({ to, title }) => (
                    <NavLink key={title} to={to(one.id)}>
                      {title}
                    </NavLink>
                  ))}
                </nav>
              }
            />
            {children(one)}
          </>
        )}
      </Loaded>
    </div>
  );
}
