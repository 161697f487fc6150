/** 数据体检 with what only the table knows: a finding that is no more than a suspicion is counted before it is told. */
import type { Tables, Texts } from './engine.ts';
import { UNPROVEN, examine } from './health.ts';
import type { AnswerSet, Column, Finding } from './schema.ts';

export interface TableToCheck {
  columns: Column[];
  rows: number;
  sets: readonly AnswerSet[];
  key: string;
}

/** Suspicions are counted for the list up to here; a larger table would be usable seconds later for it. */
const COUNTED_CELLS = 2_000_000;

const textsOf = async (tables: Tables, key: string, columns: Column[]): Promise<Texts> =>
  columns.some(({ storage }) => storage === 'text') ? (await tables.textCheck(key)).columns : {};

/** The same with their counts, where these are missing; what turns out to concern no row is left out. */
async function counted(tables: Tables, key: string, findings: Finding[]): Promise<Finding[]> {
  const results: Finding[] = [];
  for (const finding of findings) {
    if (finding.count !== null || finding.condition === null) results.push(finding);
    else {
      const { count } = await tables.count(key, finding.condition);
      if (count > 0) results.push({ ...finding, count });
    }
  }
  return results;
}

/**
 * What the list tells of: as many as are shown when the data is opened, in a large table without suspicions. Asks the
 * engine, so not within a transaction; a suspicion that could not be counted is left out, since nothing may fail for it.
 */
export async function findingsOf(tables: Tables, { columns, rows, sets, key }: TableToCheck): Promise<Finding[]> {
  const isLarge = rows * columns.length > COUNTED_CELLS;
  const texts = isLarge ? {} : await textsOf(tables, key, columns).catch(() => ({}));
  const { findings } = examine(columns, rows, sets, texts);
  const proven = findings.filter(({ code, count }) => count !== 0 && !UNPROVEN.has(code));
  if (isLarge) return proven;
  const suspicions = findings.filter(({ code }) => UNPROVEN.has(code));
  return [...proven, ...(await counted(tables, key, suspicions).catch(() => []))];
}

/** All with every count, and the number of examinations made and passed. */
export async function checkTable(tables: Tables, { columns, rows, sets, key }: TableToCheck) {
  const { checks, findings } = examine(columns, rows, sets, await textsOf(tables, key, columns));
  const found = await counted(tables, key, findings);
  const failed = new Set(found.map(({ code }) => code));
  return { checks, passed: checks - failed.size, findings: found };
}
