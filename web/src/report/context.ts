/** What every block of a report needs to know, without passing it through each. */
import type { Remedy } from '@hengxi/contracts/contract';
import { READING } from '@hengxi/contracts/format';
import { createContext, useContext } from 'react';

import { createPointer, type Pointer } from './pointer.ts';
import { PRESENTATION, type PresentationHand } from './presentation.ts';

/** Rows of the data behind a number of the report. */
export interface RowsAsked {
  set: 'used' | 'filtered' | 'missing' | 'rows';
  column?: string;
  rows?: number[];
}

export interface ReportHand {
  presentation: PresentationHand;
  readonly: boolean;
  /** Narrow surroundings: the result pane, a phone. */
  compact: boolean;
  numbers: ReadonlyMap<string, string>;
  /** Row and mark linked by hover: the table's key and its row. */
  pointer: Pointer;
  /** Put before the ids of sections: two reports on one page must not share them. */
  scope: string;
  onRemedy: ((remedy: Remedy) => void) | undefined;
  onRows: ((asked: RowsAsked) => void) | undefined;
  onFile: ((fileId: string, name: string) => void) | undefined;
  onMakeData: ((element: string) => void) | undefined;
  /** Row limits below which a share hides counts. */
  hideSmall: boolean;
}

const nothing = (): void => undefined;

export const ReportContext = createContext<ReportHand>({
  presentation: { value: PRESENTATION, change: nothing, undo: nothing, redo: nothing, canUndo: false, canRedo: false },
  readonly: true,
  compact: false,
  numbers: new Map(),
  pointer: createPointer(),
  scope: '',
  onRemedy: undefined,
  onRows: undefined,
  onFile: undefined,
  onMakeData: undefined,
  hideSmall: false,
});

export function useReport(): ReportHand {
  return useContext(ReportContext);
}

export function useReading() {
  return useContext(ReportContext).presentation.value.reading ?? READING;
}
