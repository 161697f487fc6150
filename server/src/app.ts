/** Puts the application together: platform first, then one line per feature. */
import cookie from '@fastify/cookie';
import Fastify, { LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { zhCN } from 'zod/locales';
import { accountsRoutes } from './features/accounts/routes.ts';
import { createAuthenticate } from './features/accounts/sessions.ts';
import { readMethods } from './features/analysis/methods.ts';
import { analysisRoutes } from './features/analysis/routes.ts';
import { createAnalysis } from './features/analysis/service.ts';
import { exportsRoutes } from './features/exports/routes.ts';
import { createExports } from './features/exports/service.ts';
import type { Exports } from './features/exports/service.ts';
import { filesRoutes } from './features/files/routes.ts';
import { createFiles } from './features/files/service.ts';
import type { Files } from './features/files/service.ts';
import { helpRoutes } from './features/help/routes.ts';
import { meRoutes } from './features/me/routes.ts';
import { projectsRoutes } from './features/projects/routes.ts';
import { createProjects } from './features/projects/service.ts';
import { reportsRoutes } from './features/reports/routes.ts';
import { createReports } from './features/reports/service.ts';
import type { Reports } from './features/reports/service.ts';
import { createDownloads } from './features/runs/downloads.ts';
import type { Downloads } from './features/runs/downloads.ts';
import { runsRoutes } from './features/runs/routes.ts';
import { createRuns } from './features/runs/service.ts';
import type { Runs } from './features/runs/service.ts';
import { stepsRoutes } from './features/steps/routes.ts';
import { createSteps } from './features/steps/service.ts';
import type { App, Deps } from './lib/deps.ts';
import { answerError } from './lib/errors.ts';
import { installGuard } from './lib/guard.ts';
import { installHeaders } from './lib/headers.ts';
import { installHealth } from './lib/health.ts';
import type { Readiness } from './lib/health.ts';
import { installIdempotency } from './lib/idempotency.ts';
import { installInput } from './lib/input.ts';
import { installLimits } from './lib/limits.ts';
import { installRequestLog, requestId } from './lib/log.ts';
import { installOpenapi } from './lib/openapi.ts';
import { collectRoutes, installPages } from './lib/pages.ts';

export interface Application {
  app: App;
  exports: Exports;
  files: Files;
  reports: Reports;
  runs: Runs;
  downloads: Downloads;
  readiness: Readiness;
}

const BODY_LIMIT = 1024 * 1024;

export async function createApp(deps: Deps): Promise<Application> {
  z.config(zhCN());
  const app: App = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: BODY_LIMIT,
    trustProxy: deps.config.trustProxy.length > 0 ? deps.config.trustProxy : false,
    // A chunk of 8 MiB over a slow line; handlers have budgets of their own.
    requestTimeout: 130_000,
    http: { headersTimeout: 10_000 },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  });
  app.setValidatorCompiler(validatorCompiler);
  // Answers are ours and typed; checking them again on the way out would only cost time.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(answerError);
  const readiness: Readiness = { isStopping: false };

  collectRoutes(app);
  await installOpenapi(app);
  await app.register(cookie);
  installHeaders(app, deps.config);
  installRequestLog(app, deps.metrics);
  installInput(app);
  const authenticate = createAuthenticate(deps);
  installGuard(app, authenticate);
  installLimits(app, deps.limiter, deps.metrics);
  installIdempotency(app, deps);
  installHealth(app, deps, readiness);

  const runs = createRuns(deps);
  const downloads = createDownloads(deps);
  runsRoutes(app, { runs, downloads, authenticate });
  accountsRoutes(app, deps);
  meRoutes(app, deps);
  await helpRoutes(app, deps);
  const files = createFiles({ ...deps, runs });
  filesRoutes(app, { files });
  const exports = createExports({ ...deps, files, runs });
  exportsRoutes(app, { exports });
  downloads.register('run', exports.download);
  const projects = createProjects(deps);
  projectsRoutes(app, { projects });
  const reports = createReports({ ...deps, files, projects });
  reportsRoutes(app, { reports, log: deps.log });
  const methods = await readMethods(deps.config.root);
  const steps = createSteps({ ...deps, files, runs, method: methods.find });
  stepsRoutes(app, { steps });
  const analysis = createAnalysis({ ...deps, methods, files, projects, reports, runs, steps });
  analysisRoutes(app, { analysis, methods, limiter: deps.limiter });

  await installPages(app, deps.config.web);
  return { app, exports, files, reports, runs, downloads, readiness };
}
