/** What every block of a report needs to know, without passing it through each. */
import type { FilledForm, Remedy, Report } from '@hengxi/contracts/contract';
import type { RowsPage } from '@hengxi/contracts/report/join-rows';
import { type Reading, READING } from '@hengxi/contracts/format';
import { createContext, useContext } from 'react';

import type { Answered, Given } from '../lib/models.ts';
import { createPointer, type Pointer } from './pointer.ts';
import { PRESENTATION } from '@hengxi/contracts/report/presentation';
import { type PresentationActions } from './use-presentation.ts';

/** Rows of the data behind a number of the report. */
export interface RowsQuery {
  set: 'used' | 'filtered' | 'missing' | 'rows';
  column?: string;
  rows?: number[];
}

/** Rows of the data behind a point: their cells, and where they can be looked at. */
export interface CaseActions {
  /** Names the rows in the cache of the page, so that a point picked again is there at once. */
  key: string;
  read: (rows: readonly number[], signal: AbortSignal) => Promise<CasesPage>;
  /** The page of the data with these rows alone; null where the data are gone. */
  address: (rows: readonly number[]) => string | null;
}

export interface CasesPage {
  columns: {
    id: string;
    name: string;
    label: string | null;
    levels: { value: unknown; label: string | null }[] | null;
  }[];
  rows: unknown[][];
  /** Row numbers from 0. */
  index: number[];
}

/** One block as a file: a table as a workbook, a figure as PDF. */
export interface ExportWish {
  element: string;
  as: 'xlsx' | 'pdf';
  mm?: 85 | 140 | 180;
}

/** What may be done with a model of the report. */
export interface ModelActions {
  save: (id: number, name: string) => Promise<void>;
  ask: (id: number, cases: readonly Given[]) => Promise<Answered>;
  predict: (id: number, path: string) => void;
}

/** A number of a table as it is put on the pad. */
export interface PinnedNumber {
  block: string;
  /** 表 2 */
  source: string;
  row: string;
  column: string;
  shown: string;
  exact: string;
}

export interface ReportActions {
  /** 固定; absent for visitors. */
  onPin: ((pin: PinnedNumber) => void) | undefined;
  /** The first table an unrounded number stands in. */
  origins: ReadonlyMap<number, string>;
  /** How numbers of sentences are shown: as in the tables they stand in. */
  reading: Reading;
  /** The report the blocks are of; null where a block stands alone. */
  document: Report | null;
  presentation: PresentationActions;
  /** Which report the page keeps, for what is written here and not saved; null where none is kept. */
  keptAs: string | null;
  readonly: boolean;
  /** Narrow surroundings: the result pane, a phone. */
  compact: boolean;
  numbers: ReadonlyMap<string, string>;
  /** Row and mark linked by hover: the table's key and its row. */
  pointer: Pointer;
  /** Put before the ids of sections: two reports on one page must not share them. */
  scope: string;
  onRemedy: ((remedy: Remedy) => void) | undefined;
  onRows: ((asked: RowsQuery) => void) | undefined;
  /** Absent for visitors: they see no rows. */
  cases: CaseActions | undefined;
  /** 冻结控制限; absent where the report has none to keep. */
  onFreeze: (() => void) | undefined;
  onFile: ((fileId: string, name: string) => void) | undefined;
  /** Opens the analysis of a table that a report made to be filled in. */
  onAnalyse: ((vid: number, filled: FilledForm) => void) | undefined;
  onMakeData: ((element: string) => void) | undefined;
  /** Further rows of a long table, from `offset` on among those not in the document. */
  onMoreRows: ((file: string, offset: number) => Promise<RowsPage>) | undefined;
  /** Saving, asking and predicting with the report's models; absent for visitors. */
  models: ModelActions | undefined;
  /** Files of one block that the server makes; absent for visitors. */
  onExport: ((wish: ExportWish) => void) | undefined;
  /** Row limits below which a share hides counts. */
  hideSmall: boolean;
}

const nothing = (): void => undefined;

export const ReportContext = createContext<ReportActions>({
  onPin: undefined,
  origins: new Map(),
  reading: READING,
  document: null,
  presentation: { value: PRESENTATION, change: nothing, undo: nothing, redo: nothing, canUndo: false, canRedo: false },
  keptAs: null,
  readonly: true,
  compact: false,
  numbers: new Map(),
  pointer: createPointer(),
  scope: '',
  onRemedy: undefined,
  onRows: undefined,
  cases: undefined,
  onFreeze: undefined,
  onFile: undefined,
  onAnalyse: undefined,
  onMakeData: undefined,
  onMoreRows: undefined,
  models: undefined,
  onExport: undefined,
  hideSmall: false,
});

export function useReport(): ReportActions {
  return useContext(ReportContext);
}

export function useReading() {
  return useContext(ReportContext).reading;
}
