/**
 * Dragging variables into boxes. The only module that knows the drag library: lists and boxes use the hooks below, and what a drop
 * means is decided by box.ts. Enter, digits, the arrow button and a double click go through `send`, so that they mean the same.
 */
import type { CollisionDetection, DragEndEvent, DragOverEvent, DragStartEvent } from '@dnd-kit/core';
import {
  DndContext,
  DragOverlay,
  MeasuringStrategy,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useMemo, useState } from 'react';

import { toast } from '../../lib/toast.ts';
import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import { titleOf } from '../column.ts';
import { useForm } from '../form-context.tsx';
import type { Box } from './box.ts';
import { firstFitting, idsIn, place, placementText, remove, room, whyNowhere } from './box.ts';
import type { Misfit } from './fit.ts';
import { misfitOf } from './fit.ts';
import styles from './variable-boxes.module.css';

interface Dragged {
  ids: readonly string[];
  /** Key of the box the variables come from; null from a list. */
  from: string | null;
}

interface Over {
  box: string;
  item: string | null;
}

export interface Refused {
  box: string;
  ids: readonly string[];
  misfit: Misfit;
}

interface Boxes {
  dragged: Dragged | null;
  over: Over | null;
  refused: Refused | null;
  dismiss(): void;
  /** Puts variables into a box, or into the first that takes them. False when nothing was taken. */
  send(ids: readonly string[], box?: Box): boolean;
}

const BoxesContext = createContext<Boxes | null>(null);

export function useBoxes(): Boxes {
  const boxes = use(BoxesContext);
  if (boxes === null) throw new Error('a box stands outside of VariableBoxes');
  return boxes;
}

const INSTRUCTIONS = {
  draggable: '用方向键选中变量，按回车放入第一个合适的框，按数字键放入第几个框。',
};

/** An item of a box wins over the box it lies in. */
const collision: CollisionDetection = (args) => {
  const hits = pointerWithin(args);
  const items = hits.filter((hit) => String(hit.id).startsWith('item:'));
  return items.length > 0 ? items : hits;
};

function readOver(id: string | number | undefined): Over | null {
  const [kind, box, item] = String(id ?? '').split(':');
  if (box === undefined || (kind !== 'box' && kind !== 'item')) return null;
  return { box, item: item ?? null };
}

function readDragged(id: string | number, selection: readonly string[]): Dragged | null {
  const [kind, first, second] = String(id).split(':');
  if (kind === 'pill' && first !== undefined && second !== undefined) return { ids: [second], from: first };
  if (kind !== 'list' || first === undefined) return null;
  // Dragging one of the selected variables drags them all.
  return { ids: selection.includes(first) ? selection : [first], from: null };
}

export interface VariableBoxesProps {
  children: ReactNode;
  /** A box that opens something instead of taking the variable (the filter's rows). */
  onOpen: (box: Box, ids: readonly string[]) => void;
}

