/** Multiple-answer questions: judged, numbered, and told as a step. */
import { Fault } from '../../lib/errors.ts';
import type { AnswerSet, Column, Step } from '../files/schema.ts';
import type { SetEdit } from './schema.ts';

function refuse(code: string, text: string, column: string | null = null): Fault {
  return new Fault(30508, { text }, { fields: [{ field: 'sets', code, text, column }] });
}

function freshId(taken: Set<string>): string {
  for (let n = 1; ; n += 1) if (!taken.has(`s${n}`)) return `s${n}`;
}

/** Ids are kept; new ones are the first that are free. */
export function namedSets(wanted: SetEdit[], columns: Column[]): AnswerSet[] {
  const known = new Set(columns.map(({ id }) => id));
  const taken = new Set(wanted.flatMap(({ id }) => id ?? []));
  const names = new Set<string>();
  return wanted.map(({ id: given, name, label, columns: ids, counted }) => {
    if (names.has(name)) throw refuse('sets.name', `有两个多选题集都叫“${name}”，请改名`);
    names.add(name);
    const gone = ids.find((id) => !known.has(id));
    if (gone !== undefined) throw refuse('column.gone', `多选题集“${name}”中的变量在这份数据中不存在`, gone);
    if (new Set(ids).size < ids.length) throw refuse('sets.twice', `多选题集“${name}”中有重复的变量`);
    const id = given ?? freshId(taken);
    taken.add(id);
    return { id, name, label, columns: ids, counted };
  });
}

const same = (a: AnswerSet, b: AnswerSet): boolean =>
  a.name === b.name && a.label === b.label && a.counted === b.counted && a.columns.join() === b.columns.join();

export function setsStep(before: AnswerSet[], after: AnswerSet[], names: Record<string, string>): Step {
  const old = new Map(before.map((set) => [set.id, set]));
  const left = new Set(after.map(({ id }) => id));
  const changes = [
    ...after.flatMap((set) => {
      const was = old.get(set.id);
      if (!was) return `新增多选题集“${set.name}”（${set.columns.length} 个变量）`;
      return same(was, set) ? [] : `修改多选题集“${set.name}”`;
    }),
    ...before.filter(({ id }) => !left.has(id)).map(({ name }) => `删除多选题集“${name}”`),
  ];
  const [first = '调整多选题集的次序'] = changes;
  const title = changes.length > 1 ? `${first}等 ${changes.length} 处修改` : first;
  return { op: 'sets', title, changes, params: { sets: after, names } };
}
