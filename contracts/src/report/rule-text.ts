/** If–then rules as a reader says them. */
import type { Report, RuleLine } from '../../generated/contract.ts';
import { text } from '../format.ts';

const SIGNS: Record<string, string> = { '<=': '≤', '>=': '≥', '!=': '≠', '==': '=', in: '属于', 'not in': '不属于' };

/** Each condition of a rule; `names`: names of columns by id. */
export function conditionsOf(rule: RuleLine, names: ReadonlyMap<string, string>): string[] {
  return rule.when.map(
    ([column, sign, value]) => `${names.get(column) ?? column} ${SIGNS[sign] ?? sign} ${text(value)}`,
  );
}

/** Names of all columns the report speaks of, by id. */
export function columnNames(report: Report): ReadonlyMap<string, string> {
  return new Map(
    Object.values(report.roles).flatMap((columns) => columns.map((c): [string, string] => [c.id, c.label ?? c.name])),
  );
}
