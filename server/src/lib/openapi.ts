/** /openapi.json: every route, with the right to call it. Written from the statements of the routes themselves. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** Must be registered before the routes. */
export async function installOpenapi(app: FastifyInstance): Promise<void> {
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
  app.get('/openapi.json', { config: { access: 'visitor' }, schema: { hide: true } }, async () => app.swagger());
}
