/** 录入频数表: counts typed by hand become a small file whose version is weighted by them from the start. */
import type { Db } from '../../lib/db.ts';
import type { Actor } from '../../lib/guard.ts';
import { newTableKey } from '../../lib/blobs.ts';
import type { Tables } from './engine.ts';
import type { createNewFiles } from './new-files.ts';
import type { Imported, Step, TypedCounts } from './schema.ts';

interface Deps {
  db: Db;
  tables: Tables;
  made: ReturnType<typeof createNewFiles>;
}

export function createTypedCounts({ db, tables, made }: Deps) {
  return {
    async make(actor: Actor, { name, factors, counts }: TypedCounts): Promise<Imported> {
      const key = newTableKey();
      await tables.counts(key, { factors, counts });
      const table = await made.look(key);
      const count = table.columns.at(-1);
      if (!count) throw new Error('A table of counts has no counts');
      const weight = { column: count.id, kind: 'frequency' as const };
      return db.transaction((tx) => made.make(tx, actor, { name, table, step: stepOf(factors, counts), weight }));
    },
  };
}

function stepOf(factors: TypedCounts['factors'], counts: TypedCounts['counts']): Step {
  const size = factors.map(({ levels }) => levels.length).join(' × ');
  const sum = counts.reduce((total, one) => total + one, 0);
  const names = factors.map(({ name }) => `“${name}”`).join('');
  return {
    op: 'data',
    title: '录入频数表',
    changes: [`${names}，${size} 格，共 ${sum} 例；已按频数加权`],
    params: {},
  };
}
