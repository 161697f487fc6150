/** Puts the application together: platform first, then one line per feature. */
import cookie from '@fastify/cookie';
import Fastify, { LogController } from 'fastify';
import { z } from 'zod';
import { accountsRoutes } from './features/accounts/routes.ts';
import { createPeople, findUser, tell } from './features/accounts/service.ts';
import type { People } from './features/accounts/service.ts';
import { createAuthenticate } from './features/accounts/sessions.ts';
import { aiRoutes } from './features/ai/routes.ts';
import { createAiReadings } from './features/ai/service.ts';
import type { AiReadings } from './features/ai/service.ts';
import { answerCodingRoutes } from './features/answer-coding/routes.ts';
import { createAnswerCodings } from './features/answer-coding/service.ts';
import { readMethods } from './features/analysis/methods.ts';
import type { Methods } from './features/analysis/methods.ts';
import { analysisRoutes } from './features/analysis/routes.ts';
import { createAnalysis } from './features/analysis/service.ts';
import { codingRoutes } from './features/coding/routes.ts';
import { cooperationRoutes } from './features/cooperation/routes.ts';
import { createCooperation } from './features/cooperation/service.ts';
import type { Cooperation } from './features/cooperation/service.ts';
import { judgeRoutes } from './features/contest/judge-routes.ts';
import { contestRoutes } from './features/contest/routes.ts';
import { createContests } from './features/contest/service.ts';
import type { Contests } from './features/contest/service.ts';
import type { Archiver, Enterprises } from './features/enterprise/service.ts';
import { questionnaireRoutes } from './features/expert-questionnaires/routes.ts';
import { createQuestionnaires } from './features/expert-questionnaires/service.ts';
import { exportsRoutes } from './features/exports/routes.ts';
import { createExports } from './features/exports/service.ts';
import type { Exports } from './features/exports/service.ts';
import { feedbackRoutes } from './features/feedback/routes.ts';
import { visitorFeedbackRoutes } from './features/feedback/visitor-routes.ts';
import { createFeedbacks } from './features/feedback/service.ts';
import type { Feedbacks } from './features/feedback/service.ts';
import { filesRoutes } from './features/files/routes.ts';
import { createFiles } from './features/files/service.ts';
import type { Files } from './features/files/service.ts';
import { npsRoutes } from './features/nps/routes.ts';
import { createNps } from './features/nps/service.ts';
import type { Nps } from './features/nps/service.ts';
import { helpRoutes } from './features/help/routes.ts';
import { helpFeedbackRoutes } from './features/help-feedback/routes.ts';
import { createHelpFeedback } from './features/help-feedback/service.ts';
import type { HelpFeedback } from './features/help-feedback/service.ts';
import { createHelp } from './features/help/service.ts';
import { helpChatRoutes } from './features/help-chat/routes.ts';
import { createHelpChat } from './features/help-chat/service.ts';
import { createMeSources, meRoutes } from './features/me/routes.ts';
import type { Ops } from './features/ops/service.ts';
import { privacyRoutes } from './features/privacy/routes.ts';
import { plagdetRoutes } from './features/plagdet/routes.ts';
import { createPlagdet } from './features/plagdet/service.ts';
import type { Plagdet } from './features/plagdet/service.ts';
import { createPrivacy } from './features/privacy/service.ts';
import type { Privacy } from './features/privacy/service.ts';
import { controlLimitsRoutes } from './features/control-limits/routes.ts';
import { createControlLimits } from './features/control-limits/service.ts';
import { modelsRoutes } from './features/models/routes.ts';
import { createModels } from './features/models/service.ts';
import type { Models } from './features/models/service.ts';
import { projectsRoutes } from './features/projects/routes.ts';
import { createProjects } from './features/projects/service.ts';
import { reportExportsRoutes } from './features/report-exports/routes.ts';
import { createReportExports } from './features/report-exports/service.ts';
import { reportsRoutes } from './features/reports/routes.ts';
import { createReports } from './features/reports/service.ts';
import type { Reports } from './features/reports/service.ts';
import { createDownloads } from './features/runs/downloads.ts';
import type { Downloads } from './features/runs/downloads.ts';
import { runsRoutes } from './features/runs/routes.ts';
import { createRuns } from './features/runs/service.ts';
import type { Runs } from './features/runs/service.ts';
import { recipesRoutes } from './features/recipes/routes.ts';
import { createRecipes } from './features/recipes/service.ts';
import type { Recipes } from './features/recipes/service.ts';
import { surveyReportsRoutes } from './features/survey-reports/routes.ts';
import { createSurveyReports } from './features/survey-reports/service.ts';
import { textAnalysisRoutes } from './features/text-analysis/routes.ts';
import { createTextAnalysis } from './features/text-analysis/service.ts';
import { signinRoutes } from './features/signin/routes.ts';
import { yearEndRoutes } from './features/year-end/routes.ts';
import { createYearEnd } from './features/year-end/service.ts';
import type { YearEnd } from './features/year-end/service.ts';
import { stepsRoutes } from './features/steps/routes.ts';
import { createSteps } from './features/steps/service.ts';
import { installCompression } from './lib/compression.ts';
import { installCspReport } from './lib/csp-report.ts';
import type { App, Deps } from './lib/deps.ts';
import { answerError } from './lib/errors.ts';
import { installGuard } from './lib/guard.ts';
import { installHeaders } from './lib/headers.ts';
import { installHealth } from './lib/health.ts';
import type { Readiness } from './lib/health.ts';
import { installIdempotency } from './lib/idempotency.ts';
import { validationMessage } from './lib/validation-messages.ts';
import { compileValidator, installInput } from './lib/input.ts';
import { answerText } from './lib/json-text.ts';
import { installLimits } from './lib/limits.ts';
import { installRequestLog, requestId } from './lib/log.ts';
import { installOpenapi } from './lib/openapi.ts';
import type { DocumentedCall } from './lib/openapi.ts';
import { collectRoutes, installPages } from './lib/pages.ts';
import { createSitePages, siteRoutes } from './composition/site-pages.ts';
import { createDesk } from './composition/operator-desk.ts';
import { createMoney, exportMoney, printerOf } from './composition/money/money.ts';
import type { Money } from './composition/money/money.ts';
import { connectPersonal } from './composition/personal/personal-data.ts';
import { countYear } from './composition/personal/year-of-work.ts';
import { archivesOf, createTenantArchive } from './composition/enterprises/archive.ts';
import type { Keepers } from './composition/enterprises/copies.ts';
import { createTenancy, leavingOf, sharingOf, workOf } from './composition/enterprises/tenancy.ts';

