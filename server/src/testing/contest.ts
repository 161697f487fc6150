/** A season, its people and their works, as pages and the desk would make them. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect } from 'vitest';
import type { World } from './build.ts';
import { call, makePerson } from './makers.ts';
import type { Person, Reply } from './makers.ts';

export const at = (text: string): Date => new Date(`${text}+08:00`);
export const TIMES = {
  signupFrom: at('2026-12-01T00:00:00'),
  signupTo: at('2026-12-10T00:00:00'),
  answerFrom: at('2026-12-10T08:00:00'),
  answerTo: at('2026-12-20T18:00:00'),
  resultsAt: at('2027-01-10T12:00:00'),
};
export const SIGNUP = at('2026-12-02T12:00:00');
export const ANSWER = at('2026-12-12T12:00:00');
export const REVIEW = at('2026-12-20T18:10:00');

/** A PDF of so many pages; `packed` keeps its objects in a compressed stream, as newer programs do. */
export function makePdf(pages: number, more: { author?: string; packed?: boolean; mark?: string } = {}): Buffer {
  const { author = '张三', packed = false, mark = '' } = more;
  const kids = Array.from({ length: pages }, (_, page) => `${page + 4} 0 R`).join(' ');
  const objects: [number, string][] = [
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`],
    [3, `<< /Author (${author}) /Producer (a \\(b\\) endobj) >>`],
    ...Array.from({ length: pages }, (_, page): [number, string] => [
      page + 4,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Tag (${mark}) >>`,
    ]),
  ];
  if (!packed) {
    const body = objects.map(([number, value]) => `${number} 0 obj\n${value}\nendobj\n`).join('');
    return Buffer.from(
      `%PDF-1.4\n${body}trailer\n<< /Size ${pages + 4} /Root 1 0 R /Info 3 0 R >>\nstartxref\n9\n%%EOF\n`,
      'latin1',
    );
  }
  let offset = 0;
  const head = objects.map(([number, value]) => {
    const entry = `${number} ${offset}`;
    offset += value.length + 1;
    return entry;
  });
  const first = `${head.join(' ')} `;
  const stream = deflateSync(Buffer.from(first + objects.map(([, value]) => value).join('\n'), 'latin1'));
  const last = pages + 4;
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.5\n${last} 0 obj\n<< /Type /ObjStm /N ${objects.length} /First ${first.length} /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`,
      'latin1',
    ),
    stream,
    Buffer.from(
      `\nendstream\nendobj\n${last + 1} 0 obj\n<< /Type /XRef /Root 1 0 R /Info 3 0 R /W [1 2 1] /Length 3 >>\nstream\nabc\nendstream\nendobj\nstartxref\n9\n%%EOF\n`,
      'latin1',
    ),
  ]);
}

export const makeZip = (): Buffer => Buffer.from(zipSync({ 'code/main.R': strToU8('lm(y ~ x)\n'.repeat(50)) }));

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A season that is open, with prizes of all kinds. */
export async function openSeason(
  world: World,
  now: Date,
  more: { code?: string; times?: typeof TIMES } = {},
): Promise<number> {
  const { seasons } = world.contests;
  return world.db.transaction(async (tx) => {
    const row = await seasons.desk.make(tx, {
      code: more.code ?? 'HX26',
      title: '衡析数据分析大赛',
      summary: '用一份数据回答一个问题。',
      rules: '每队 1 至 3 人。',
      problems: '## 赛题 A\n哪些因素影响满意度？',
      prizes: [
        { award: '一等奖', places: 1, kind: 'credits', value: 500 },
        { award: '二等奖', places: 1, kind: 'vip_days', value: 30 },
        { award: '三等奖', places: 1, kind: 'none', value: 0 },
      ],
      ...(more.times ?? TIMES),
    });
    await seasons.desk.open(tx, row.id, 1, now);
    return row.id;
  });
}

type Send = (url: string, body?: Record<string, unknown>, method?: 'POST' | 'GET' | 'DELETE') => Promise<Reply>;

/** Calls of one person on one season. */
export const callsOf =
  (world: World, cid: number, person: { token: string } | null): Send =>
  (url, body, method = 'POST') =>
    call(world, person, method, `/v1/contest/${cid}/${url}`, method === 'POST' ? (body ?? {}) : undefined);

let counter = 0;
export async function makeContestant(world: World, cid: number, school = '甲大学'): Promise<Person> {
  counter += 1;
  const person = await makePerson(world, `选手${counter}`);
  const reply = await callsOf(world, cid, person)('register', { real_name: `张小${counter}`, school, consent: true });
  expect(reply.body).toMatchObject({ status_code: 1 });
  return person;
}

/** A person with a team of their own. */
export async function makeTeam(world: World, cid: number, school = '甲大学'): Promise<Person> {
  const person = await makeContestant(world, cid, school);
  expect((await callsOf(world, cid, person)('teams', { name: `队伍${(counter += 1)}` })).body).toMatchObject({
    status_code: 1,
  });
  return person;
}

export const startUpload = async (
  world: World,
  cid: number,
  person: { token: string },
  kind: 'report' | 'support',
  bytes: Buffer,
  name = kind === 'report' ? '报告.pdf' : '材料.zip',
): Promise<Reply> =>
  callsOf(world, cid, person)('uploads', { kind, name, size: bytes.length, sha256: digestOf(bytes) });

export async function sendBytes(
  world: World,
  cid: number,
  person: { token: string },
  upload: number,
  bytes: Buffer,
  offset = 0,
): Promise<{ status: number; body: any }> {
  const answer = await world.app.inject({
    method: 'PUT',
    url: `/v1/contest/${cid}/uploads/${upload}?offset=${offset}`,
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    payload: bytes,
  });
  return { status: answer.statusCode, body: answer.json() };
}

export async function uploadWhole(
  world: World,
  cid: number,
  person: { token: string },
  kind: 'report' | 'support',
  bytes: Buffer,
): Promise<number> {
  const { data } = await startUpload(world, cid, person, kind, bytes);
  expect((await sendBytes(world, cid, person, data.id, bytes)).body).toMatchObject({ status_code: 1 });
  return data.id;
}

export async function submitWork(
  world: World,
  cid: number,
  person: { token: string },
  bytes = makePdf(3, { mark: String((counter += 1)) }),
): Promise<Reply> {
  const id = await uploadWhole(world, cid, person, 'report', bytes);
  return callsOf(world, cid, person)('submissions', { upload_ids: [id], request_id: `request-${(counter += 1)}` });
}
