/** /v1/text-analysis/codings: 文本编码. Foreign and absent look the same. */
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import {
  AcceptBody,
  Acted,
  AnswerPage,
  AnswerQuery,
  BookBody,
  Coding,
  CodingId,
  CodingList,
  CodingQuery,
  CodingRun,
  CodingWritten,
  DraftBody,
  Marked,
  MarksBody,
  MergeBody,
  NewCoding,
  RoundBody,
  RoundId,
  RoundList,
  SecondBody,
  SecondCode,
  SecondCoding,
  WaitQuery,
} from './schema.ts';
import type { AnswerCodings } from './service.ts';

const BASE = '/v1/text-analysis/codings';
/** Two hundred codes with all their words. */
const BOOK_BYTES = 2 * 1024 * 1024;

export function answerCodingRoutes(app: App, { codings }: { codings: AnswerCodings }): void {
  thingRoutes(app, codings);
  workRoutes(app, codings);
  roundRoutes(app, codings);

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/suggest`,
    access: 'session',
    summary: 'Suggestions anew, by the words of the code book and by what is coded; people’s decisions stay',
    params: CodingId,
    query: WaitQuery,
    answer: CodingRun,
    handler: ({ actor, params, query }) => codings.suggest(actor, params.id, query.wait),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/draft`,
    access: 'session',
    summary: 'Drafts a first code book from words that go together; nothing is stored',
    params: CodingId,
    query: WaitQuery,
    body: DraftBody,
    answer: CodingRun,
    handler: ({ actor, params, query, body }) => codings.draft(actor, params.id, body.k, query.wait),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/write`,
    access: 'session',
    summary: 'Confirmed codes become a multiple-answer set of the next version of the data',
    params: CodingId,
    answer: CodingWritten,
    handler: ({ actor, params }) => codings.write(actor, params.id),
  });
}

function thingRoutes(app: App, codings: AnswerCodings): void {
  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Text codings, last changed first; of one file where it is named',
    query: CodingQuery,
    answer: CodingList,
    handler: ({ actor, query }) => codings.list(actor.owner, query.fid),
  });

  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary: 'Begins to code a text column: its different answers, each once',
    body: NewCoding,
    answer: Coding,
    handler: ({ actor, body }) => codings.add(actor, body),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'A text coding: code book, counts, progress',
    params: CodingId,
    answer: Coding,
    handler: ({ actor, params }) => codings.read(actor, params.id),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'Deletes a text coding; what was written into the data stays',
    params: CodingId,
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await codings.remove(actor.owner, params.id);
    },
  });

  route(app, {
    method: 'PUT',
    url: `${BASE}/:id/book`,
    access: 'session',
    summary: 'The code book as it shall be; refused where it was changed since it was read',
    bodyLimit: BOOK_BYTES,
    params: CodingId,
    body: BookBody,
    answer: Coding,
    handler: ({ actor, params, body }) => codings.editBook(actor, params.id, body),
  });
}

function workRoutes(app: App, codings: AnswerCodings): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:id/answers`,
    access: 'session',
    summary: 'A page of answers, searched, filtered and sorted as asked',
    limit: 'read',
    params: CodingId,
    query: AnswerQuery,
    answer: AnswerPage,
    handler: ({ actor, params, query }) => codings.answers(actor.owner, params.id, query),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/marks`,
    access: 'session',
    summary: 'Gives or takes codes of some answers; those somebody else has changed since stay and are told',
    limit: 'draft',
    params: CodingId,
    body: MarksBody,
    answer: Marked,
    handler: ({ actor, params, body }) => codings.mark(actor, params.id, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/accept`,
    access: 'session',
    summary: 'Takes all open suggestions from a probability on',
    params: CodingId,
    body: AcceptBody,
    answer: Acted,
    handler: ({ actor, params, body }) => codings.accept(actor, params.id, body.p),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/merge`,
    access: 'session',
    summary: 'Every mark of one code becomes one of another',
    params: CodingId,
    body: MergeBody,
    answer: Acted,
    handler: ({ actor, params, body }) => codings.merge(actor, params.id, body.from, body.into),
  });

  for (const act of ['undo', 'redo'] as const)
    route(app, {
      method: 'POST',
      url: `${BASE}/:id/${act}`,
      access: 'session',
      summary: `${act === 'undo' ? 'Undoes' : 'Redoes'} the last act of the signed-in person; answers others have changed since stay`,
      limit: 'draft',
      params: CodingId,
      answer: Acted,
      handler: ({ actor, params }) => codings[act](actor, params.id),
    });
}

const SECOND = '/v1/text-analysis/second-codings';

function roundRoutes(app: App, { rounds }: AnswerCodings): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:id/rounds`,
    access: 'session',
    summary: 'Rounds of double coding, with the agreement of those that have ended',
    params: CodingId,
    answer: RoundList,
    handler: ({ actor, params }) => rounds.list(actor, params.id),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/rounds`,
    access: 'session',
    summary: 'Draws a sample of coded answers for a second coder',
    params: CodingId,
    body: RoundBody,
    answer: RoundList,
    handler: ({ actor, params, body }) => rounds.start(actor, params.id, body.kind),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:id/rounds/:round`,
    access: 'session',
    summary: 'Deletes a round; its link no longer leads anywhere',
    params: RoundId,
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await rounds.remove(actor, params.id, params.round);
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:id/rounds/:round/settle`,
    access: 'session',
    summary: 'The codes both coders settle on become those of the answer',
    params: RoundId,
    body: SecondBody,
    answer: RoundList,
    handler: ({ actor, params, body }) => rounds.settle(actor, params.id, params.round, body),
  });

  route(app, {
    method: 'GET',
    url: `${SECOND}/:code`,
    access: 'session',
    summary: 'What a second coder sees: texts and code book; the first who opens an invitation is its coder',
    params: SecondCode,
    answer: SecondCoding,
    handler: ({ actor, params }) => rounds.read(actor, params.code),
  });

  route(app, {
    method: 'PUT',
    url: `${SECOND}/:code`,
    access: 'session',
    summary: 'The codes of one answer by the second coder',
    limit: 'draft',
    params: SecondCode,
    body: SecondBody,
    handler: ({ actor, params, body }) => rounds.code(actor, params.code, body),
  });

  route(app, {
    method: 'POST',
    url: `${SECOND}/:code/finish`,
    access: 'session',
    summary: 'Ends the round of a second coder, once every answer has a code',
    params: SecondCode,
    answer: SecondCoding,
    handler: ({ actor, params }) => rounds.finish(actor, params.code),
  });
}
