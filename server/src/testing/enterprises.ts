/** Makers of enterprises and their members, through the product's own calls. */
import { sql } from 'drizzle-orm';
import type { World } from './build.ts';
import { call, makePerson } from './makers.ts';
import type { Person } from './makers.ts';

export interface Tenant {
  eid: number;
  owner: Person & { nickname: string };
  /** The owner on the enterprise's channel. */
  channel: { token: string };
}

/** Credit codes with a right check character; GB 32100-2015 over a running number. */
function creditCode(n: number): string {
  const alphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY';
  const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
  const body = `91${String(n).padStart(15, '0')}`;
  const sum = [...body].reduce((total, letter, at) => total + alphabet.indexOf(letter) * weights[at]!, 0);
  return body + alphabet[(31 - (sum % 31)) % 31];
}

let counter = 0;

/** The people have just proved who they are. */
export async function proved(world: World, ...people: { sessionId: number }[]): Promise<void> {
  for (const { sessionId } of people)
    await world.db.execute(sql`UPDATE sessions SET proved_at = now() WHERE id = ${sessionId}`);
}

/** The channel of an enterprise, live. */
export async function openChannel(world: World, person: { token: string }, eid: number): Promise<{ token: string }> {
  const { data } = await call(world, person, 'GET', '/v1/user/identity');
  const offered = [data.co, ...data.tokens].find((one) => one?.enterprise_id === eid);
  if (!offered) throw new Error(`No channel of enterprise ${eid} is offered`);
  const channel = { token: offered.token };
  await call(world, channel, 'GET', '/v1/user');
  return channel;
}

/** An enterprise on trial: five seats, fourteen days. */
export async function makeEnterprise(world: World, name: string): Promise<Tenant> {
  counter += 1;
  const owner = { ...(await makePerson(world, `${name}所有者`)), nickname: `${name}所有者` };
  await proved(world, owner);
  const body = { name, trial: true, credit_code: creditCode(counter), contact: '联系人' };
  const made = await call(world, owner, 'POST', '/v1/enterprise', body);
  await world.db.execute(sql`UPDATE sessions SET proved_at = NULL WHERE id = ${owner.sessionId}`);
  const eid: number = made.data.id;
  return { eid, owner, channel: await openChannel(world, owner, eid) };
}

/** The code of a new link for so many people. */
export async function invite(world: World, { eid, owner }: Tenant, uses = 20): Promise<string> {
  const { data } = await call(world, owner, 'POST', `/v1/enterprise/${eid}/invites`, { uses });
  return new URL(data.list[0].link).searchParams.get('code')!;
}

/** Somebody new joins by a link. */
export async function join(
  world: World,
  tenant: Tenant,
  nickname: string,
): Promise<{ person: Person; channel: { token: string }; mid: number }> {
  const person = await makePerson(world, nickname);
  const code = await invite(world, tenant, 1);
  await call(world, person, 'POST', '/v1/enterprise/invite/accept', { code });
  const { data } = await call(world, tenant.owner, 'GET', `/v1/enterprise/${tenant.eid}/members?page_size=200`);
  const mid: number = data.list.at(-1).id;
  return { person, channel: await openChannel(world, person, tenant.eid), mid };
}
