/** Selecting in a list as everywhere: click, Ctrl adds, Shift extends from the anchor. Plain data. */

export interface Selection {
  ids: readonly string[];
  /** Where the last click or arrow was. */
  focus: string | null;
  /** Where a range starts. */
  anchor: string | null;
}

export const NOTHING: Selection = { ids: [], focus: null, anchor: null };

function range(order: readonly string[], from: string, to: string): string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  return a < 0 || b < 0 ? [to] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** Selected ids in the order of the list, whatever order they were clicked in. */
const inOrder = (order: readonly string[], ids: ReadonlySet<string>): string[] => order.filter((id) => ids.has(id));

export function pick(
  selection: Selection,
  order: readonly string[],
  id: string,
  how: 'only' | 'toggle' | 'range',
): Selection {
  if (how === 'range' && selection.anchor !== null) {
    return { ids: range(order, selection.anchor, id), focus: id, anchor: selection.anchor };
  }
  if (how === 'toggle') {
    const ids = new Set(selection.ids);
    if (!ids.delete(id)) ids.add(id);
    return { ids: inOrder(order, ids), focus: id, anchor: id };
  }
  return { ids: [id], focus: id, anchor: id };
}

export function moveBy(selection: Selection, order: readonly string[], by: number, extend: boolean): Selection {
  if (order.length === 0) return selection;
  const at = selection.focus === null ? -1 : order.indexOf(selection.focus);
  // Nothing chosen yet: one step up starts at the end; as far up as can be (Home) is the first.
  const start = at >= 0 ? at : by === -1 ? order.length : -1;
  const to = Math.max(0, Math.min(order.length - 1, start + by));
  const id = order[to];
  return id === undefined ? selection : pick(selection, order, id, extend ? 'range' : 'only');
}

export function all(order: readonly string[]): Selection {
  return { ids: [...order], focus: order[0] ?? null, anchor: order[0] ?? null };
}
