/** /v1/user/point: balance and records of AI points. */
import type { App, Deps } from '../../lib/deps.ts';
import { demandPersonal } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { PointAccount, PointQuery, PointRecords } from './schema.ts';
import type { Points } from './service.ts';

export function pointsRoutes(app: App, { db, points }: Pick<Deps, 'db'> & { points: Points }): void {
  route(app, {
    method: 'GET',
    url: '/v1/user/point',
    access: 'session',
    summary: 'Balance of AI points',
    answer: PointAccount,
    handler: async ({ actor }) => {
      demandPersonal(actor);
      return points.account(db, actor.owner);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/user/point/record',
    access: 'session',
    summary: 'Movements of AI points, newest first',
    query: PointQuery,
    answer: PointRecords,
    handler: async ({ actor, query }) => {
      demandPersonal(actor);
      return points.records(actor.owner, query);
    },
  });
}
