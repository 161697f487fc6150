/** Reports of a project. The specification writes /report and /reports; project id 0 stands for any project. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { Id } from '../files/schema.ts';
import {
  Config,
  ConfigBody,
  ConfigQuery,
  DataBody,
  DataMade,
  FileQuery,
  Pins,
  PinsBody,
  ReportAct,
  ReportDetail,
  ReportQuery,
  ReportRow,
  SampleQuery,
  SampleRows,
  TableRows,
  TableRowsQuery,
} from './schema.ts';
import type { Reports } from './service.ts';
import { shareRoutes } from './share-routes.ts';
import { createSweeper } from './sweeper.ts';

const ProjectId = z.object({ pid: z.coerce.number().int().min(0).max(2_147_483_647) });
const ReportId = ProjectId.extend({ rid: Id });
const Revision = z.object({ rev: Id.optional() });
const Forever = z.object({ forever: z.enum(['0', '1']).default('0') });
const CONFIG_LIMIT = 1024 * 1024;

export function reportsRoutes(app: App, deps: { reports: Reports } & Parameters<typeof createSweeper>[0]): void {
  const { reports } = deps;
  const sweeper = createSweeper(deps);
  app.addHook('onReady', async () => sweeper.start());
  app.addHook('onClose', async () => sweeper.stop());
  listRoutes(app, reports);
  reportRoutes(app, reports);
  for (const word of ['report', 'reports']) configRoutes(app, reports, word);
  dataRoutes(app, reports);
  pinRoutes(app, reports);
  shareRoutes(app, reports);
}

function listRoutes(app: App, reports: Reports): void {
  for (const word of ['report', 'reports']) {
    route(app, {
      method: 'GET',
      url: `/v1/analysis/projects/:pid/${word}`,
      access: 'session',
      summary:
        'Reports of a project (0: of all), pinned first; bin=1 lists the bin, vid and fid keep those on a version or file',
      params: ProjectId,
      query: ReportQuery,
      answer: z.object({ total: z.number(), list: z.array(ReportRow) }),
      handler: ({ actor, params, query }) => reports.list(actor.owner, params.pid, query),
    });
  }
}

function reportRoutes(app: App, reports: Reports): void {
  const url = '/v1/analysis/projects/:pid/reports/:rid';

  route(app, {
    method: 'GET',
    url,
    access: 'session',
    summary: 'A report, as it is shown or at a revision',
    params: ReportId,
    query: Revision,
    answer: ReportDetail,
    handler: ({ actor, params, query }) => reports.read(actor.owner, params.pid, params.rid, query.rev),
  });

  route(app, {
    method: 'POST',
    url,
    access: 'session',
    summary: 'One act: name, pinned, note, frozen, restore (from the bin) or rev (show that revision)',
    params: ReportId,
    body: ReportAct,
    answer: ReportDetail,
    handler: ({ actor, params, body }) => reports.act(actor.owner, params.pid, params.rid, body),
  });

  route(app, {
    method: 'DELETE',
    url,
    access: 'session',
    summary: 'Moves a report to the bin (30 days); forever=1 removes one from the bin for good',
    params: ReportId,
    query: Forever,
    handler: async ({ actor, params, query }) => {
      refuseDemo(actor);
      await reports.remove(actor.owner, params.pid, params.rid, query.forever === '1');
    },
  });
}

function configRoutes(app: App, { configs }: Reports, word: string): void {
  const url = `/v1/analysis/projects/:pid/${word}/:rid/config`;

  route(app, {
    method: 'GET',
    url,
    access: 'session',
    summary: 'Presentation and unsaved form of a report',
    params: ReportId,
    query: ConfigQuery,
    answer: Config,
    handler: ({ actor, params, query }) => configs.read(actor.owner, params.pid, params.rid, query.report_type),
  });

  route(app, {
    method: 'POST',
    url,
    access: 'session',
    summary: 'Keeps presentation or the unsaved form; what is left out stays',
    bodyLimit: CONFIG_LIMIT,
    params: ReportId,
    query: ConfigQuery,
    body: ConfigBody,
    answer: Config,
    handler: ({ actor, params, query, body }) =>
      configs.save(actor.owner, params.pid, params.rid, query.report_type, body),
  });
}

function pinRoutes(app: App, reports: Reports): void {
  const url = '/v1/analysis/projects/:pid/pins';

  route(app, {
    method: 'GET',
    url,
    access: 'session',
    summary: 'Numbers this person pinned in the project',
    params: ProjectId,
    answer: Pins,
    handler: async ({ actor, params }) => {
      await reports.demandProject(actor.owner, params.pid);
      return reports.configs.pins.read(actor, params.pid);
    },
  });

  route(app, {
    method: 'PUT',
    url,
    access: 'session',
    summary: 'The list of pinned numbers as it shall be',
    params: ProjectId,
    body: PinsBody,
    answer: Pins,
    handler: async ({ actor, params, body }) => {
      await reports.demandProject(actor.owner, params.pid);
      return reports.configs.pins.save(actor, params.pid, body.pins);
    },
  });
}

function dataRoutes(app: App, reports: Reports): void {
  route(app, {
    method: 'GET',
    url: '/v1/analysis/projects/:pid/reports/:rid/rows',
    access: 'session',
    summary: 'Rows behind the sample account: used, filtered out, or missing, with the reason',
    params: ReportId,
    query: SampleQuery,
    answer: SampleRows,
    handler: ({ actor, params, query }) => reports.rows(actor.owner, params.pid, params.rid, query),
  });

  route(app, {
    method: 'GET',
    url: '/v1/analysis/projects/:pid/reports/:rid/file',
    access: 'session',
    summary: 'A file the analysis wrote, as it is',
    params: ReportId,
    query: FileQuery,
    limit: 'export',
    handler: async ({ actor, params, query, reply }) => {
      const { size, open } = await reports.file(actor.owner, params.pid, params.rid, query);
      // The page that fetches it knows the name; a browser that opens the address must not show what is inside.
      reply.headers({ 'content-length': size, 'content-disposition': 'attachment' });
      return reply.type('application/octet-stream').send(open());
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/analysis/projects/:pid/reports/:rid/table-rows',
    access: 'session',
    summary: 'Rows of a long table beyond those in the document, by pages of at most 1000',
    params: ReportId,
    query: TableRowsQuery,
    answer: TableRows,
    handler: ({ actor, params, query }) => reports.tableRows(actor.owner, params.pid, params.rid, query),
  });

  route(app, {
    method: 'POST',
    url: '/v1/analysis/projects/:pid/reports/:rid/data',
    access: 'session',
    summary: 'Writes the columns an analysis made into the data, as a new version',
    params: ReportId,
    body: DataBody,
    answer: DataMade,
    handler: ({ actor, params, body }) => reports.data.make(actor, params.pid, params.rid, body.element),
  });
}
