/** Does a method suit the data at hand? If not, the reason in a few words: it is dimmed, never hidden. */
import type { MethodRole, MethodRow } from '@hengxi/server/analysis/schema';

import { misfitOf } from '../../../fields/boxes/fit.ts';
import type { Column } from '../../../fields/column.ts';
import { roleBox } from '../../../fields/role/role-field.tsx';

/** The boxes that must be filled. */
const rolesOf = (method: MethodRow): MethodRole[] => method.roles.filter((role) => role.min > 0);

const word = (measure: string): string => (measure === '任意' ? '变量' : `${measure}变量`);

/** null: it suits. */
export function unsuited(method: MethodRow, columns: readonly Column[]): string | null {
  const usable = columns.filter((column) => !column.flags.includes('标识'));
  for (const role of rolesOf(method)) {
    const { needs } = roleBox(role);
    const fitting = usable.filter((column) => misfitOf(column, needs) === null).length;
    if (fitting >= role.min) continue;
    return role.min === 1
      ? `要 1 个${word(role.measure)}`
      : `要 ${role.min} 个以上${word(role.measure)}，现有 ${fitting} 个`;
  }
  const needed = rolesOf(method).reduce((sum, role) => sum + role.min, 0);
  return usable.length < needed ? `要 ${needed} 个变量，现有 ${usable.length} 个` : null;
}

/** null: the variables chosen fill every box that must be filled; else what is still to be chosen. */
export function lacking(method: MethodRow, picked: readonly Column[]): string | null {
  const fits = rolesOf(method).map((role) => ({
    role,
    fitting: picked.filter((column) => misfitOf(column, roleBox(role).needs) === null),
  }));
  const used = new Set<Column>();
  const own = (role: MethodRole, columns: readonly Column[]): Column[] =>
    columns.filter(({ measure }) => measure === role.measure);
  // Who has the smallest choice chooses first, and takes what is of its own kind before what would do as well.
  const inTurn = fits.toSorted(
    (a, b) => a.fitting.length - b.fitting.length || own(b.role, b.fitting).length - own(a.role, a.fitting).length,
  );
  for (const { role, fitting } of inTurn) {
    const unused = fitting.filter((column) => !used.has(column));
    const free = [...new Set([...own(role, unused), ...unused])];
    if (free.length < role.min)
      return `还要 ${role.min - free.length} 个${role.measure === '任意' ? '变量' : role.measure}`;
    for (const column of free.slice(0, role.min)) used.add(column);
  }
  return null;
}

/** Does the first box that must be filled take it? */
export function takesFirst(method: MethodRow, column: Column): boolean {
  const [role] = rolesOf(method);
  return role !== undefined && misfitOf(column, roleBox(role).needs) === null;
}

const OPTIONAL = /选填|可选|可不选/u;

/** One line for each box: 分组变量X：1 个定类，正好两组. */
export function needLines(method: Pick<MethodRow, 'roles'>): { key: string; measure: string; text: string }[] {
  return method.roles.map((role) => {
    const count =
      role.min === 0
        ? ''
        : role.max === role.min
          ? `${role.min} 个`
          : role.max === null
            ? `${role.min} 个以上`
            : `${role.min}–${role.max} 个`;
    const [low, high] = role.levels ?? [null, null];
    const groups =
      low === null
        ? ''
        : low === high
          ? `，正好 ${low} 组`
          : high === null
            ? `，${low} 组以上`
            : low === 1
              ? `，至多 ${high} 组`
              : `，${low}–${high} 组`;
    // The title may say so itself.
    const optional = role.min > 0 || OPTIONAL.test(role.title) ? '' : '，可不选';
    const what = role.measure === '任意' ? '任意类型' : role.measure;
    return {
      key: role.key,
      measure: role.measure,
      text: `${role.title}：${count}${what}${groups}${optional}`,
    };
  });
}
