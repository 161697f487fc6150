/** /v1/user/file/versions and the active filter. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { VersionId } from './params.ts';
import {
  Active,
  ActiveBody,
  AgainstBody,
  AgainstItem,
  FilterBody,
  FilterCount,
  FilterCountBody,
  FilterState,
  Edge,
  EdgeBody,
  FindBody,
  Found,
  Health,
  Id,
  ImportReport,
  Questionnaire,
  QuestionnaireState,
  Rows,
  RowsBody,
  StepRow,
  TextPreview,
  TextPreviewQuery,
  Version,
} from './schema.ts';
import type { Files } from './service.ts';

const BASE = '/v1/user/file/versions';

export function versionRoutes(app: App, files: Files): void {
  readRoutes(app, files);
  writeRoutes(app, files);
  questionnaireRoutes(app, files);
}

function readRoutes(app: App, { versions }: Files): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:vid`,
    access: 'session',
    summary: 'One version with its columns and what is active on it',
    params: VersionId,
    answer: Version,
    handler: ({ actor, params }) => versions.read(actor.owner, params.vid),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:vid/import-report`,
    access: 'session',
    summary: 'What the import did, column by column',
    params: VersionId,
    answer: ImportReport,
    handler: ({ actor, params }) => versions.importReport(actor.owner, params.vid),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:vid/health`,
    access: 'session',
    summary: 'Findings that may harm an analysis, most harmful first',
    params: VersionId,
    answer: Health,
    handler: ({ actor, params }) => versions.health(actor.owner, params.vid),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:vid/steps`,
    access: 'session',
    summary: 'How this version came to be, from the import on',
    params: VersionId,
    answer: z.object({ total: z.number(), list: z.array(StepRow) }),
    handler: async ({ actor, params }) => {
      const list = await versions.steps(actor.owner, params.vid);
      return { total: list.length, list };
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:vid/rows`,
    access: 'session',
    summary: 'A page of rows, sorted and filtered as asked',
    limit: 'read',
    params: VersionId,
    body: RowsBody,
    answer: Rows,
    handler: ({ actor, params, body }) => versions.rows(actor.owner, params.vid, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:vid/find`,
    access: 'session',
    summary: 'The next row of the view that holds a text',
    limit: 'read',
    params: VersionId,
    body: FindBody,
    answer: Found,
    handler: ({ actor, params, body }) => versions.seek(actor.owner, params.vid, body),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:vid/preview-text-data`,
    access: 'session',
    summary: 'A text column before it is analysed: rows, lengths, language, repeats, personal data',
    limit: 'read',
    params: VersionId,
    query: TextPreviewQuery,
    answer: TextPreview,
    handler: ({ actor, params, query }) => versions.textPreview(actor.owner, params.vid, query.col),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:vid/edge`,
    access: 'session',
    summary: 'Where a jump from a cell to the edge of its block of filled cells ends',
    limit: 'read',
    params: VersionId,
    body: EdgeBody,
    answer: Edge,
    handler: ({ actor, params, body }) => versions.edge(actor.owner, params.vid, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:vid/filter-count`,
    access: 'session',
    summary: 'Counts the rows a filter would keep',
    limit: 'draft',
    params: VersionId,
    body: FilterCountBody,
    answer: FilterCount,
    handler: ({ actor, params, body }) => versions.count(actor.owner, params.vid, body.condition, body.filter_type),
  });
}

function writeRoutes(app: App, { versions, library }: Files): void {
  route(app, {
    method: 'PATCH',
    url: `${BASE}/:vid/active`,
    access: 'session',
    summary: 'Sets or ends the active weight and split; what is left out stays',
    params: VersionId,
    body: ActiveBody,
    answer: Active,
    handler: ({ actor, params, body }) => versions.activate(actor.owner, params.vid, body),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:vid`,
    access: 'session',
    summary: 'Removes a version that is not shown and that no report uses',
    params: VersionId,
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await library.removeVersion(await versions.facts(actor.owner, params.vid));
    },
  });

  route(app, {
    method: 'POST',
    url: '/algorithm/filter',
    access: 'session',
    summary: 'Makes a filter the active one of a version; an empty condition or type resets',
    limit: 'draft',
    query: z.object({ vid: Id }),
    body: FilterBody,
    answer: FilterState,
    handler: ({ actor, query, body }) => versions.filter(actor.owner, query.vid, body),
  });
}

function questionnaireRoutes(app: App, { versions }: Files): void {
  const url = `${BASE}/:vid/questionnaire`;

  route(app, {
    method: 'GET',
    url,
    access: 'session',
    summary: 'What is kept of a questionnaire, and what its columns look like',
    limit: 'read',
    params: VersionId,
    answer: QuestionnaireState,
    handler: ({ actor, params }) => versions.questionnaire(actor.owner, params.vid),
  });

  route(app, {
    method: 'PUT',
    url,
    access: 'session',
    summary: 'Keeps dimensions, reversed items, matrix and background questions with a version',
    params: VersionId,
    body: Questionnaire,
    answer: Questionnaire.nullable(),
    handler: ({ actor, params, body }) => versions.keepQuestionnaire(actor.owner, params.vid, body),
  });

  route(app, {
    method: 'DELETE',
    url,
    access: 'session',
    summary: 'Keeps nothing of a questionnaire with this version any more',
    params: VersionId,
    handler: async ({ actor, params }) => {
      await versions.keepQuestionnaire(actor.owner, params.vid, null);
    },
  });

  route(app, {
    method: 'POST',
    url: `${url}/against`,
    access: 'session',
    summary: 'Items of a group that run against the others, with their correlation',
    limit: 'read',
    params: VersionId,
    body: AgainstBody,
    answer: z.array(AgainstItem),
    handler: ({ actor, params, body }) => versions.against(actor.owner, params.vid, body.columns),
  });
}
