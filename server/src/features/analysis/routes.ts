/** /algorithm: one route for all methods (lib/openapi.ts documents each); and what stands beside the form. */
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { LIMITS } from '../../lib/limits.ts';
import type { Limiter } from '../../lib/limits.ts';
import { route } from '../../lib/route.ts';
import { ExampleBody, Imported } from '../files/schema.ts';
import { Form } from '../reports/schema.ts';
import { Stepped } from '../steps/schema.ts';
import type { Methods } from './methods.ts';
import {
  Draft,
  GenericBody,
  Limit,
  LimitQuery,
  LookAhead,
  MethodPage,
  MethodRow,
  MethodWords,
  RecommendBody,
  Recommendation,
  RunQuery,
  Selector,
  Started,
} from './schema.ts';
import type { Analysis } from './service.ts';

const FORM_LIMIT = 8 * 1024 * 1024;

interface Parts {
  analysis: Analysis;
  methods: Methods;
  limiter: Limiter;
}

export function analysisRoutes(app: App, parts: Parts): void {
  genericRoutes(app, parts);
  methodRoutes(app, parts);
  besideRoutes(app, parts);
}

/** The rest of an address after /algorithm/. */
const Rest = z.looseObject({ '*': z.string().max(300).optional() });

/** Any spelling of a path (`-` for `_`, a trailing slash); paths of no method are 404. */
function methodRoutes(app: App, parts: Parts): void {
  const url = '/algorithm/*';
  const find = (rest: string | undefined): Declaration => parts.methods.find(rest ?? '');
  route(app, {
    method: 'POST',
    url,
    access: 'session',
    summary: 'Runs the form of a method, judges it with draft=1, or looks ahead at what a step would do with ahead=…',
    limit: 'draft',
    bodyLimit: FORM_LIMIT,
    params: Rest,
    query: RunQuery,
    body: Form,
    answer: z.union([Started, Stepped, LookAhead, Draft]),
    handler: async ({ actor, params, query, body }) => run(parts, actor, find(params['*']), query, body),
  });
  route(app, {
    method: 'GET',
    url,
    access: 'visitor',
    summary: 'Declaration of a method, help links, oracle cases',
    params: Rest,
    answer: MethodPage,
    handler: async ({ params }) => parts.methods.page(find(params['*']).path),
  });
}

/** Drafts come with every keystroke, runs do not: each has its own limit. */
async function run(
  parts: Parts,
  actor: Actor,
  method: Declaration,
  query: z.output<typeof RunQuery>,
  body: Form,
): Promise<Started | Stepped | LookAhead | Draft> {
  if (query.ahead !== undefined) return parts.analysis.lookAhead(actor, method, { ...query, ahead: query.ahead }, body);
  if (query.draft === '1') return parts.analysis.draft(actor, method, query, body);
  const { user, seconds } = LIMITS.analysis;
  const wait = parts.limiter.take(`analysis user ${actor.userId}`, user, seconds);
  if (wait > 0) throw tooMany(wait);
  return parts.analysis.start(actor, method, query, body);
}

/** What algo_params may hold beside the form. */
const PLACE = ['vid', 'project_id', 'project_name', 'report_id', 'wait', 'draft', 'ahead'];

function genericRoutes(app: App, parts: Parts): void {
  route(app, {
    method: 'GET',
    url: '/algorithm/v2/list',
    access: 'visitor',
    summary: 'All methods',
    answer: z.array(MethodRow),
    handler: async () => parts.methods.rows,
  });

  route(app, {
    method: 'GET',
    url: '/algorithm/v2/words',
    access: 'visitor',
    summary: 'Titles of boxes, options and choices by method, for the search',
    answer: MethodWords,
    handler: async () => parts.methods.words,
  });

  route(app, {
    method: 'POST',
    url: '/algorithm/v2',
    access: 'session',
    summary:
      'Runs algo_code (or algo_id 126, 140) with algo_params as form; vid, project_id … stand in algo_params or in the query',
    limit: 'draft',
    bodyLimit: FORM_LIMIT,
    query: z.record(z.string(), z.string()),
    body: GenericBody,
    answer: z.union([Started, Stepped, LookAhead, Draft]),
    handler: async ({ actor, query, body }) => {
      const method = parts.methods.findCode(body.algo_code, body.algo_id);
      const entries = Object.entries(body.algo_params);
      const place = RunQuery.safeParse({
        ...query,
        ...Object.fromEntries(entries.filter(([key]) => PLACE.includes(key))),
      });
      if (!place.success) throw new Fault(30090, { detail: place.error.issues[0]?.path.join('.') ?? '' });
      const form = Object.fromEntries(entries.filter(([key]) => !PLACE.includes(key)));
      return run(parts, actor, method, place.data, form);
    },
  });
}

function besideRoutes(app: App, { analysis }: Parts): void {
  route(app, {
    method: 'POST',
    url: '/v1/analysis/recommend',
    access: 'session',
    summary: 'Methods that suit the chosen variables, best first, with the reason',
    limit: 'draft',
    body: RecommendBody,
    answer: z.array(Recommendation),
    handler: ({ actor, body }) => analysis.recommend(actor.owner, body.vid, body.columns),
  });

  route(app, {
    method: 'GET',
    url: '/v1/analysis/selectors',
    access: 'visitor',
    summary: 'Pages that lead to a method in two questions: their groups and methods',
    answer: z.array(Selector),
    handler: () => analysis.selectors(),
  });

  route(app, {
    method: 'GET',
    url: '/v1/usage_limit/algorithm/check',
    access: 'session',
    summary: 'Whether a method may be run now',
    query: LimitQuery,
    answer: Limit,
    handler: ({ actor, query }) => analysis.limit(actor.owner, query.algo, query.vid),
  });

  route(app, {
    method: 'POST',
    url: '/v1/user/file/example',
    access: 'session',
    summary: "Puts the example of a method among the person's files; the same one however often it is asked for",
    body: ExampleBody,
    answer: Imported,
    handler: ({ actor, body }) => analysis.example(actor, body.path),
  });
}
