/** Named groups of variables as the wire has them, and the boxes they are on the screen. */
import type { BlocksField } from '@hengxi/contracts/contract';

import type { Box } from '../boxes/box.ts';
import { idsOf, recordsOf, textOf } from '../form.ts';

/** The group without a name: variables outside all groups. */
export const LOOSE = 'loose';

export type Block = Record<string, unknown> & { id: string; name: string | null; columns: readonly string[] };

export function readBlocks(value: unknown): Block[] {
  // A box of variables that has become groups since, or one handed over by a method without groups.
  const plain = idsOf(value);
  if (plain.length > 0) return [{ id: LOOSE, name: null, columns: plain }];
  return recordsOf(value).map((block) => ({
    ...block,
    id: textOf(block['id']),
    name: typeof block['name'] === 'string' ? block['name'] : null,
    columns: idsOf(block['columns']),
  }));
}

const numberIn = (id: string): number => Number(/\d+$/u.exec(id)?.[0] ?? 0);

/** An id that no group has had so far: arrows drawn between groups name them by it. */
function freshId(blocks: readonly Block[]): string {
  return `b${Math.max(0, ...blocks.map((block) => numberIn(block.id))) + 1}`;
}

export function newName(names: string, blocks: readonly Block[]): string {
  const taken = new Set(blocks.map((block) => block.name));
  let number = blocks.filter((block) => block.id !== LOOSE).length + 1;
  while (taken.has(names.replace('{i}', String(number)))) number += 1;
  return names.replace('{i}', String(number));
}

export function withNew(field: Pick<BlocksField, 'names'>, value: unknown, columns: readonly string[]): Block[] {
  const blocks = readBlocks(value);
  return [...blocks, { id: freshId(blocks), name: newName(field.names, blocks), columns }];
}

export function withColumns(value: unknown, id: string, columns: readonly string[]): Block[] {
  const blocks = readBlocks(value);
  if (!blocks.some((block) => block.id === id)) return [...blocks, { id, name: null, columns }];
  return blocks.map((block) => (block.id === id ? { ...block, columns } : block));
}

/** A group one place up or down; the loose variables stay where they are. */
export function moved(value: unknown, id: string, by: -1 | 1): Block[] {
  const blocks = readBlocks(value);
  const at = blocks.findIndex((block) => block.id === id);
  const other = blocks[at + by];
  const block = blocks[at];
  if (block === undefined || other === undefined || other.id === LOOSE) return blocks;
  return blocks.with(at, other).with(at + by, block);
}

export const newKey = (field: string): string => `${field}/+`;
export const blockKey = (field: string, id: string): string => `${field}/${id}`;

/** One box for each group, one for the loose variables, and a place where a drop makes a new group. */
export function blockBoxes(field: BlocksField, value: unknown): Box[] {
  const needs = { measure: field.measure, varies: field.varies };
  const blocks = readBlocks(value);
  const named = blocks.filter((block) => block.id !== LOOSE);
  const common = { field: field.key, many: true, shared: [], needs };
  const boxes: Box[] = named.map((block) => ({
    ...common,
    key: blockKey(field.key, block.id),
    title: block.name ?? block.id,
    min: field.size[0],
    max: field.size[1],
    badge: (block.name ?? '组').slice(0, 1),
    read: (current) => [...(readBlocks(current).find(({ id }) => id === block.id)?.columns ?? [])],
    write: (current, ids) => withColumns(current, block.id, ids),
  }));
  if (field.max === null || named.length < field.max)
    boxes.push({
      ...common,
      key: newKey(field.key),
      title: `第 ${named.length + 1} 组`,
      min: named.length < field.min ? 1 : 0,
      max: field.size[1],
      badge: '组',
      read: () => [],
      write: (current, ids) => (ids.length === 0 ? current : withNew(field, current, ids)),
    });
  if (field.loose)
    boxes.push({
      ...common,
      key: blockKey(field.key, LOOSE),
      title: `不分组的变量`,
      min: 0,
      max: null,
      badge: '散',
      read: (current) => [...(readBlocks(current).find(({ id }) => id === LOOSE)?.columns ?? [])],
      write: (current, ids) => withColumns(current, LOOSE, ids),
    });
  return boxes;
}

/** Columns that are gone leave their groups. */
export function prunedBlocks(value: unknown, has: (id: string) => boolean): unknown {
  return readBlocks(value).map((block) => ({ ...block, columns: block.columns.filter(has) }));
}
