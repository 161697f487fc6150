/** /v1/contest: the season, teams, works, results, appeals, certificates. Visitors read; only persons take part. */
import type { FastifyReply } from 'fastify';
import type { App } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import { refuseDemo } from '../../lib/guard.ts';
import type { Actor, Authenticate } from '../../lib/guard.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import {
  Appeal,
  AppealBody,
  AppealParams,
  CaptainBody,
  CertificateParams,
  CONTEST_LIMITS,
  ContestFile,
  ContestParams,
  ContestQuery,
  CurrentContest,
  FileParams,
  JoinBody,
  OwnResults,
  Problems,
  PublicResults,
  RegisterBody,
  Submission,
  SubmissionParams,
  Submissions,
  SubmitBody,
  TeamBody,
  UploadBody,
  UploadParams,
  UploadQuery,
  Verified,
  VerifyQuery,
  WorkParams,
  WorkUpload,
  nothing,
} from './schema.ts';
import type { Contests } from './service.ts';

const AT = '/v1/contest/:cid';

/** A file for saving under its name, never shown inside our pages. */
export const attach = (reply: FastifyReply, name: string, type: string): FastifyReply =>
  reply
    .type(type)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('x-content-type-options', 'nosniff');

/** Who takes part: a person, on the own account. */
export function contestant(actor: Actor): number {
  refuseDemo(actor);
  if (actor.owner.kind !== 'user') throw new Fault(31311);
  return actor.userId;
}

