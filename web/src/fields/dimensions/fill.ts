/** The dimensions kept of a questionnaire in the form of a method: where they go is what its declaration says. */
import type { Dimensions, Field } from '@hengxi/contracts/contract';
import type { MethodRow } from '@hengxi/server/analysis/schema';
import type { Dimension } from '@hengxi/server/files/schema';

import type { Form } from '../form.ts';
import { itemsOf, recordsOf } from '../form.ts';

interface Target {
  takes: Dimensions;
  fields: readonly Field[];
}

/** Ids of the items that the form holds. */
function heldIn(form: Form, { takes, fields }: Target): Set<string> {
  const value = form[takes.items];
  const isBlocks = fields.some(({ key, type }) => key === takes.items && type === 'blocks');
  const ids = isBlocks
    ? recordsOf(value).flatMap(({ columns }) => (Array.isArray(columns) ? columns : []))
    : itemsOf(value);
  return new Set(ids.filter((id) => typeof id === 'string'));
}

/** What a method takes of a dimension: all items, or those that it is to turn. */
export const itemsFor = (takes: Pick<Dimensions, 'turns'>, { columns, reversed }: Dimension): readonly string[] =>
  takes.turns ? reversed : columns;

/** The dimensions whose items are all in the form. */
export function placedIn(form: Form, target: Target, dimensions: readonly Dimension[]): Dimension[] {
  const held = heldIn(form, target);
  return dimensions.filter((one) => {
    const items = itemsFor(target.takes, one);
    return items.length > 0 && items.every((id) => held.has(id));
  });
}

/** The form with these dimensions, in their order; what else it holds stays, but for items of dimensions not wanted. */
export function withDimensions(
  form: Form,
  target: Target,
  dimensions: readonly Dimension[],
  wanted: readonly Dimension[],
): Form {
  const { takes, fields } = target;
  const known = new Set(dimensions.flatMap((one) => itemsFor(takes, one)));
  const next: Record<string, unknown> = { ...form, ...takes.form };
  const field = fields.find(({ key }) => key === takes.items);
  next[takes.items] =
    field?.type === 'blocks' ? blocksOf(form, takes, known, wanted) : listOf(form, takes, known, wanted);
  if (takes.rows !== null) next[takes.rows] = rowsOf(form, target, known, wanted);
  const [first] = wanted;
  const sameEnds = first !== undefined && wanted.every(({ low, high }) => low === first.low && high === first.high);
  if (sameEnds && takes.low !== null) next[takes.low] = first.low;
  if (sameEnds && takes.high !== null) next[takes.high] = first.high;
  return next;
}

function blocksOf(form: Form, takes: Dimensions, known: ReadonlySet<string>, wanted: readonly Dimension[]): unknown[] {
  const others = recordsOf(form[takes.items])
    .map((block) => ({
      ...block,
      columns: Array.isArray(block['columns']) ? block['columns'].filter((id) => !known.has(String(id))) : [],
    }))
    .filter(({ columns }) => columns.length > 0);
  const taken = new Set(others.map((block) => ('id' in block ? String(block.id) : '')));
  const fresh = wanted.map(({ id, name, columns }) => ({ id: taken.has(id) ? `q${id}` : id, name, columns }));
  return [...fresh, ...others];
}

function listOf(form: Form, takes: Dimensions, known: ReadonlySet<string>, wanted: readonly Dimension[]): unknown[] {
  const others = itemsOf(form[takes.items]).filter((item) => typeof item !== 'string' || !known.has(item));
  return [...wanted.flatMap((one) => itemsFor(takes, one)), ...others];
}

/** A row for each item that has something to say. */
function rowsOf(
  form: Form,
  { takes, fields }: Target,
  known: ReadonlySet<string>,
  wanted: readonly Dimension[],
): unknown[] {
  const { rows, reversed, name } = takes;
  const settings = fields.find(({ key }) => key === rows);
  const cell = settings?.type === 'settings' ? settings.cells.find(({ key }) => key === name) : undefined;
  const others = recordsOf(form[rows ?? '']).filter((row) => !known.has(String(row['for'])));
  const own = wanted.flatMap((dimension, at) =>
    dimension.columns.flatMap((id) => {
      const row: Record<string, unknown> = { for: id };
      if (reversed !== null && dimension.reversed.includes(id)) row[reversed] = true;
      if (name !== null) row[name] = cell?.type === 'integer' ? at + 1 : dimension.name;
      return Object.keys(row).length > 1 ? [row] : [];
    }),
  );
  return [...own, ...others];
}

/** Dimensions on the same scale as the first: a method that takes its ends takes no others beside them. */
export function onOneScale(takes: Pick<Dimensions, 'low' | 'turns'>, dimensions: readonly Dimension[]): Dimension[] {
  const [first] = takes.turns ? dimensions.filter(({ reversed }) => reversed.length > 0) : dimensions;
  if (takes.low === null || first === undefined) return [...dimensions];
  return dimensions.filter(({ low, high }) => low === first.low && high === first.high);
}

type Listed = Pick<MethodRow, 'kind' | 'takes_dimensions'>;

/** The step that turns reversed items in the data, and the one that makes scores of dimensions. */
export const recodeStep = <T extends Listed>(methods: readonly T[]): T | undefined =>
  methods.find(({ takes_dimensions: takes }) => takes?.turns === true);
export const scoreStep = <T extends Listed>(methods: readonly T[]): T | undefined =>
  methods.find(({ kind, takes_dimensions: takes }) => kind === 'processing' && takes?.turns === false);

/** Items that a method would take as they stand although they run against the others. */
export function unturned(takes: Dimensions, wanted: readonly Dimension[]): string[] {
  return takes.reversed === null && !takes.turns ? wanted.flatMap(({ reversed }) => reversed) : [];
}
