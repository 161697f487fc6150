/** /v1/plagdet: checks of texts, their reports, and the library they are compared with. */
import type { App } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import {
  Adding,
  Check,
  CheckQuery,
  Checks,
  Claims,
  DocumentQuery,
  Excerpt,
  ExportQuery,
  Keep,
  LibraryDocument,
  LibraryDocuments,
  PassageId,
  PLAGDET,
  PlagdetId,
  PlagdetPage,
  Report,
  Scope,
} from './schema.ts';
import type { Plagdet } from './service.ts';

const AT = '/v1/plagdet';
const ROOM = 1024;
const notBytes = (): Fault => new Fault(30090, { detail: '文件应以 application/octet-stream 发送' });
const halved = (): Fault => new Fault(30090, { detail: '两份互相比时，other 和 split 要一起给' });

export function plagdetRoutes(app: App, { plagdet }: { plagdet: Plagdet }): void {
  checkRoutes(app, plagdet);
  reportRoutes(app, plagdet);
  libraryRoutes(app, plagdet);
}

function checkRoutes(app: App, plagdet: Plagdet): void {
  route(app, {
    method: 'GET',
    url: `${AT}/scope`,
    access: 'session',
    summary: 'What a text would be compared with now, and what a check may be and costs',
    answer: Scope,
    handler: ({ actor }) => plagdet.scope(actor),
  });

  bytesRoute(app, {
    method: 'POST',
    url: `${AT}/checks`,
    access: 'session',
    limit: 'upload',
    summary:
      'Compares a file (docx, pdf, txt; octet-stream, at most 20 MB) with the own library; with `other` and `split` two files, one after the other in the body, with each other',
    query: CheckQuery,
    answer: Check,
    bodyLimit: 2 * PLAGDET.bytes + ROOM,
    otherwise: notBytes,
    handler: async ({ actor, query, bytes }) => {
      const { name, other, split, pay } = query;
      if ((other === undefined) !== (split === undefined)) throw halved();
      if (other === undefined || split === undefined) return plagdet.start(actor, { name, bytes }, null, pay === '1');
      const [first, second] = [bytes.subarray(0, split), bytes.subarray(split)];
      return plagdet.start(actor, { name, bytes: first }, { name: other, bytes: second }, pay === '1');
    },
  });

  route(app, {
    method: 'GET',
    url: `${AT}/checks`,
    access: 'session',
    summary: 'Own checks that are still kept, the newest first',
    query: PlagdetPage,
    answer: Checks,
    handler: ({ actor, query }) => plagdet.checks(actor.owner, query),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/checks/:id`,
    access: 'session',
    limit: 'poll',
    summary: 'A check; its progress is that of its run',
    params: PlagdetId,
    answer: Check,
    handler: ({ actor, params }) => plagdet.check(actor.owner, params.id),
  });

  route(app, {
    method: 'DELETE',
    url: `${AT}/checks/:id`,
    access: 'session',
    summary: 'Deletes a check with its text and report; one under way is cancelled',
    params: PlagdetId,
    handler: ({ actor, params }) => plagdet.remove(actor, params.id),
  });
}

function reportRoutes(app: App, plagdet: Plagdet): void {
  route(app, {
    method: 'GET',
    url: `${AT}/checks/:id/report`,
    access: 'session',
    summary: 'The text with its marks, sources and figures, as the library is now',
    params: PlagdetId,
    answer: Report,
    handler: ({ actor, params }) => plagdet.read(actor.owner, params.id),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/checks/:id/passages/:no`,
    access: 'session',
    summary: 'A marked passage in its source, with at most 100 characters on either side',
    params: PassageId,
    answer: Excerpt,
    handler: ({ actor, params }) => plagdet.excerpt(actor.owner, params.id, params.no),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/checks/:id/exclusions`,
    access: 'session',
    summary: 'Which passages are quotations, which sources own works, which parts count after all; counted anew, free',
    params: PlagdetId,
    body: Claims,
    answer: Report,
    handler: ({ actor, params, body }) => plagdet.claim(actor, params.id, body),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/checks/:id/library`,
    access: 'session',
    summary: 'Adds the text of a check to the own library, by consent',
    params: PlagdetId,
    body: Keep,
    answer: Adding,
    handler: ({ actor, params }) => plagdet.keep(actor, params.id),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/checks/:id/export`,
    access: 'session',
    limit: 'export',
    summary: 'The report as html or pdf',
    params: PlagdetId,
    query: ExportQuery,
    handler: async ({ actor, params, query, reply }) => {
      const { name, type, bytes } = await plagdet.export(actor.owner, params.id, query.format);
      return reply
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
        .header('cache-control', 'private, no-store')
        .type(type)
        .send(Buffer.from(bytes));
    },
  });
}

function libraryRoutes(app: App, plagdet: Plagdet): void {
  route(app, {
    method: 'GET',
    url: `${AT}/documents`,
    access: 'session',
    summary: 'Documents of the own library, the newest first',
    query: PlagdetPage,
    answer: LibraryDocuments,
    handler: ({ actor, query }) => plagdet.documents(actor.owner, query),
  });

  bytesRoute(app, {
    method: 'POST',
    url: `${AT}/documents`,
    access: 'session',
    limit: 'chunk',
    summary: 'A file for the own library (octet-stream); only with consent=1. It is read at the next indexing',
    query: DocumentQuery,
    answer: LibraryDocument,
    bodyLimit: PLAGDET.bytes + ROOM,
    otherwise: notBytes,
    handler: ({ actor, query, bytes }) =>
      plagdet.addDocument(actor, { name: query.name, bytes }, query.consent === '1'),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/documents/index`,
    access: 'session',
    summary: 'Reads what was uploaded and adds it to the index; the run under way where there is one',
    answer: Adding,
    handler: ({ actor }) => plagdet.index(actor),
  });

  route(app, {
    method: 'DELETE',
    url: `${AT}/documents/:id`,
    access: 'session',
    summary: 'Takes a document out of the library at once; reports lose its passages',
    params: PlagdetId,
    handler: ({ actor, params }) => plagdet.removeDocument(actor, params.id),
  });
}
