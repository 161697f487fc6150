// `npm run new:feature NAME`: one folder on the server, one in the web, and the line in app.ts, with a first failing test.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const write = (file, text) => writeFileSync(file, text);

mkdirSync(server, { recursive: true });
mkdirSync(web, { recursive: true });
write(
  join(server, 'schema.ts'),
  `import { z } from 'zod';\n\n/** What GET /v1/${name} answers. */\nexport const ${camel}Answer = z.object({ total: z.number().int() });\nexport type ${pascal}Answer = z.infer<typeof ${camel}Answer>;\n`,
);
write(
  join(server, 'service.ts'),
  `import type { ${pascal}Answer } from './schema.ts';\n\n/** The rules of ${name}; plain functions that take what they need. */\nexport function summary(total: number): ${pascal}Answer {\n  return { total };\n}\n`,
);
write(
  join(server, `${name}.test.ts`),
  `import { expect, test } from 'vitest';\nimport { summary } from './service.ts';\n\ntest('${name}: say here what must hold', () => {\n  expect(summary(1).total).toBe(0);\n});\n`,
);
write(
  join(web, 'queries.ts'),
  `import type { ${pascal}Answer } from '@hengxi/server/${name}/schema';\nimport { get } from '../../lib/api.ts';\n\nexport const load${pascal} = (): Promise<${pascal}Answer> => get('/v1/${name}');\n`,
);
const app = join(ROOT, 'server/src/app.ts');
const routes = readFileSync(join(ROOT, 'server/src/features/me/routes.ts'), 'utf8');
console.log(`Made ${server} and ${web}.`);
console.log(`Next: routes.ts beside schema.ts (see features/me/routes.ts, ${routes.split('\n').length} lines), its line in ${app}, a page in web/src/routes.tsx.`);
