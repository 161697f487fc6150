/** /v1/user/coding-schemes: named rules of recoding, for other variables and other files of the same owner. */
import { z } from 'zod';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { route } from '../../lib/route.ts';
import { CodingScheme, CodingSchemeBody } from './schema.ts';
import * as store from './store.ts';
import type { SchemeRow } from './store.ts';

const BASE = '/v1/user/coding-schemes';
const MOST = 200;

const wire = ({ id, name, rules, updatedAt }: SchemeRow): CodingScheme => ({
  id,
  name,
  rules,
  updated_at: updatedAt.toISOString(),
});

export function codingRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Saved coding schemes by name',
    answer: z.object({ total: z.number(), list: z.array(CodingScheme) }),
    handler: async ({ actor }) => {
      const list = (await store.listSchemes(db, actor.owner)).map(wire);
      return { total: list.length, list };
    },
  });

  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary: 'Saves a coding scheme; one of the same name gets the new rules',
    body: CodingSchemeBody,
    answer: CodingScheme,
    handler: async ({ actor, body }) => {
      if ((await store.countOthers(db, actor.owner, body.name)) >= MOST)
        throw new Fault(30508, { text: `最多保存 ${MOST} 个编码方案，请先删除不用的` });
      return wire(await store.putScheme(db, actor.owner, body));
    },
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:id`,
    access: 'session',
    summary: 'Deletes a coding scheme; steps made with it stay as they are',
    params: z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) }),
    handler: async ({ actor, params }) => {
      if (!(await store.deleteScheme(db, actor.owner, params.id))) throw missing();
    },
  });
}
