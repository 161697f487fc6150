/** Calls on the content of an enterprise: open to all, handed over, shared outside, copied. */
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { PageQuery } from '../membership/schema.ts';
import {
  CopyBody,
  CopyList,
  Copied,
  ContentChange,
  ContentChanged,
  ContentList,
  ContentQuery,
  Eid,
  ReassignBody,
  Reassigned,
  ShareCode,
  ShareList,
} from './schema.ts';
import type { Enterprises } from './service.ts';

const BASE = '/v1/enterprise';

export function contentRoutes(app: App, { content, copies }: Enterprises): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/content`,
    access: 'session',
    summary: 'Files or projects of the enterprise: own ones and those open to all',
    params: Eid,
    query: ContentQuery,
    answer: ContentList,
    handler: ({ actor, params, query }) => content.list(actor.userId, params.eid, query),
  });

  route(app, {
    method: 'PATCH',
    url: `${BASE}/:eid/content`,
    access: 'session',
    summary: 'Opens own files and projects to all members, or takes them back',
    params: Eid,
    body: ContentChange,
    answer: ContentChanged,
    handler: ({ actor, params, body }) => content.open(actor.userId, params.eid, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/content/reassign`,
    access: 'session',
    summary: 'Content of a member goes to another, with a reason that the member is told; by an admin',
    params: Eid,
    body: ReassignBody,
    answer: Reassigned,
    handler: ({ actor, params, body }) => content.reassign(actor.userId, params.eid, body),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/shares`,
    access: 'session',
    summary: 'Links outside that are open now: all for admins, own ones for members',
    params: Eid,
    query: PageQuery,
    answer: ShareList,
    handler: ({ actor, params, query }) => content.shares(actor.userId, params.eid, query),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:eid/shares/:code`,
    access: 'session',
    summary: 'Ends a link outside',
    params: ShareCode,
    handler: ({ actor, params }) => content.endShare(actor.userId, params.eid, params.code),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/copies`,
    access: 'session',
    summary: 'Copies the person made between the own space and enterprises, newest first',
    query: PageQuery,
    answer: CopyList,
    handler: ({ actor, query }) => copies.mine(actor.userId, query),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/copies`,
    access: 'session',
    summary:
      'Copies files, projects, reports into the enterprise, or (where its settings allow it) into the personal space',
    params: Eid,
    body: CopyBody,
    answer: Copied,
    limit: 'write',
    handler: ({ actor, params, body }) => {
      refuseDemo(actor);
      return copies.make(actor, params.eid, body);
    },
  });
}