export interface Application {
  aiReadings: AiReadings;
  app: App;
  contests: Contests;
  cooperation: Cooperation;
  enterprises: Enterprises;
  exports: Exports;
  feedbacks: Feedbacks;
  helpFeedback: HelpFeedback;
  files: Files;
  models: Models;
  money: Money;
  nps: Nps;
  ops: Ops;
  people: People;
  plagdet: Plagdet;
  privacy: Privacy;
  recipes: Recipes;
  reports: Reports;
  runs: Runs;
  downloads: Downloads;
  readiness: Readiness;
  yearEnd: YearEnd;
}

const BODY_LIMIT = 1024 * 1024;

export async function createApp(deps: Deps): Promise<Application> {
  z.config({ localeError: validationMessage });
  const app: App = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: BODY_LIMIT,
    trustProxy: deps.config.trustProxy.length > 0 ? deps.config.trustProxy : false,
    // A chunk of 8 MiB over a slow line; handlers have budgets of their own.
    requestTimeout: 130_000,
    // Node looks for late callers every thirty seconds only, which would be added to what they may take.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  });
  app.setValidatorCompiler(compileValidator);
  // Answers are ours and typed; checking them again on the way out would only cost time.
  // Bytes are sent as they are, which the framework's types do not say.
  app.setSerializerCompiler(() => answerText as (answer: unknown) => string);
  app.setErrorHandler(answerError);
  const readiness: Readiness = { isStopping: false };

  collectRoutes(app);
  const methods = await readMethods(deps.config.root);
  await installOpenapi(app, { url: '/algorithm/{*}', members: membersOf(methods) });
  await app.register(cookie);
  installHeaders(app, deps.config);
  installRequestLog(app, deps.metrics);
  installInput(app);
  const authenticate = createAuthenticate(deps);
  // Enterprises come later than the guard that asks them.
  let enterprises: Enterprises | null = null;
  const tenants = (): Enterprises => {
    if (!enterprises) throw new Error('Enterprises are asked before they are put together');
    return enterprises;
  };
  installGuard(app, authenticate, workOf(tenants, deps.db));
  installLimits(app, deps.limiter, deps.metrics);
  installIdempotency(app, deps);
  // After all that reads what is answered.
  installCompression(app);
  installHealth(app, deps, readiness);
  await installCspReport(app);

  const runs = createRuns(deps);
  app.addHook('onClose', async () => runs.forget());
  const downloads = createDownloads(deps);
  runsRoutes(app, { runs, downloads, authenticate });
  const people = createPeople();
  accountsRoutes(app, { ...deps, people });
  await signinRoutes(app, { ...deps, people });
  const sources = createMeSources();
  const money = await createMoney(app, deps, {
    authenticate,
    method: (path) => methods.summaries.find((method) => method.path === path) ?? null,
    hasLockedMethods: () => methods.summaries.some(({ tier }) => tier === 'member'),
    people,
    sources,
    downloads,
  });
  people.removers.push((tx, userId) => money.centre.forget(tx, userId));
  let models: Models | null = null;
  let keepers: Keepers | null = null;
  let archiver: Archiver | null = null;
  enterprises = createTenancy(app, deps, {
    money,
    people,
    runs,
    authenticate,
    models: () => {
      if (!models) throw new Error('Models are asked before they are put together');
      return models;
    },
    keepers: () => {
      if (!keepers) throw new Error('Content is asked for before it is put together');
      return keepers;
    },
    archiver: () => {
      if (!archiver) throw new Error('An archive is asked for before it can be made');
      return archiver;
    },
  });
  meRoutes(app, { ...deps, people, sources });
  const help = createHelp(deps.config.root, methods.summaries, methods.find);
  helpRoutes(app, help);
  helpChatRoutes(app, { chat: createHelpChat({ ...deps, texts: help.texts }) });
  const files = createFiles({ ...deps, runs, membership: money.membership });
  filesRoutes(app, { ...deps, files });
  const codings = createAnswerCodings({ ...deps, files, runs });
  answerCodingRoutes(app, { codings });
  people.removers.push((tx, userId) => codings.forget(tx, userId));
  const questionnaires = createQuestionnaires({ ...deps, files, membership: money.membership });
  questionnaireRoutes(app, { questionnaires });
  const exports = createExports({ ...deps, files, runs });
  exportsRoutes(app, { exports });
  const handedOut = { archive: exports.download, other: leavingOf(tenants, deps.db, exports.download) };
  downloads.register('run', archivesOf({ runs, enterprises: tenants, db: deps.db }, handedOut));
  const projects = createProjects(deps);
  projectsRoutes(app, { projects });
  const reports = createReports({ ...deps, files, projects, sharing: sharingOf(tenants, deps.db) });
  reportsRoutes(app, { reports, log: deps.log });
  reportExportsRoutes(app, { reportExports: createReportExports({ ...deps, projects, reports, exports, runs }) });
  const aiReadings = createAiReadings({ ...deps, points: money.points, reports, runs });
  aiRoutes(app, { readings: aiReadings });
  const savedModels = createModels({ ...deps, files });
  const texts = createTextAnalysis({ ...deps, runs });
  textAnalysisRoutes(app, { texts });
  const steps = createSteps({
    ...deps,
    files,
    runs,
    membership: money.membership,
    models: savedModels,
    texts,
    method: methods.find,
  });
  stepsRoutes(app, { steps });
  const recipes = createRecipes({ ...deps, steps });
  recipesRoutes(app, { recipes });
  const plagdet = createPlagdet({
    ...deps,
    runs,
    points: money.points,
    membership: money.membership,
    print: printerOf(deps.config),
  });
  plagdetRoutes(app, { plagdet });
  const limits = createControlLimits({ db: deps.db, method: methods.known, report: reports.read });
  controlLimitsRoutes(app, { limits });
  codingRoutes(app, deps);
  models = savedModels;
  modelsRoutes(app, { models: savedModels, log: deps.log });
  people.holds.push((db, userId) => savedModels.holds(db, { kind: 'user', id: userId }));
  people.removers.push((tx, userId) => savedModels.removeAll(tx, { kind: 'user', id: userId }));
  const analysis = createAnalysis({
    ...deps,
    methods,
    files,
    projects,
    reports,
    runs,
    steps,
    models: savedModels,
    limits,
    texts,
    usage: money.membership.usage,
    unlocks: money.membership.unlocks,
    analysed: money.campaigns.friends.analysed,
  });
  keepers = { analysis, files, projects, reports };
  analysisRoutes(app, { analysis, methods, limiter: deps.limiter });
  const surveyReports = createSurveyReports({ ...deps, analysis, methods, files, projects, reports, runs });
  surveyReportsRoutes(app, { surveyReports });
  archiver = createTenantArchive({ db: deps.db, enterprises, exports, files, plagdet, recipes, runs, surveyReports });

  const privacy = createPrivacy(deps);
  privacyRoutes(app, { privacy });
  downloads.register('account', privacy.download);
  privacy.include((owner) => exportMoney(money, owner));
  connectPersonal({ db: deps.db, files, people, privacy, recipes, runs, surveyReports });

  privacy.include(aiReadings.belongings);
  people.removers.push((tx, userId) => aiReadings.forget(tx, userId));

  privacy.include(plagdet.belongings);
  people.removers.push((tx, userId) => plagdet.forget(tx, userId));
  people.holds.push(plagdet.holds);

  const feedbacks = createFeedbacks(deps);
  feedbackRoutes(app, { feedbacks });
  visitorFeedbackRoutes(app, { ...deps, feedbacks });
  privacy.include(feedbacks.belongings);
  people.removers.push((tx, userId) => feedbacks.forget(tx, userId));

  const cooperation = createCooperation(deps);
  cooperationRoutes(app, { ...deps, cooperation });

  const helpFeedback = createHelpFeedback({
    db: deps.db,
    // `search`: what was looked for in the help centre and not found.
    isPage: (slug) => slug === 'search' || methods.summaries.some((method) => method.slug === slug),
  });
  helpFeedbackRoutes(app, { ...deps, helpFeedback });

  const contests = createContests({
    ...deps,
    credits: money.centre.credits,
    membership: money.membership,
    print: printerOf(deps.config),
    tell: async (tx, userId, key, text) => tell(tx, key, (await findUser(tx, userId))?.phoneSealed ?? null, text),
  });
  await contests.prepare();
  contestRoutes(app, { contests, authenticate });
  judgeRoutes(app, { contests });
  privacy.include(contests.belongings);
  people.removers.push((tx, userId) => contests.forget(tx, userId));

  const nps = createNps({
    ...deps,
    workOf: ({ owner, userId }) => runs.workOf(owner, userId, 'analysis'),
    createdAt: async (userId) => (await findUser(deps.db, userId))?.createdAt ?? null,
    editionOf: (owner) => money.membership.editions.editionOf(deps.db, owner),
  });
  npsRoutes(app, { nps });
  privacy.include(nps.belongings);
  people.removers.push((tx, userId) => nps.forget(tx, userId));

  const yearEnd = createYearEnd({
    ...deps,
    countOf: (userId, from, to) => countYear(deps.db, userId, from, to),
    titleOf: (path) => methods.summaries.find((method) => method.path === path)?.title ?? null,
  });
  yearEndRoutes(app, { yearEnd });
  privacy.include(yearEnd.belongings);
  people.removers.push((tx, userId) => yearEnd.forget(tx, userId));

  const ops = createDesk(app, deps, {
    money,
    runs,
    reports,
    enterprises,
    contests,
    cooperation,
    feedbacks,
    files,
    helpFeedback,
    nps,
    yearEnd,
  });
  const site = createSitePages(deps, { money, methods: methods.summaries });
  siteRoutes(app, site);
  await installPages(app, deps.config.web, site);
  return {
    aiReadings,
    app,
    contests,
    cooperation,
    enterprises,
    exports,
    feedbacks,
    helpFeedback,
    files,
    models: savedModels,
    money,
    nps,
    ops,
    people,
    plagdet,
    privacy,
    recipes,
    reports,
    runs,
    downloads,
    readiness,
    yearEnd,
  };
}

/** Each method as a call of its own in the document of calls. */
const membersOf = ({ addresses }: Methods): DocumentedCall[] =>
  addresses.map(({ wire, title }) => ({ url: `/algorithm/${wire}`, title, tag: wire.split('/')[0] ?? 'site' }));
