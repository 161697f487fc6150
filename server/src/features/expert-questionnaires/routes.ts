/** /v1/pro-analysis: expert questionnaires of an owner, and the answer page of whoever holds a link. */
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { networkOf } from '../../lib/limits.ts';
import { route } from '../../lib/route.ts';
import * as shape from './schema.ts';
import type { Questionnaires } from './service.ts';

const BASE = '/v1/pro-analysis/projects';
const ONE = `${BASE}/:pid`;
const ANSWER = '/v1/pro-analysis/answer/:quescode';

export function questionnaireRoutes(app: App, { questionnaires }: { questionnaires: Questionnaires }): void {
  app.addHook('onReady', async () => questionnaires.tidying.start());
  app.addHook('onClose', async () => questionnaires.tidying.stop());
  projectRoutes(app, questionnaires);
  roundRoutes(app, questionnaires);
  panelRoutes(app, questionnaires);
  answerRoutes(app, questionnaires);
}

function projectRoutes(app: App, { projects, datasets }: Questionnaires): void {
  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Own expert questionnaires, newest first; bin=1 lists the bin',
    query: shape.ListQuery,
    answer: shape.ProjectList,
    handler: ({ actor, query }) => projects.list(actor.owner, query.bin === '1'),
  });
  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary: 'A new questionnaire, as a draft',
    body: shape.NewProject,
    answer: shape.Project,
    handler: ({ actor, body }) => projects.make(actor.owner, body),
  });
  route(app, {
    method: 'GET',
    url: ONE,
    access: 'session',
    summary: 'One questionnaire with its rounds; results only of closed ones',
    params: shape.ProjectId,
    answer: shape.Project,
    handler: ({ actor, params }) => projects.read(actor.owner, params.pid),
  });
  route(app, {
    method: 'PUT',
    url: ONE,
    access: 'session',
    summary: 'Changes what is asked; after the first round as a new version with a reason',
    params: shape.ProjectId,
    body: shape.ProjectChange,
    answer: shape.Project,
    handler: ({ actor, params, body }) => projects.change(actor.owner, params.pid, body),
  });
  route(app, {
    method: 'DELETE',
    url: ONE,
    access: 'session',
    summary: 'Into the bin (30 days), its links end at once; forever=1 removes one from the bin with all answers',
    params: shape.ProjectId,
    query: shape.Forever,
    handler: async ({ actor, params, query }) => {
      refuseDemo(actor);
      if (query.forever === '1') await projects.removeForGood(actor.owner, params.pid);
      else await projects.remove(actor.owner, params.pid);
    },
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/restore`,
    access: 'session',
    summary: 'Takes a questionnaire out of the bin; its links work again',
    params: shape.ProjectId,
    answer: shape.Project,
    handler: ({ actor, params }) => projects.restore(actor.owner, params.pid),
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/copy`,
    access: 'session',
    summary: 'The same questions as a new draft, without experts and answers',
    params: shape.ProjectId,
    answer: shape.Project,
    handler: ({ actor, params }) => projects.copy(actor.owner, params.pid),
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/dataset`,
    access: 'session',
    summary: 'The answers of the closed rounds as a labelled version, and the form of their analysis',
    limit: 'upload',
    params: shape.ProjectId,
    answer: shape.Dataset,
    handler: ({ actor, params }) => datasets.make(actor, params.pid),
  });
}

function roundRoutes(app: App, { projects }: Questionnaires): void {
  route(app, {
    method: 'POST',
    url: `${ONE}/publish`,
    access: 'session',
    summary: 'Freezes the protocol and opens the first round; AHP is for members (20002)',
    params: shape.ProjectId,
    body: shape.PublishBody,
    answer: shape.Project,
    handler: ({ actor, params, body }) => {
      refuseDemo(actor);
      return projects.publish(actor.owner, params.pid, body.due_at);
    },
  });
  route(app, {
    method: 'PATCH',
    url: `${ONE}/round`,
    access: 'session',
    summary: 'Closes, extends or reopens the last round',
    params: shape.ProjectId,
    body: shape.RoundChange,
    answer: shape.Project,
    handler: ({ actor, params, body }) => projects.changeRound(actor.owner, params.pid, body),
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/rounds`,
    access: 'session',
    summary: 'Opens the next round of a Delphi with what was decided and said in the last one',
    params: shape.ProjectId,
    body: shape.NextRound,
    answer: shape.Project,
    handler: ({ actor, params, body }) => projects.next(actor.owner, params.pid, body),
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/finish`,
    access: 'session',
    summary: 'Ends a questionnaire, with what was decided on the items of the last round',
    params: shape.ProjectId,
    body: shape.FinishBody,
    answer: shape.Project,
    handler: ({ actor, params, body }) => projects.finish(actor.owner, params.pid, body),
  });
}

function panelRoutes(app: App, { panel }: Questionnaires): void {
  route(app, {
    method: 'GET',
    url: `${ONE}/experts`,
    access: 'session',
    summary: 'The panel with links and progress; never what was answered',
    params: shape.ProjectId,
    answer: shape.Experts,
    handler: ({ actor, params }) => panel.list(actor.owner, params.pid),
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/experts`,
    access: 'session',
    summary: 'Adds experts, each with a link',
    params: shape.ProjectId,
    body: shape.NewExperts,
    answer: shape.Experts,
    handler: ({ actor, params, body }) => panel.add(actor.owner, params.pid, body.names),
  });
  route(app, {
    method: 'DELETE',
    url: `${ONE}/experts/:eid`,
    access: 'session',
    summary: 'Removes an expert who has not answered',
    params: shape.ExpertId,
    handler: async ({ actor, params }) => panel.remove(actor.owner, params.pid, params.eid),
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/experts/:eid/link`,
    access: 'session',
    summary: 'Another link for an expert; the old one ends',
    params: shape.ExpertId,
    answer: shape.Experts,
    handler: ({ actor, params }) => panel.renew(actor.owner, params.pid, params.eid),
  });
  route(app, {
    method: 'POST',
    url: `${ONE}/reminders`,
    access: 'session',
    summary: 'Notes who has been reminded; each at most once a day',
    params: shape.ProjectId,
    body: shape.RemindBody,
    answer: shape.Experts,
    handler: ({ actor, params, body }) => panel.remind(actor.owner, params.pid, body.experts),
  });
  route(app, {
    method: 'PUT',
    url: `${ONE}/public-link`,
    access: 'session',
    summary: 'Opens or ends the link for everybody',
    params: shape.ProjectId,
    body: shape.PublicLink,
    answer: shape.Project,
    handler: ({ actor, params, body }) => panel.publicLink(actor.owner, params.pid, body.open),
  });
}

/** Many experts may sit behind one address: the class of chunks, and a limit of its own for each link. */
const limit = 'chunk' as const;

function answerRoutes(app: App, { answering }: Questionnaires): void {
  const params = shape.QuesCode;
  route(app, {
    method: 'GET',
    url: ANSWER,
    access: 'capability',
    limit,
    summary: 'What an expert is asked, and what they have answered so far',
    params,
    answer: shape.AnswerPage,
    handler: ({ params: { quescode }, request }) => answering.read(quescode, networkOf(request.ip)),
  });
  route(app, {
    method: 'POST',
    url: `${ANSWER}/join`,
    access: 'capability',
    limit: 'ticket',
    summary: 'From the link of everybody to a link of one’s own',
    params,
    answer: shape.Joined,
    handler: ({ params: { quescode }, request }) => answering.join(quescode, networkOf(request.ip)),
  });
  route(app, {
    method: 'PUT',
    url: `${ANSWER}/answers`,
    access: 'capability',
    limit,
    summary: 'Saves answers; an older revision changes nothing and is told',
    params,
    body: shape.AnswersBody,
    answer: shape.Saved,
    handler: ({ params: { quescode }, body, request }) => answering.save(quescode, networkOf(request.ip), body),
  });
  route(app, {
    method: 'POST',
    url: `${ANSWER}/submit`,
    access: 'capability',
    limit,
    summary: 'Hands the sheet in; answers may be changed until the round closes',
    params,
    answer: shape.Submitted,
    handler: ({ params: { quescode }, request }) => answering.submit(quescode, networkOf(request.ip)),
  });
  route(app, {
    method: 'POST',
    url: `${ANSWER}/withdraw`,
    access: 'capability',
    limit,
    summary: 'Leaves the study; answers of the open round are removed',
    params,
    handler: async ({ params: { quescode }, request }) => answering.withdraw(quescode, networkOf(request.ip)),
  });
}
