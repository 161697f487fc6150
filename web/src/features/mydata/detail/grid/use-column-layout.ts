/** Widths and the frozen first column of one file, kept on this device for all its versions. */
import type { Column } from '@hengxi/server/files/schema';
import { useMemo, useState } from 'react';

import { readStored, type StorageKey, writeStored } from '../../../../lib/storage.ts';
import { columnWidth } from './cell-text.ts';
import { boundWidth, type ColumnLayout, layoutOf } from './column-layout.ts';

interface StoredLayout {
  widths: Readonly<Record<string, number>>;
  frozen: boolean;
}

const NOTHING: StoredLayout = { widths: {}, frozen: false };

/** What was kept by another release may be anything. */
export function readStoredLayout(text: string | null): StoredLayout {
  if (text === null) return NOTHING;
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null) return NOTHING;
    const widths = 'widths' in stored && typeof stored.widths === 'object' ? Object.entries(stored.widths ?? {}) : [];
    const good = widths.flatMap(([id, width]): [string, number][] =>
      typeof width === 'number' && Number.isFinite(width) ? [[id, boundWidth(width)]] : [],
    );
    return { widths: Object.fromEntries(good), frozen: 'frozen' in stored && stored.frozen === true };
  } catch {
    return NOTHING;
  }
}

export interface GridLayout {
  layout: ColumnLayout;
  frozen: boolean;
  /** null: back to the width that fits. */
  resize: (column: string, width: number | null) => void;
  freeze: (on: boolean) => void;
}

export function useColumnLayout(fid: number, columns: readonly Column[]): GridLayout {
  const key: StorageKey = `hx_grid_${fid}`;
  const [storedLayout, setKept] = useState(() => readStoredLayout(readStored(key)));
  const natural = useMemo(() => columns.map(columnWidth), [columns]);
  const widths = useMemo(
    () => columns.map((column, at) => storedLayout.widths[column.id] ?? natural[at] ?? 0),
    [columns, natural, storedLayout.widths],
  );
  const layout = useMemo(() => layoutOf(widths, storedLayout.frozen), [widths, storedLayout.frozen]);
  const keep = (next: StoredLayout) => {
    setKept(next);
    writeStored(key, JSON.stringify(next));
  };
  return {
    layout,
    frozen: storedLayout.frozen,
    resize: (column, width) => {
      const { [column]: _, ...others } = storedLayout.widths;
      keep({ ...storedLayout, widths: width === null ? others : { ...others, [column]: boundWidth(width) } });
    },
    freeze: (on) => keep({ ...storedLayout, frozen: on }),
  };
}
