// `npm run new:feature NAME`: one folder on the server with a route, its shape, its rule and a failing test; one in the web with its query.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

const name = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
  console.error('usage: npm run new:feature NAME   (kebab-case, a noun: orders, text-analysis)');
  process.exit(1);
}
const server = join(ROOT, 'server/src/features', name);
const web = join(ROOT, 'web/src/features', name);
if (existsSync(server) || existsSync(web)) {
  console.error(`the feature ${name} exists already`);
  process.exit(1);
}
const camel = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = camel[0].toUpperCase() + camel.slice(1);

const files = {
  [join(server, 'schema.ts')]: `import { z } from 'zod';

/** What GET /v1/${name} answers. */
export const ${pascal}Answer = z.object({ total: z.number().int() });
export type ${pascal}Answer = z.infer<typeof ${pascal}Answer>;
`,
  [join(server, 'service.ts')]: `/** The rules of ${name}; plain functions that take what they need. */
import type { ${pascal}Answer } from './schema.ts';

export function summary(total: number): ${pascal}Answer {
  return { total };
}
`,
  [join(server, 'routes.ts')]: `/** /v1/${name} */
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { ${pascal}Answer } from './schema.ts';
import { summary } from './service.ts';

export function ${camel}Routes(app: App): void {
  route(app, {
    method: 'GET',
    url: '/v1/${name}',
    access: 'session',
    summary: 'Say here what it answers',
    answer: ${pascal}Answer,
    handler: async () => summary(0),
  });
}
`,
  [join(server, `${name}.test.ts`)]: `import { expect, test } from 'vitest';
import { summary } from './service.ts';

test('${name}: say here what must hold', () => {
  expect(summary(1).total).toBe(0);
});
`,
  [join(web, 'queries.ts')]: `import type { ${pascal}Answer } from '@hengxi/server/${name}/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const ${camel}Query = queryOptions({ queryKey: ['${name}'], queryFn: () => api.get<${pascal}Answer>('/v1/${name}') });
`,
};
mkdirSync(server, { recursive: true });
mkdirSync(web, { recursive: true });
for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
console.log(`wrote server/src/features/${name} and web/src/features/${name}`);
console.log(`now: the line ${camel}Routes(app) in server/src/app.ts, a page and its line in web/src/routes.tsx, and the test that fails`);
