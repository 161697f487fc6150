/** /v1/analysis/projects/{pid}/reports/{rid}/export and /v1/analysis/projects/{pid}/export. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { Id } from '../files/schema.ts';
import { Run } from '../runs/schema.ts';
import { CombineExportBody, ProjectExportBody, ReportExportBody } from './schema.ts';
import type { ReportExports } from './service.ts';

const ProjectId = z.object({ pid: z.coerce.number().int().min(0).max(2_147_483_647) });
const ReportId = ProjectId.extend({ rid: Id });

export function reportExportsRoutes(app: App, { reportExports }: { reportExports: ReportExports }): void {
  app.addHook('preClose', () => reportExports.stop());

  route(app, {
    method: 'POST',
    url: '/v1/analysis/projects/:pid/reports/:rid/export',
    access: 'session',
    summary: 'Writes a report as docx, pdf, xlsx, html or its figures, in a run; the file is kept for a day',
    limit: 'export',
    params: ReportId,
    body: ReportExportBody,
    answer: Run,
    handler: ({ actor, params, body }) => reportExports.one(actor, params.pid, params.rid, body),
  });

  route(app, {
    method: 'POST',
    url: '/v1/analysis/projects/:pid/export',
    access: 'session',
    summary: 'Writes several reports of a project as one document, in a run',
    limit: 'export',
    params: ProjectId,
    body: ProjectExportBody,
    answer: Run,
    handler: ({ actor, params, body }) => reportExports.several(actor, params.pid, body),
  });

  route(app, {
    method: 'POST',
    url: '/v1/analysis/projects/:pid/models/export',
    access: 'session',
    summary: 'Writes several regressions of a project as one table of a workbook, in a run',
    limit: 'export',
    params: ProjectId,
    body: CombineExportBody,
    answer: Run,
    handler: ({ actor, params, body }) => reportExports.combine(actor, params.pid, body),
  });
}
