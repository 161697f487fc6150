/** Rules of what is kept of a questionnaire: it speaks of variables that are there, each item in one dimension. */
import { Fault } from '../../../lib/errors.ts';
import type { Column } from '../columns/schema.ts';
import type { Dimension, Questionnaire } from './schema.ts';

/** Without what is gone; a dimension or a matrix question has two items at least. */
export function questionnaireLeft(kept: Questionnaire | null, columns: readonly Column[]): Questionnaire | null {
  if (kept === null) return null;
  const ids = new Set(columns.map(({ id }) => id));
  return moved(kept, (id) => (ids.has(id) ? id : undefined));
}

/** With the ids its variables have elsewhere; those without one are gone. */
export function moved(kept: Questionnaire, now: (id: string) => string | undefined): Questionnaire {
  const left = (list: readonly string[]) => list.flatMap((id) => now(id) ?? []);
  return {
    dimensions: kept.dimensions
      .map((one) => ({ ...one, columns: left(one.columns), reversed: left(one.reversed) }))
      .filter(({ columns }) => columns.length > 1),
    matrices: kept.matrices
      .map((one) => ({ ...one, columns: left(one.columns) }))
      .filter(({ columns }) => columns.length > 1),
    background: left(kept.background),
  };
}

const mean = (columns: readonly Column[], id: string): number | null =>
  columns.find((column) => column.id === id)?.profile.mean ?? null;

/** An item that a step has turned runs with the others now: its mean is that of the other end of the scale. */
export function turnedLeft(
  kept: Questionnaire | null,
  before: readonly Column[],
  after: readonly Column[],
): Questionnaire | null {
  if (kept === null) return null;
  const dimensions = kept.dimensions.map((one) => {
    const reversed = one.reversed.filter((id) => !isTurned(one, mean(before, id), mean(after, id)));
    return { ...one, reversed };
  });
  return { ...kept, dimensions };
}

function isTurned({ low, high }: Pick<Dimension, 'low' | 'high'>, was: number | null, now: number | null): boolean {
  if (was === null || now === null || was === now) return false;
  return Math.abs(low + high - was - now) < 1e-9 * Math.max(1, Math.abs(low) + Math.abs(high));
}

/** What was confirmed `on` some columns, for another version: an item that runs the other way there changes sides. */
export function asIn(kept: Questionnaire, on: readonly Column[], columns: readonly Column[]): Questionnaire {
  const left = questionnaireLeft(kept, columns) ?? kept;
  const dimensions = left.dimensions.map((one) => {
    const runsOtherwise = (id: string): boolean => isTurned(one, mean(on, id), mean(columns, id));
    const reversed = one.columns.filter((id) => one.reversed.includes(id) !== runsOtherwise(id));
    return { ...one, reversed };
  });
  return { ...left, dimensions };
}

function refuse(code: string, text: string, column: string | null = null): Fault {
  return new Fault(30508, { text }, { fields: [{ field: 'questionnaire', code, text, column }] });
}

function demandNames(what: string, list: readonly { id: string; name: string }[]): void {
  const seen = new Set<string>();
  const ids = new Set<string>();
  for (const { id, name } of list) {
    if (seen.has(name)) throw refuse('questionnaire.name', `有两个${what}都叫“${name}”，请改名`);
    if (ids.has(id)) throw refuse('questionnaire.id', `两个${what}的编号相同（${id}）`);
    seen.add(name);
    ids.add(id);
  }
}

export function demandQuestionnaire(wanted: Questionnaire, columns: readonly Column[]): void {
  const known = new Map(columns.map(({ id, name }) => [id, name]));
  const title = (id: string): string => known.get(id) ?? id;
  const { dimensions, matrices, background } = wanted;
  demandNames('维度', dimensions);
  demandNames('矩阵题', matrices);
  const groups = [...dimensions, ...matrices, { name: '背景题', columns: background }];
  for (const { name, columns: ids } of groups) {
    const gone = ids.find((id) => !known.has(id));
    if (gone !== undefined) throw refuse('column.gone', `“${name}”中的变量在这份数据中不存在，请重新选择`, gone);
    const again = ids.find((id, at) => ids.indexOf(id) !== at);
    if (again !== undefined) throw refuse('questionnaire.twice', `“${name}”中“${title(again)}”放了两次`, again);
  }
  const homes = new Map<string, string>();
  for (const { name, columns: ids, reversed, low, high } of dimensions) {
    if (low >= high) throw refuse('questionnaire.ends', `维度“${name}”的最小值必须小于最大值`);
    const strange = reversed.find((id) => !ids.includes(id));
    if (strange !== undefined)
      throw refuse('questionnaire.reversed', `“${title(strange)}”不在维度“${name}”里，不能标为反向题`, strange);
    for (const id of ids) {
      const other = homes.get(id);
      if (other !== undefined)
        throw refuse('questionnaire.overlap', `“${title(id)}”同时在“${other}”和“${name}”里，一题只能属于一个维度`, id);
      homes.set(id, name);
    }
  }
}
