import { afterAll, beforeAll, expect, test } from 'vitest';
import { Limiter } from '../../lib/limits.ts';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { invite, makeEnterprise } from '../../testing/enterprises.ts';
import { call, makePerson } from '../../testing/makers.ts';

let world: World;
beforeAll(async () => {
  // Time stands still: whoever has to wait waits for good.
  world = await build({ limiter: new Limiter(() => 0) });
});
afterAll(() => world.close());

test('whoever guesses codes waits after twenty an hour; who holds a code still joins', async () => {
  const tenant = await makeEnterprise(world, '甲企业');
  const code = await invite(world, tenant);
  const guesser = await makePerson(world);
  const guess = async (): Promise<number> =>
    (await call(world, guesser, 'POST', '/v1/enterprise/invite/accept', { code: 'x'.repeat(22) })).body.err_code;
  const codes: number[] = [];
  for (let times = 0; times < 21; times += 1) codes.push(await guess());
  expect(codes).toEqual([...Array.from({ length: 20 }, () => 30302), 30001]);
  // Codes of transfers are counted with them.
  const other = await call(world, guesser, 'GET', '/v1/enterprise/transfer?code=abc');
  expect([other.status, other.body.err_code, Number(other.headers['retry-after'])]).toEqual([429, 30001, 3600]);
  const joined = await call(world, guesser, 'POST', '/v1/enterprise/invite/accept', { code });
  expect(joined.body.status_code).toBe(1);
});
