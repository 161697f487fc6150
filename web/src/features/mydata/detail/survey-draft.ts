/** Changes of the structure of a questionnaire before it is saved; ids are kept, new ones are the first that are free. */
import type {
  Column,
  Dimension,
  MatrixQuestion,
  ProposedQuestionnaire,
  Questionnaire,
} from '@hengxi/server/files/schema';

import { misfitOf } from '../../../fields/boxes/fit.ts';

/** What was proposed, without what it was proposed for. */
export function plainOf({ dimensions, matrices, background }: ProposedQuestionnaire): Questionnaire {
  return {
    dimensions: dimensions.map(({ id, name, columns, reversed, low, high }) => ({
      id,
      name,
      columns,
      reversed,
      low,
      high,
    })),
    matrices,
    background,
  };
}

const idsOf = (groups: readonly { id: string }[]): Set<string> => new Set(groups.map(({ id }) => id));

function freshId(letter: 'd' | 'm', groups: readonly { id: string }[]): string {
  const taken = idsOf(groups);
  for (let n = 1; ; n += 1) if (!taken.has(`${letter}${n}`)) return `${letter}${n}`;
}

function freshName(word: string, groups: readonly { name: string }[]): string {
  const taken = new Set(groups.map(({ name }) => name));
  for (let n = 1; ; n += 1) if (!taken.has(`${word}${n}`)) return `${word}${n}`;
}

export function withDimension(kept: Questionnaire, columns: string[]): Questionnaire {
  const { dimensions } = kept;
  const fresh: Dimension = {
    id: freshId('d', dimensions),
    name: freshName('维度', dimensions),
    columns,
    reversed: [],
    low: 1,
    high: 5,
  };
  return { ...kept, dimensions: [...dimensions, fresh] };
}

export function withMatrix(kept: Questionnaire, columns: string[]): Questionnaire {
  const { matrices } = kept;
  const fresh: MatrixQuestion = { id: freshId('m', matrices), name: freshName('矩阵题', matrices), columns };
  return { ...kept, matrices: [...matrices, fresh] };
}

export function changedDimension(kept: Questionnaire, id: string, change: Partial<Dimension>): Questionnaire {
  const dimensions = kept.dimensions.map((one) => {
    if (one.id !== id) return one;
    const next = { ...one, ...change };
    return { ...next, reversed: next.reversed.filter((item) => next.columns.includes(item)) };
  });
  return { ...kept, dimensions };
}

export function changedMatrix(kept: Questionnaire, id: string, change: Partial<MatrixQuestion>): Questionnaire {
  return { ...kept, matrices: kept.matrices.map((one) => (one.id === id ? { ...one, ...change } : one)) };
}

const NUMBER = { measure: '定量' };

/** Variables that a dimension may still take: numbers that are in none. */
export function freeItems(kept: Questionnaire, columns: readonly Column[]): Column[] {
  const taken = new Set(kept.dimensions.flatMap(({ columns: ids }) => ids));
  return columns.filter((column) => !taken.has(column.id) && misfitOf(column, NUMBER) === null);
}

/** Why it cannot be saved as it stands; the server judges the same. */
export function draftFault({ dimensions, matrices }: Questionnaire): string | null {
  for (const [what, groups] of [
    ['维度', dimensions],
    ['矩阵题', matrices],
  ] as const) {
    const names = new Set<string>();
    for (const { name, columns } of groups) {
      if (name.trim() === '') return `有一个${what}没有名称，请填写`;
      if (names.has(name.trim())) return `有两个${what}都叫“${name.trim()}”，请改名`;
      names.add(name.trim());
      if (columns.length < 2) return `${what}“${name}”至少要有 2 题，请加入题项或删去它`;
    }
  }
  const ends = dimensions.find(({ low, high }) => !(low < high));
  return ends === undefined ? null : `维度“${ends.name}”的最小值必须小于最大值`;
}
