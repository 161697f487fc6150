/** The code book: judged, numbered, and what it starts with. */
import { Fault } from '../../lib/errors.ts';
import { CODES_MOST } from './schema.ts';
import type { Code, CodeEdit, CodeKind } from './schema.ts';

const bare = { group: '', definition: '', includes: '', excludes: '', rule: '', gone: false };
const special = (id: number, name: string, kind: CodeKind, definition: string): Code => ({
  ...bare,
  id,
  name,
  kind,
  definition,
});

export const FIRST_BOOK: Code[] = [
  special(1, '其他', 'other', '看得懂，但不属于任何一个编码'),
  special(2, '无法归类', 'unclear', '回答了问题，但看不出说的是什么'),
  special(3, '无效', 'invalid', '乱填、与问题无关；写回数据时作缺失'),
];

export const bookOf = (codes: readonly Code[]): ReadonlyMap<number, Code> => new Map(codes.map((one) => [one.id, one]));

const refuse = (text: string): Fault => new Fault(30508, { text });

/** Ids are kept; a new code gets the next number. A code that is missing from the edit is taken out, not forgotten. */
export function editedBook(
  before: readonly Code[],
  edit: readonly CodeEdit[],
  next: number,
): { codes: Code[]; next: number } {
  const known = new Set(before.map(({ id }) => id));
  const seen = new Set<number>();
  const names = new Set<string>();
  const kinds = new Set<CodeKind>();
  let fresh = next;
  const codes = edit.map(({ id, ...rest }): Code => {
    if (id !== null && (!known.has(id) || seen.has(id))) throw refuse('码表里有不存在的编码，请刷新后再试');
    if (!rest.gone) {
      if (names.has(rest.name)) throw refuse(`有两个编码都叫“${rest.name}”，请改名`);
      names.add(rest.name);
      if (rest.kind !== 'plain' && kinds.has(rest.kind)) throw refuse(`“${rest.name}”这一类编码只能有一个`);
      kinds.add(rest.kind);
    }
    const code = { ...rest, id: id ?? fresh };
    if (id === null) fresh += 1;
    seen.add(code.id);
    return code;
  });
  const left = before.filter(({ id }) => !seen.has(id)).map((one) => ({ ...one, gone: true }));
  if (codes.length + left.length > CODES_MOST)
    throw refuse(`码表最多 ${CODES_MOST} 个编码，已删除的也算在内；可以恢复一个已删除的编码，改成要用的`);
  return { codes: [...codes, ...left], next: fresh };
}

/** The rule as the line of a set of labels; null where it says nothing. */
export const rulesIn = (codes: readonly Code[]): { code: number; name: string; rule: string }[] =>
  codes.flatMap(({ id, name, rule, gone }) => (gone || rule === '' ? [] : [{ code: id, name, rule }]));
