/** Makers of people and sessions, and short calls in their name. */
import type { InjectOptions } from 'fastify';
import { signToken } from '../features/accounts/tokens.ts';
import { digestPhone, sealPhone } from '../features/accounts/phones.ts';
import { insertSession } from '../features/accounts/store.ts';
import { users } from '../features/accounts/tables.ts';
import type { Owner } from '../lib/guard.ts';
import type { World } from './build.ts';

export interface Person {
  id: number;
  phone: string;
  token: string;
  sessionId: number;
  owner: Owner;
}

let counter = 0;

/** A person who is signed in. */
export async function makePerson(world: World, nickname = '测试者'): Promise<Person> {
  counter += 1;
  const phone = `139${String(counter).padStart(8, '0')}`;
  const { keys } = world.deps;
  const [user] = await world.db
    .insert(users)
    .values({ nickname, phoneDigest: digestPhone(keys, phone), phoneSealed: sealPhone(keys, phone) })
    .returning();
  const id = user!.id;
  const { token, sessionId } = await makeSession(world, id, nickname);
  return { id, phone, token, sessionId, owner: { kind: 'user', id } };
}

export async function makeSession(
  world: World,
  userId: number,
  nickname = '测试者',
): Promise<{ token: string; sessionId: number }> {
  const session = await world.db.transaction((tx) =>
    insertSession(tx, {
      userId,
      platform: 'pri',
      deviceId: 'device',
      netDigest: 'net',
      netShown: '127.0.0.*',
      agent: 'Chrome · Linux',
    }),
  );
  const payload = { oid: userId, nickname, avatar: null, is_vip: false, platform: 'pri', enterprise_name: null };
  return { token: await signToken(world.deps.keys, payload, session.id, session.endsAt), sessionId: session.id };
}

/** Makes a person a member for some days, as an operator would. */
export async function makeMember(world: World, person: { id: number }, days = 30): Promise<void> {
  const gift = { userId: person.id, source: 'ops', ref: `test:${person.id}`, days, lifetime: false } as const;
  await world.db.transaction((tx) => world.money.membership.grants.grant(tx, gift));
}

export interface Reply {
  status: number;
  /** The whole envelope. */
  body: any;
  /** `data` of the envelope. */
  data: any;
  headers: Record<string, unknown>;
  text: string;
}

type Payload = Record<string, unknown> | unknown[] | string;

/** Calls the application, as a person or (null) as a visitor. */
export async function call(
  world: World,
  person: { token: string } | null,
  method: NonNullable<InjectOptions['method']>,
  url: string,
  payload?: Payload,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await world.app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(person ? { authorization: `Bearer ${person.token}` } : {}),
      ...headers,
    },
  });
  const isJson = String(response.headers['content-type'] ?? '').includes('json');
  const body: any = isJson ? response.json() : null;
  return { status: response.statusCode, body, data: body?.data, headers: response.headers, text: response.body };
}
