/** A certificate printed by the real browser: one file for good, its hash told to who checks it. */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { SIGNUP, makeTeam, openSeason } from '../../testing/contest.ts';
import { call } from '../../testing/makers.ts';
import { certificateHtml } from './certificate.ts';
import { newCode } from './outcome.ts';
import { readPdf } from './pdf.ts';

let world: World;
beforeAll(async () => {
  world = await build({ clock: async () => SIGNUP });
});
afterAll(() => world.close());

test('asked for by two at once it is one file, of one page, and any other file is not it', async () => {
  const cid = await openSeason(world, SIGNUP);
  const person = await makeTeam(world, cid);
  const code = newCode('HX26');
  await world.db.execute(sql`INSERT INTO contest_certificates
    (contest_id, team_id, user_id, code, name_sealed, team_name, award, issued_at)
    SELECT ${cid}, id, ${person.id}, ${code}, ${world.contests.teams.seal('张晓明')}, name, '一等奖', now() FROM contest_teams`);
  const { id } = (await call(world, person, 'GET', `/v1/contest/${cid}/own`)).data.certificates[0];
  const print = () =>
    world.app.inject({
      url: `/v1/contest/${cid}/certificates/${id}`,
      headers: { authorization: `Bearer ${person.token}` },
    });
  const [one, two] = await Promise.all([print(), print()]);
  await world.contests.tidy();
  const three = await print();
  expect(one.headers['content-type']).toBe('application/pdf');
  expect([two.rawPayload.equals(one.rawPayload), three.rawPayload.equals(one.rawPayload)]).toEqual([true, true]);
  expect(readPdf(one.rawPayload).pages).toBe(1);
  // Fonts go along, or the names are boxes elsewhere.
  expect(one.rawPayload.toString('latin1')).toMatch(/\/FontFile[23]?/);
  const verify = (bytes: Buffer) =>
    call(
      world,
      null,
      'GET',
      `/v1/contest/certificates/verify?code=${code}&sha256=${createHash('sha256').update(bytes).digest('hex')}`,
    );
  expect((await verify(one.rawPayload)).data).toMatchObject({ file_matches: true, holder: '张*明', award: '一等奖' });
  expect((await verify(Buffer.concat([one.rawPayload, Buffer.from(' ')]))).data.file_matches).toBe(false);
}, 120_000);

test('names are text, never markup', async () => {
  const html = await certificateHtml({
    title: '大赛',
    holder: '<img src=x onerror=1>',
    team: '"><script>',
    award: '奖',
    code: 'HX26',
    day: '2026-12-31',
    organiser: '',
    verify: 'https://x.example/',
  });
  expect(html).not.toMatch(/<img|<script/);
});
