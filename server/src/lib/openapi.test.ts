import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { installOpenapi } from './openapi.ts';
import { route } from './route.ts';

test('hundreds of addresses of one route are documented each, and take little more than their names', async () => {
  const members = Array.from({ length: 411 }, (_, number) => ({
    url: `/algorithm/statistical/method_of_a_long_name_${number}`,
    title: `Method of a long name ${number}`,
    tag: 'statistical',
  }));
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await installOpenapi(app, { url: '/algorithm/{*}', members });
  route(app, {
    method: 'POST',
    url: '/algorithm/*',
    access: 'session',
    summary: 'Runs a form',
    params: z.looseObject({ '*': z.string() }),
    query: z.object({ vid: z.coerce.number(), wait: z.coerce.number().optional() }),
    body: z.record(z.string(), z.unknown()),
    answer: z.object({ run_id: z.number() }),
    handler: async () => ({ run_id: 1 }),
  });
  const { body } = await app.inject('/openapi.json');
  const document = JSON.parse(body);
  const { post } = document.paths[members[7]!.url];
  expect(post).toMatchObject({
    summary: 'Method of a long name 7: runs a form',
    tags: ['statistical'],
    'x-access': 'session',
    security: [{ session: [] }],
    parameters: [{ $ref: '#/components/parameters/method_vid' }, { $ref: '#/components/parameters/method_wait' }],
    responses: { 200: { $ref: '#/components/responses/method_post' } },
  });
  expect(document.components.parameters.method_vid).toMatchObject({ in: 'query', name: 'vid', required: true });
  expect(JSON.stringify(document.components.responses.method_post)).toContain('run_id');
  expect(document.paths['/algorithm/{*}'].post.summary).toBe('Runs a form');
  expect(body.length / members.length).toBeLessThan(700);
  await app.close();
});
