/** What an edit of columns changed, in sentences, for the list of steps and the history. */
import type { Column, ColumnEdit, Step } from './schema.ts';

const quoted = (column: Column): string => `“${column.label ?? column.name}”`;

function missingText(column: Column): string {
  const { values, ranges } = column.missing;
  const parts = [...values.map(String), ...ranges.map(({ low, high }) => `${low ?? '最小'} 至 ${high ?? '最大'}`)];
  return parts.length > 0 ? parts.join('、') : '无';
}

const labels = (column: Column): string =>
  JSON.stringify((column.levels ?? []).map(({ value, label }) => [value, label]));
const order = (column: Column): string => JSON.stringify((column.levels ?? []).map(({ value }) => String(value)));

/** Words that became scores: 按 1–5 计分（1 非常不同意 … 5 非常同意）. */
function scoredText(before: Column, after: Column): string | null {
  if (!after.scores || JSON.stringify(before.scores) === JSON.stringify(after.scores)) return null;
  const levels = after.levels ?? [];
  const ends = [levels[0], levels.at(-1)].flatMap((level) => (level ? `${level.value} ${level.label}` : []));
  return `按 ${levels[0]?.value ?? ''}–${levels.at(-1)?.value ?? ''} 计分（${ends.join(' … ')}）`;
}

function changesOf(before: Column, after: Column): string[] {
  const changes: string[] = [];
  const name = quoted(before);
  if (before.name !== after.name) changes.push(`“${before.name}”改名为“${after.name}”`);
  if (before.label !== after.label)
    changes.push(after.label ? `“${after.name}”的标签改为“${after.label}”` : `删去${name}的标签`);
  const scored = scoredText(before, after);
  if (scored) changes.push(`${name}${scored}`);
  else if (before.measure !== after.measure) changes.push(`${name}由${before.measure}改为${after.measure}`);
  if (!scored && before.ordered !== after.ordered) changes.push(`${name}改为${after.ordered ? '有序' : '无序'}`);
  if (missingText(before) !== missingText(after)) changes.push(`${name}的缺失编码设为 ${missingText(after)}`);
  if (!scored && before.flags.join() !== after.flags.join())
    changes.push(after.flags.length > 0 ? `${name}标记为${after.flags.join('、')}` : `取消${name}的标记`);
  if (before.unit !== after.unit) changes.push(after.unit ? `${name}的单位设为 ${after.unit}` : `删去${name}的单位`);
  // Another measure or missing code changes the list of levels by itself; that is no edit of its own.
  const isSideEffect =
    scored !== null || before.measure !== after.measure || missingText(before) !== missingText(after);
  if (!isSideEffect && labels(before) !== labels(after))
    changes.push(order(before) === order(after) ? `修改${name}的值标签` : `修改${name}的类别次序`);
  return changes;
}

/** The step of an edit; without changes there is nothing to keep. */
export function describeEdit(before: Column[], after: Column[], edit: ColumnEdit[]): Step | null {
  const old = new Map(before.map((column) => [column.id, column]));
  const changes = after.flatMap((column) => {
    const was = old.get(column.id);
    return was ? changesOf(was, column) : [];
  });
  const [first] = changes;
  if (!first) return null;
  const title = changes.length === 1 ? first : `${first}等 ${changes.length} 处修改`;
  return { op: 'edit', title, changes, params: { columns: edit } };
}
