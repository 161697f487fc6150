/** What the process that writes a document is told, and what it says. */
import type { Chapter } from '@hengxi/contracts/report/blocks';
import type { UsedData } from '../../reports/service.ts';
import type { CombineOptions, ExportOptions, ReportFormat } from '../schema.ts';

/** Rows of a long table beyond those in its report, a page a line; `file` is the table's `more.file`. */
export interface KeptRows {
  chapter: number;
  file: string;
  path: string;
}

/** `path`: a csv of the cells; null where they stay behind. */
export interface PackedData extends Omit<UsedData, 'pages'> {
  path: string | null;
}

export interface Job {
  chapters: Chapter[];
  kept: KeptRows[];
  /** Of a package: the data of each chapter, null where it is gone. */
  data: (PackedData | null)[];
  /** The chapters are models of one table. */
  combine: CombineOptions | null;
  format: ReportFormat;
  options: ExportOptions;
  title: string;
  /** What stands on the cover below the title. */
  date: string;
  /** Where the document goes. */
  file: string;
  /** A folder of this job alone, for what is made on the way. */
  scratch: string;
  /** The browser that prints; null where none is installed. */
  browser: string | null;
}

/** Told after each step: how much of all is done. */
export type Tell = (done: number, of: number, text: string) => void;

export interface WrittenDocument {
  bytes: Uint8Array;
  /** With the dot: figures come alone or as an archive. */
  extension: string;
  notes: { code: string; text: string }[];
}

/** Something the person can mend; every other error is ours. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}
