/** A hierarchy as an outline: lines with a depth, as an editor of outlines works on them. */
import { isRecord, listOf, textOf } from '../form.ts';

export interface Line {
  id: string;
  name: string;
  depth: number;
}

interface TreeNode {
  id: string;
  name: string;
  children: TreeNode[];
}

export function toLines(value: unknown): Line[] {
  const lines: Line[] = [];
  const walk = (node: unknown, depth: number): void => {
    if (!isRecord(node)) return;
    lines.push({ id: textOf(node['id']), name: textOf(node['name']), depth });
    for (const child of listOf(node['children'])) walk(child, depth + 1);
  };
  walk(value, 0);
  return lines;
}

/** The first line is the root; every other hangs on the last line above it that is less deep. */
export function toTree(lines: readonly Line[]): TreeNode | null {
  const trail: TreeNode[] = [];
  for (const line of lines) {
    const node: TreeNode = { id: line.id, name: line.name, children: [] };
    trail.length = trail.length === 0 ? 0 : Math.min(Math.max(line.depth, 1), trail.length);
    trail.at(-1)?.children.push(node);
    trail.push(node);
  }
  return trail[0] ?? null;
}

const numberIn = (id: string): number => Number(/\d+$/u.exec(id)?.[0] ?? 0);

export function freshId(lines: readonly Line[]): string {
  return `n${Math.max(0, ...lines.map((line) => numberIn(line.id))) + 1}`;
}

/** Where the part below this line ends. */
export function endOf(lines: readonly Line[], at: number): number {
  const depth = lines[at]?.depth ?? 0;
  const next = lines.findIndex((line, index) => index > at && line.depth <= depth);
  return next < 0 ? lines.length : next;
}

/** A line after this one and all below it; of the root a first child. */
export function withSibling(lines: readonly Line[], at: number): { lines: Line[]; id: string } {
  const line = lines[at];
  const id = freshId(lines);
  if (line === undefined) return { lines: [{ id, name: '', depth: 0 }], id };
  if (line.depth === 0) return withChild(lines, at);
  const end = endOf(lines, at);
  return { lines: [...lines.slice(0, end), { id, name: '', depth: line.depth }, ...lines.slice(end)], id };
}

export function withChild(lines: readonly Line[], at: number): { lines: Line[]; id: string } {
  const id = freshId(lines);
  const end = endOf(lines, at);
  const depth = (lines[at]?.depth ?? -1) + 1;
  return { lines: [...lines.slice(0, end), { id, name: '', depth }, ...lines.slice(end)], id };
}

/** The line with all below it one step in or out; unchanged where it cannot be. */
export function indented(lines: readonly Line[], at: number, by: -1 | 1): Line[] {
  const line = lines[at];
  const above = lines[at - 1];
  const isFree =
    line !== undefined &&
    line.depth > 0 &&
    (by > 0 ? above !== undefined && above.depth >= line.depth : line.depth > 1);
  if (!isFree) return [...lines];
  const end = endOf(lines, at);
  return lines.map((other, index) => (index >= at && index < end ? { ...other, depth: other.depth + by } : other));
}

/** The line and all below it; the root takes everything. */
export function withoutLine(lines: readonly Line[], at: number): Line[] {
  return [...lines.slice(0, at), ...lines.slice(endOf(lines, at))];
}

/** Before the sibling above, or after the one below. */
export function shifted(lines: readonly Line[], at: number, by: -1 | 1): Line[] {
  const line = lines[at];
  if (line === undefined || line.depth === 0) return [...lines];
  const end = endOf(lines, at);
  const own = lines.slice(at, end);
  if (by > 0) {
    if (lines[end]?.depth !== line.depth) return [...lines];
    const after = endOf(lines, end);
    return [...lines.slice(0, at), ...lines.slice(end, after), ...own, ...lines.slice(after)];
  }
  const before = lines.findLastIndex((other, index) => index < at && other.depth <= line.depth);
  if (lines[before]?.depth !== line.depth) return [...lines];
  return [...lines.slice(0, before), ...own, ...lines.slice(before, at), ...lines.slice(end)];
}
