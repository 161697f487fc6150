/** 数据体检 with what only the table knows: a finding that is no more than a suspicion is counted before it is told. */
import type { Tables } from './engine.ts';
import { UNPROVEN, examine } from './health.ts';
import type { AnswerSet, Column, Finding } from './schema.ts';

export interface Examined {
  columns: Column[];
  rows: number;
  sets: readonly AnswerSet[];
  key: string;
}

/** The same with the counts that are missing; a finding that turns out to concern no row is left out. */
async function counted(tables: Tables, key: string, findings: Finding[], all: boolean): Promise<Finding[]> {
  const results: Finding[] = [];
  for (const finding of findings) {
    const asks = finding.count === null && finding.condition !== null && (all || UNPROVEN.has(finding.code));
    if (!asks || finding.condition === null) results.push(finding);
    else {
      const { count } = await tables.count(key, finding.condition);
      if (count > 0) results.push({ ...finding, count });
    }
  }
  return results;
}

/** What is found, however many rows it concerns: as many as are shown when the data is opened. */
export async function findingsOf(tables: Tables, { columns, rows, sets, key }: Examined): Promise<Finding[]> {
  return counted(tables, key, examine(columns, rows, sets).findings, false);
}

/** The same with every count, and the number of examinations made and passed. */
export async function examineTable(tables: Tables, { columns, rows, sets, key }: Examined) {
  const { checks, findings } = examine(columns, rows, sets);
  const found = await counted(tables, key, findings, true);
  const failed = new Set(found.map(({ code }) => code));
  return { checks, passed: checks - failed.size, findings: found };
}
