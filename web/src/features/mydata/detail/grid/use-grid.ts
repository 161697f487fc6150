/** The parts a grid is made of, each knowing those before it: what is in sight, what is selected, editing, copying. */
import type { Column } from '@hengxi/server/files/schema';
import { useMemo } from 'react';

import { labelsOf } from './cell-text.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { FetchBlock } from './row-blocks.ts';
import type { Rect } from './selection.ts';
import { type Editing, useCellEditor } from './use-cell-editor.ts';
import { useCopy } from './use-copy.ts';
import { useGridSelection } from './use-grid-selection.ts';
import { useGridView } from './use-grid-view.ts';
import { readRange } from './use-range.ts';

export interface GridOf {
  columns: readonly Column[];
  rows: number;
  source: string;
  fetch: FetchBlock;
  labels: boolean;
  layout: ColumnLayout;
  editing: Editing | null;
  onTotal: (total: number) => void;
}

export type Grid = ReturnType<typeof useGrid>;

export function useGrid({ columns, rows, source, fetch, labels, layout, editing, onTotal }: GridOf) {
  const view = useGridView({ columns, rows, source, fetch, layout, onTotal });
  const selecting = useGridSelection(view, layout, columns.length);
  const words = useMemo(() => columns.map((column) => (labels ? labelsOf(column) : null)), [columns, labels]);
  const read = (rect: Rect) => readRange(view.blocks, columns, fetch, rect);
  const editor = useCellEditor({ editing, columns, total: view.total, labels: words, selecting, read });
  const onCopy = useCopy({ rect: selecting.rect, columns, labels: words, edits: editing?.cells ?? null, read });
  return { view, selecting, words, editor, onCopy, layout, read };
}
