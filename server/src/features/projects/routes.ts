/** /v1/analysis/project and the history of a project. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { Id } from '../files/schema.ts';
import { HistoryRow, Project, ProjectBody, ProjectQuery } from './schema.ts';
import type { Projects } from './service.ts';

const ProjectId = z.object({ id: Id });
const HistoryOf = z.object({ pid: Id });
/** 0 creates. */
const ProjectIdOrNew = z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647) });
const HistoryQuery = ProjectQuery.omit({ keyword: true });

export function projectsRoutes(app: App, { projects }: { projects: Projects }): void {
  route(app, {
    method: 'GET',
    url: '/v1/analysis/project',
    access: 'session',
    summary: 'Projects in their order',
    query: ProjectQuery,
    answer: z.object({ total: z.number(), list: z.array(Project) }),
    handler: ({ actor, query }) => projects.list(actor.owner, query),
  });

  route(app, {
    method: 'POST',
    url: '/v1/analysis/project/:id',
    access: 'session',
    summary: 'Renames or moves a project; id 0 creates one',
    params: ProjectIdOrNew,
    body: ProjectBody,
    answer: Project,
    handler: ({ actor, params, body }) => projects.save(actor.owner, params.id, body),
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/analysis/project/:id',
    access: 'session',
    summary: 'Removes a project and moves its reports to the bin',
    params: ProjectId,
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await projects.remove(actor.owner, params.id);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/analysis/projects/:pid/history',
    access: 'session',
    summary: 'What was done in a project, newest first',
    params: HistoryOf,
    query: HistoryQuery,
    answer: z.object({ total: z.number(), list: z.array(HistoryRow) }),
    handler: ({ actor, params, query }) =>
      projects.history(actor.owner, params.pid, {
        limit: query.page_size,
        offset: (Math.max(1, query.page) - 1) * query.page_size,
      }),
  });
}
