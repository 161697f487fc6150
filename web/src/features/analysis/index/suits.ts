/** Does a method suit the data at hand? If not, the reason in a few words: it is dimmed, never hidden. */
import type { Field } from '@hengxi/contracts/contract';
import type { MethodRow } from '@hengxi/server/analysis/schema';

import { misfitOf } from '../../../fields/boxes/fit.ts';
import type { Column } from '../../../fields/column.ts';
import { roleBox } from '../../../fields/role/role-field.tsx';

type Role = Extract<Field, { type: 'role' }>;

function rolesOf(method: MethodRow): Role[] {
  return method.fields
    .filter((field) => field.type === 'role' && field.min > 0 && field.when === null)
    .filter((field) => field.type === 'role');
}

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

/** One line for each box: 分组变量X：1 个定类，正好两组. */
export function needLines(method: Pick<MethodRow, 'fields'>): { key: string; measure: string; text: string }[] {
  return method.fields
    .filter((field) => field.type === 'role')
    .filter((role) => role.when === null)
    .map((role) => {
      const count =
        role.min === 0
          ? '可不选'
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
              : `，${low}–${high} 组`;
      const what = role.measure === '任意' ? '任意类型' : role.measure;
      return {
        key: role.key,
        measure: role.measure,
        text: `${role.title}：${role.min === 0 ? `${what}，可不选` : `${count}${what}`}${groups}`,
      };
    });
}