export function VariableBoxes({ children, onOpen }: VariableBoxesProps) {
  const tools = useForm();
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [over, setOver] = useState<Over | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 300, tolerance: 8 } }),
  );

  const drop = useCallback(
    (ids: readonly string[], box: Box, item: string | null): boolean => {
      const { form, boxes, apply, announce } = tools;
      const columns = [...tools.columns, ...tools.sets];
      if (box.opens === true) {
        onOpen(box, ids);
        return true;
      }
      const at = item === null ? undefined : idsIn(form, box).indexOf(item);
      const aim = item === null || at === undefined || at < 0 ? {} : { at, over: item };
      const placement = place(form, boxes, box, ids, columns, aim);
      const text = placementText(placement, box, columns);
      announce(text);
      const [first] = placement.bounced;
      if (placement.added.length === 0) {
        setRefused(first === undefined ? null : { box: box.key, ids, misfit: first.misfit });
        return false;
      }
      setRefused(null);
      apply(placement.form, text);
      if (first !== undefined || placement.left.length > 0) toast.note(text, { ms: 3000 });
      return true;
    },
    [tools, onOpen],
  );

  const send = useCallback(
    (ids: readonly string[], box?: Box): boolean => {
      if (ids.length === 0 || tools.readOnly) return false;
      const { form, boxes, announce } = tools;
      const columns = [...tools.columns, ...tools.sets];
      const target = box ?? firstFitting(form, boxes, ids, columns);
      if (target !== null) return drop(ids, target, null);
      const why = whyNowhere(form, boxes, ids, columns);
      // The refusal of a drop, with its remedies: the keyboard is owed the same.
      if ('refusedBy' in why) return drop(ids, why.refusedBy, null);
      announce(why.text);
      toast.note(why.text);
      return false;
    },
    [tools, drop],
  );

  const start = ({ active }: DragStartEvent): void => {
    setRefused(null);
    setDragged(readDragged(active.id, tools.selection));
  };
  const move = ({ over }: DragOverEvent): void => setOver(readOver(over?.id));
  const stop = (): void => {
    setDragged(null);
    setOver(null);
  };
  const end = (event: DragEndEvent): void => {
    const aim = readOver(event.over?.id);
    const box = tools.boxes.find((one) => one.key === aim?.box);
    if (dragged !== null && box !== undefined) drop(dragged.ids, box, aim?.item ?? null);
    else if (dragged?.from !== null && dragged !== null) takeOut(dragged);
    stop();
  };
  const takeOut = ({ ids, from }: Dragged): void => {
    const box = tools.boxes.find((one) => one.key === from);
    if (box === undefined) return;
    const names = ids
      .map((id) => tools.known.get(id))
      .filter((column) => column !== undefined)
      .map(titleOf)
      .join('、');
    tools.apply(remove(tools.form, box, ids), `将“${names}”移出${box.title}`);
    tools.announce(`已将“${names}”移出${box.title}`);
  };

  const value = useMemo<Boxes>(
    () => ({ dragged, over, refused, dismiss: () => setRefused(null), send }),
    [dragged, over, refused, send],
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collision}
      measuring={{ droppable: { strategy: MeasuringStrategy.Always } }}
      autoScroll={{ threshold: { x: 0, y: 0.06 } }}
      accessibility={{ screenReaderInstructions: INSTRUCTIONS, announcements: SILENT }}
      onDragStart={start}
      onDragOver={move}
      onDragEnd={end}
      onDragCancel={stop}
    >
      <BoxesContext value={value}>{children}</BoxesContext>
      <DragOverlay dropAnimation={null} zIndex={1200}>
        {dragged === null ? null : <Ghost ids={dragged.ids} />}
      </DragOverlay>
    </DndContext>
  );
}

// Our own live region says what a drop did; the library would read ids aloud.
const silent = (): undefined => undefined;
const SILENT = { onDragStart: silent, onDragOver: silent, onDragEnd: silent, onDragCancel: silent };

function Ghost({ ids }: { ids: readonly string[] }) {
  const { known } = useForm();
  const first = known.get(ids[0] ?? '');
  if (first === undefined) return null;
  return (
    <div className={styles['ghost']}>
      {ids.length === 1 ? <MeasureIcon kind={measureKind(first)} decorative /> : null}
      <span>{ids.length === 1 ? titleOf(first) : `${ids.length} 个变量`}</span>
    </div>
  );
}

/** Makes a row of a list draggable. The row keeps its own role and focus: only the pointer is taken. */
export function useDraggableRow(id: string) {
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: `list:${id}` });
  return { ref: setNodeRef, listeners, isDragging };
}

export function useDraggablePill(box: string, id: string) {
  const drag = useDraggable({ id: `pill:${box}:${id}` });
  const drop = useDroppable({ id: `item:${box}:${id}` });
  const { setNodeRef: setDrag } = drag;
  const { setNodeRef: setDrop } = drop;
  const ref = useCallback(
    (node: HTMLElement | null) => {
      setDrag(node);
      setDrop(node);
    },
    [setDrag, setDrop],
  );
  return { ref, listeners: drag.listeners, isDragging: drag.isDragging };
}

export function useDropBox(box: string) {
  return useDroppable({ id: `box:${box}` }).setNodeRef;
}

export type DragStatus =
  | { is: 'idle' }
  /** Takes all or some of what is dragged. */
  | { is: 'fits'; over: boolean; full: boolean; some: boolean }
  /** `said`: the reason where there is room for little; of several variables it names the one it is about. */
  | { is: 'misfit'; over: boolean; misfit: Misfit; said: string };

/** How a box looks while something is dragged. */
export function useDragStatus(box: Box): DragStatus {
  const { dragged, over } = useBoxes();
  const { known, form } = useForm();
  return useMemo(() => {
    if (dragged === null) return { is: 'idle' };
    const isOver = over?.box === box.key;
    if (dragged.from === box.key) return { is: 'fits', over: isOver, full: false, some: false };
    const columns = dragged.ids.map((id) => known.get(id)).filter((column) => column !== undefined);
    const misfits = columns.map((column) => misfitOf(column, box.needs)).filter((one) => one !== null);
    const [first] = misfits;
    if (first !== undefined && misfits.length === columns.length)
      return { is: 'misfit', over: isOver, misfit: first, said: columns.length === 1 ? first.why : first.text };
    return { is: 'fits', over: isOver, full: room(form, box) === 0, some: misfits.length > 0 };
  }, [dragged, over, box, known, form]);
}