export function contestRoutes(app: App, given: { contests: Contests; authenticate: Authenticate }): void {
  const { contests, authenticate } = given;
  const { seasons, teams, works, outcome } = contests;
  const load = (cid: number) => contests.load(cid);

  route(app, {
    method: 'GET',
    url: '/v1/contest',
    access: 'visitor',
    summary: 'The season asked for or the newest: phase by the clock of the server, rules, prizes, notices, own team',
    query: ContestQuery,
    answer: CurrentContest,
    handler: async ({ request, query }) => {
      const actor = await authenticate(request);
      return contests.current(query.cid, actor?.owner.kind === 'user' ? actor.userId : null);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/contest/certificates/verify',
    access: 'visitor',
    limit: 'verify',
    summary: 'Whether a certificate is valid, whose (masked), and whether a file is the one that was handed out',
    query: VerifyQuery,
    answer: Verified,
    handler: async ({ query }) => outcome.verify(query.code, query.sha256),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/problems`,
    access: 'visitor',
    summary: 'Problems and the list of their files, once they are released',
    params: ContestParams,
    answer: Problems,
    handler: async ({ params }) => seasons.problems(await load(params.cid), await contests.clock()),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/files/:file`,
    access: 'visitor',
    summary: 'A file of the problems, once they are released',
    params: FileParams,
    answer: ContestFile,
    handler: async ({ params }) => seasons.file(await load(params.cid), params.file, await contests.clock()),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/results`,
    access: 'visitor',
    summary: 'Awards, once they are published',
    params: ContestParams,
    answer: PublicResults,
    handler: async ({ params }) => outcome.published(await load(params.cid)),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/register`,
    access: 'session',
    summary: 'Registers a person, or changes name and school, until registration ends',
    params: ContestParams,
    body: RegisterBody,
    handler: async ({ actor, params, body }) =>
      teams.register(await load(params.cid), contestant(actor), body, await contests.clock()),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/teams`,
    access: 'session',
    summary: 'Makes a team and leads it',
    params: ContestParams,
    body: TeamBody,
    handler: async ({ actor, params, body }) =>
      teams.make(await load(params.cid), contestant(actor), body, await contests.clock()),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/teams/join`,
    access: 'session',
    limit: 'claim',
    summary: 'Joins a team by its code',
    params: ContestParams,
    body: JoinBody,
    handler: async ({ actor, params, body }) =>
      teams.join(await load(params.cid), contestant(actor), body.code, await contests.clock()),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/teams/leave`,
    access: 'session',
    summary: 'Leaves the team; the next member leads it, and one without members ends',
    params: ContestParams,
    body: nothing,
    handler: async ({ actor, params }) =>
      teams.leave(await load(params.cid), contestant(actor), await contests.clock()),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/teams/captain`,
    access: 'session',
    summary: 'Hands the lead to another member',
    params: ContestParams,
    body: CaptainBody,
    handler: async ({ actor, params, body }) =>
      teams.setCaptain(await load(params.cid), contestant(actor), body.member, await contests.clock()),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/teams/remove`,
    access: 'session',
    summary: 'The captain takes a member out; the code changes',
    params: ContestParams,
    body: CaptainBody,
    handler: async ({ actor, params, body }) =>
      teams.remove(await load(params.cid), contestant(actor), body.member, await contests.clock()),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/uploads`,
    access: 'session',
    summary: 'Begins the upload of a report or of supporting material',
    params: ContestParams,
    body: UploadBody,
    answer: WorkUpload,
    handler: async ({ actor, params, body }) => works.start(await load(params.cid), contestant(actor), body),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/uploads/:upload`,
    access: 'session',
    summary: 'How far an upload of the team has come',
    params: UploadParams,
    answer: WorkUpload,
    handler: async ({ actor, params }) => works.read(await load(params.cid), contestant(actor), params.upload),
  });

  bytesRoute(app, {
    method: 'PUT',
    url: `${AT}/uploads/:upload`,
    access: 'session',
    limit: 'chunk',
    summary: 'Adds bytes at an offset; 409 tells the right offset. The last ones are judged by what the file is',
    params: UploadParams,
    query: UploadQuery,
    answer: WorkUpload,
    bodyLimit: CONTEST_LIMITS.chunk,
    otherwise: () => new Fault(30090, { detail: '分块应以 application/octet-stream 发送' }),
    handler: async ({ actor, params, query, bytes }) =>
      works.append(await load(params.cid), contestant(actor), params.upload, query.offset, bytes),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/submissions`,
    access: 'session',
    summary: 'Submits uploads, whole or still arriving; its arrival is held against the deadline',
    params: ContestParams,
    body: SubmitBody,
    answer: Submission,
    handler: async ({ actor, params, body, reply }) => {
      // When the call arrived, however long it waited for the database since.
      const at = new Date((await contests.clock()).getTime() - Math.floor(reply.elapsedTime));
      return works.submit(await load(params.cid), contestant(actor), body, at);
    },
  });

  route(app, {
    method: 'GET',
    url: `${AT}/submissions`,
    access: 'session',
    summary: "The team's submissions, newest first, and how many are left",
    params: ContestParams,
    answer: Submissions,
    handler: async ({ actor, params }) => works.list(await load(params.cid), contestant(actor)),
  });

  route(app, {
    method: 'DELETE',
    url: `${AT}/submissions/:no`,
    access: 'session',
    summary: 'Takes back a submission whose files are still arriving',
    params: SubmissionParams,
    handler: async ({ actor, params }) => works.withdraw(await load(params.cid), contestant(actor), params.no),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/submissions/:no/:kind`,
    access: 'session',
    summary: 'A file the team submitted',
    params: WorkParams,
    handler: async ({ actor, params, reply }) => {
      const file = await works.file(await load(params.cid), contestant(actor), params.no, params.kind);
      const type = params.kind === 'report' ? 'application/pdf' : 'application/zip';
      await attach(reply, file.name, type).header('content-length', file.size).send(file.open());
    },
  });

  route(app, {
    method: 'GET',
    url: `${AT}/own`,
    access: 'session',
    summary: 'Own score sheet, appeals, certificates and prize',
    params: ContestParams,
    answer: OwnResults,
    handler: async ({ actor, params }) => outcome.own(await load(params.cid), contestant(actor)),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/appeals`,
    access: 'session',
    summary: 'Appeals, within five days of the publication; one at a time',
    params: ContestParams,
    body: AppealBody,
    answer: Appeal,
    handler: async ({ actor, params, body }) => outcome.appeal(await load(params.cid), contestant(actor), body),
  });

  route(app, {
    method: 'DELETE',
    url: `${AT}/appeals/:appeal`,
    access: 'session',
    summary: 'Takes an appeal back that was not answered yet',
    params: AppealParams,
    handler: async ({ actor, params }) =>
      outcome.withdrawAppeal(await load(params.cid), contestant(actor), params.appeal),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/certificates/:certificate`,
    access: 'session',
    limit: 'export',
    summary: 'An own certificate as PDF',
    params: CertificateParams,
    handler: async ({ actor, params, reply }) => {
      const file = await outcome.certificate(await load(params.cid), contestant(actor), params.certificate);
      await attach(reply, file.name, 'application/pdf').send(file.bytes);
    },
  });
}
