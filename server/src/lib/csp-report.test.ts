import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../testing/build.ts';
import type { World } from '../testing/build.ts';
import { Limiter } from './limits.ts';

let world: World;
const lines: string[] = [];
beforeAll(async () => {
  world = await build({ logTo: lines, limiter: new Limiter(() => 0) });
});
afterAll(() => world.close());

const report = (type: string, body: unknown, remoteAddress = '10.1.0.1') =>
  world.app.inject({
    method: 'POST',
    url: '/v1/csp-report',
    headers: { 'content-type': type },
    remoteAddress,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

const told = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'csp_violation');

test('both kinds of reports become lines without queries, codes or samples', async () => {
  const old = {
    'csp-report': {
      'document-uri': 'https://a.example/s/secretcode?x=1',
      'violated-directive': "script-src 'self'",
      'blocked-uri': 'https://evil.example/steal?token=samplesecret',
      'source-file': 'https://a.example/assets/a.js',
      'line-number': 7,
      'script-sample': 'token=samplesecret',
    },
  };
  expect((await report('application/csp-report', old)).statusCode).toBe(204);
  const body = {
    documentURL: 'https://a.example/mydata/index?q=张三',
    effectiveDirective: 'img-src',
    blockedURL: 'data',
  };
  expect(
    (await report('application/reports+json', [{ type: 'csp-violation', body }, { type: 'other' }])).statusCode,
  ).toBe(204);
  expect(told().map(({ directive, page, blocked, source, line }) => [directive, page, blocked, source, line])).toEqual([
    ["script-src 'self'", '/s/…', 'https://evil.example', '/assets/a.js', 7],
    ['img-src', '/mydata/index', 'data', '', undefined],
  ]);
  expect(lines.join('\n')).not.toMatch(/secretcode|samplesecret|张三/);
});

test('nonsense, too much and too often are refused without a line', async () => {
  const before = told().length;
  expect((await report('application/csp-report', '{"a":', '10.2.0.1')).statusCode).toBe(400);
  expect((await report('application/csp-report', { 'csp-report': 7 }, '10.2.0.1')).statusCode).toBe(204);
  expect((await report('text/plain', 'x', '10.2.0.1')).statusCode).toBe(400);
  expect((await report('application/csp-report', `"${'x'.repeat(20_000)}"`, '10.2.0.1')).statusCode).toBe(413);
  expect(told().length).toBe(before);
  const answers = await Promise.all(Array.from({ length: 70 }, () => report('application/csp-report', {}, '10.3.0.1')));
  expect(answers.filter(({ statusCode }) => statusCode === 204).length).toBe(60);
  expect(answers.at(-1)?.statusCode).toBe(429);
});
