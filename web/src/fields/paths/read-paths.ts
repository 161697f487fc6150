/** Arrows between the entries of other fields, as the wire has them, and where they stand on the canvas. */
import type { PathsField } from '@hengxi/contracts/contract';

import type { Column } from '../column.ts';
import { titleOf } from '../column.ts';
import { isRecord, listOf, recordsOf, textOf } from '../form.ts';

export type PathKind = PathsField['kinds'][number];

export interface Edge {
  source: string;
  target: string;
  kind: PathKind;
  free: boolean;
  value: number | null;
}

export interface Place {
  x: number;
  y: number;
}

export interface PathsValue {
  edges: readonly Edge[];
  at: ReadonlyMap<string, Place>;
}

export interface PathNode {
  id: string;
  name: string;
  /** A variable of the data is drawn as a box, anything else as an ellipse. */
  observed: boolean;
}

export function readPaths(field: PathsField, value: unknown): PathsValue {
  const given = isRecord(value) ? value : {};
  const edges = recordsOf(given['edges']).map((edge) => ({
    source: textOf(edge['source']),
    target: textOf(edge['target']),
    kind: edge['kind'] === 'cov' || edge['kind'] === 'path' ? edge['kind'] : (field.kinds[0] ?? 'path'),
    free: edge['free'] !== false,
    value: typeof edge['value'] === 'number' ? edge['value'] : null,
  }));
  const at = new Map<string, Place>();
  for (const [id, place] of Object.entries(isRecord(given['at']) ? given['at'] : {})) {
    const [x, y] = listOf(place);
    if (typeof x === 'number' && typeof y === 'number') at.set(id, { x, y });
  }
  return { edges, at };
}

export function writePaths({ edges, at }: PathsValue): unknown {
  return { edges, at: Object.fromEntries([...at].map(([id, { x, y }]) => [id, [Math.round(x), Math.round(y)]])) };
}

/** The entries of blocks, records and roles. */
export function nodesOf(
  field: PathsField,
  form: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, Column>,
): PathNode[] {
  return field.nodes.flatMap((key) =>
    listOf(form[key]).flatMap((entry): PathNode[] => {
      if (isRecord(entry) && typeof entry['id'] === 'string' && entry['id'] !== 'loose')
        return [{ id: entry['id'], name: textOf(entry['name'] ?? entry['id']), observed: false }];
      const column = typeof entry === 'string' ? known.get(entry) : undefined;
      return column === undefined ? [] : [{ id: column.id, name: titleOf(column), observed: true }];
    }),
  );
}

const sameEdge = (a: Edge, b: Edge): boolean =>
  a.kind === b.kind &&
  ((a.source === b.source && a.target === b.target) ||
    (a.kind === 'cov' && a.source === b.target && a.target === b.source));

/** The arrow added; null where it is there already or leads to itself. */
export function withEdge(paths: PathsValue, edge: Edge): PathsValue | null {
  if (edge.source === edge.target || paths.edges.some((other) => sameEdge(other, edge))) return null;
  return { ...paths, edges: [...paths.edges, edge] };
}

/** As wide as the card of the form, so that letters keep their size. */
export const CANVAS = { width: 360, height: 240 } as const;
export const NODE = { width: 88, height: 36 } as const;

/** Where the nodes stand: as the user put them, the others in columns by how many arrows lead to them. */
export function placesOf(nodes: readonly PathNode[], paths: PathsValue): ReadonlyMap<string, Place> {
  const depth = new Map(nodes.map((node) => [node.id, 0]));
  // As many rounds as there are nodes: arrows in a circle end too.
  for (let round = 0; round < nodes.length; round += 1) {
    for (const { source, target, kind } of paths.edges) {
      const from = depth.get(source);
      const to = depth.get(target);
      if (kind === 'path' && from !== undefined && to !== undefined && to <= from && from + 1 < nodes.length)
        depth.set(target, from + 1);
    }
  }
  const columns = new Map<number, PathNode[]>();
  for (const node of nodes) {
    const column = depth.get(node.id) ?? 0;
    columns.set(column, [...(columns.get(column) ?? []), node]);
  }
  const places = new Map<string, Place>();
  const sorted = [...columns].toSorted(([a], [b]) => a - b);
  sorted.forEach(([, members], at) =>
    members.forEach((node, row) =>
      places.set(
        node.id,
        paths.at.get(node.id) ?? {
          x: ((at + 0.5) * CANVAS.width) / sorted.length,
          y: ((row + 0.5) * CANVAS.height) / members.length,
        },
      ),
    ),
  );
  return places;
}

/** Where a line from `from` meets the border of the node at `to`. */
export function borderPoint(from: Place, to: Place): Place {
  const [dx, dy] = [from.x - to.x, from.y - to.y];
  if (dx === 0 && dy === 0) return to;
  const scale = Math.min(
    dx === 0 ? Infinity : NODE.width / 2 / Math.abs(dx),
    dy === 0 ? Infinity : NODE.height / 2 / Math.abs(dy),
  );
  return { x: to.x + dx * scale, y: to.y + dy * scale };
}
