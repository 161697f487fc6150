/** What a report is written as, block by block; blocks.ts makes them. */
import type { ChartElement, PanelElement, Report, TableElement } from '../../generated/contract.ts';
import type { FigureSize } from '../chart/figure-edit.ts';
import type { FigureEdits } from '../chart/plate.ts';
import type { Token } from '../format.ts';
import type { TableText } from '../table-text.ts';
import type { TableStyle } from './table-style.ts';
import type { Presentation } from './presentation.ts';

/** One report of a document, with what its owner added and how it is to be read. */
export interface Chapter {
  report: Report;
  title: string;
  madeAt: string | null;
  /** The owner's own note on the report. */
  note: string;
  presentation: Presentation;
}

export type Saying = readonly Token[];

/** `part`: the group of a split report it is of; otherwise empty. */
interface Placed {
  key: string;
  part: string;
}

export interface TableBlock extends Placed {
  type: 'table';
  /** Number through the whole document. */
  n: number;
  title: Saying;
  /** What the table is of, for its caption, where its title does not say so: “按性别比较得分”. */
  subject: string;
  grid: TableText;
  /** The same without items beside each other, as a spreadsheet wants it. */
  flat: () => TableText;
  notes: Saying;
  /** Chosen for this table; null: that of the document. */
  style: TableStyle | null;
}

export interface FigureBlock extends Placed {
  type: 'figure';
  n: number;
  title: Saying;
  subject: string;
  figure: ChartElement | PanelElement;
  tables: ReadonlyMap<string, TableElement>;
  edits: FigureEdits;
  /** Chosen for this figure. */
  size: FigureSize | null;
  /** What is said below, after what the marks mean. */
  notes: Saying;
}

export type Block =
  | { type: 'heading'; level: 1 | 2 | 3; text: string }
  | { type: 'text'; as: 'body' | 'lead' | 'meta' | 'note' | 'warning'; words: Saying }
  | { type: 'figures'; list: { title: Saying; value: Saying; note: Saying | null }[] }
  /** works: with a hanging indent instead of the numbers of references. */
  | { type: 'list'; as: 'bullets' | 'numbers' | 'references' | 'works'; items: Saying[] }
  | { type: 'formula'; title: string; tex: string[] }
  | TableBlock
  | FigureBlock;

/** Title and subject, as they stand over a table and below a figure. */
export function captionOf({ title, subject }: Pick<TableBlock, 'title' | 'subject'>): Saying {
  return subject === '' ? title : [...title, { text: `：${subject}` }];
}

export function wordsOf(list: Saying): string {
  return list.map((t) => t.text).join('');
}
