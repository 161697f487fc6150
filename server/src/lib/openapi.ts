/** /openapi.json: every route, with the right to call it. Written from the statements of the routes themselves. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** An address among those that one route with a star answers. */
export interface DocumentedCall {
  url: string;
  /** What the address stands for; written before what the route does. */
  title: string;
  tag: string;
}

/** A route with a star, as it is written in the document, and the addresses it answers. */
interface StarRoute {
  url: string;
  members: DocumentedCall[];
}

/** Must be registered before the routes. */
export async function installOpenapi(app: FastifyInstance, star: StarRoute): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Hengxi',
        version: '1',
        description:
          'Answers are {status_code: 1, data} or {status_code: 0, err_code, msg}; refused business rules are HTTP 200.',
      },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    hideUntagged: false,
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      const access = input.route.config?.access;
      const security = access === 'session' ? { security: [{ session: [] }] } : {};
      return { schema: { ...schema, ...security, 'x-access': access }, url };
    },
  });
  app.get('/openapi.json', { config: { access: 'visitor' }, schema: { hide: true } }, async () => {
    const document: unknown = app.swagger();
    return withMembers(document as Document, star);
  });
}

type Json = Record<string, unknown>;
interface Document {
  paths: Record<string, Record<string, Json>>;
  components: Json;
}

/** Each address by itself; what all have in common is written once and referred to, so that hundreds stay small. */
function withMembers(document: Document, { url, members }: StarRoute): Document {
  const operations = Object.entries(document.paths[url] ?? {});
  const common: Record<string, Json> = { parameters: {}, requestBodies: {}, responses: {} };
  const refer = (kind: string, name: string, value: unknown): Json => {
    common[kind] = { ...common[kind], [name]: value };
    return { $ref: `#/components/${kind}/${name}` };
  };
  const shared = operations.map(([method, { summary, parameters, requestBody, responses, ...rest }]) => {
    const named = (parameters as { in: string; name: string }[]).filter((parameter) => parameter.in !== 'path');
    const operation = {
      ...rest,
      ...(requestBody ? { requestBody: refer('requestBodies', `method_${method}`, requestBody) } : {}),
      ...(named.length > 0 ? { parameters: named.map((one) => refer('parameters', `method_${one.name}`, one)) } : {}),
      responses: { 200: refer('responses', `method_${method}`, (responses as Json)[200]) },
    };
    return { method, does: String(summary).replace(/^./, (first) => first.toLowerCase()), operation };
  });
  const paths = members.map(({ url: address, title, tag }) => [
    address,
    Object.fromEntries(
      shared.map(({ method, does, operation }) => [
        method,
        { ...operation, summary: `${title}: ${does}`, tags: [tag] },
      ]),
    ),
  ]);
  return {
    ...document,
    paths: { ...document.paths, ...Object.fromEntries(paths) },
    components: { ...document.components, ...common },
  };
}
