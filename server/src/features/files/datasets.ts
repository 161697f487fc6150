/** Other tables that a form names (contract: dataset): the owner's own, as the engine may open them. */
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { Owner } from '../../lib/guard.ts';
import type { VersionFacts } from './store.ts';

const Given = z.looseObject({ vid: z.number().int() });

export interface TableHandle {
  vid: number;
  name: string;
  key: string;
}

type Find = (owner: Owner, vid: number) => Promise<VersionFacts | null>;

/** For each dataset field what the engine may open; a version of somebody else is as absent as one that is gone. */
export async function namedTables(
  find: Find,
  owner: Owner,
  method: Pick<Declaration, 'fields'>,
  form: Record<string, unknown>,
): Promise<Record<string, TableHandle[]> | null> {
  const fields = method.fields.filter((field) => field.type === 'dataset');
  if (fields.length === 0) return null;
  const tables = fields.map(async ({ key }) => {
    const given = z.array(Given).safeParse([form[key] ?? []].flat()).data ?? [];
    const found = await Promise.all(given.map(({ vid }) => find(owner, vid)));
    return [key, found.flatMap((one) => (one ? [{ vid: one.vid, name: one.name, key: one.tableKey }] : []))] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}
