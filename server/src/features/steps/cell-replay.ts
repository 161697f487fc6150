/** A step of single cells, run anew: what it asks for, and what it says of itself afterwards. */
import { z } from 'zod';
import { Cell } from '../files/schema.ts';
import type { Column, Step } from '../files/schema.ts';
import { CellsMeta } from '../files/service.ts';
import { cellsStep, goneText } from './describe.ts';

const Written = CellsMeta.shape.changes.element;
const Cells = z.array(
  z.object({ row: z.number(), column: z.string(), old: Cell.optional(), new: Cell, case: Written.shape.case }),
);

/** What a replay tells of such a step; a step of another kind has neither. */
export const CellReplayResult = z.looseObject({
  cells: z.array(Written).nullish(),
  cells_gone: z.number().default(0),
  /** Of a replacement, or of rows and columns put in or taken out: see `grid-edits.ts`. */
  told: z.unknown().optional(),
});
export type CellReplayResult = z.infer<typeof CellReplayResult>;

/**
 * What is to be written, and where. In data of the same import a row is known as a case, whatever stands in the cell by
 * now; in other data the row of that number may be another case: there it is written only over the same value.
 */
export function cellReplayRequest(cells: unknown, isSameImport: boolean): object[] {
  return Cells.parse(cells).map(({ new: value, case: of, row, column, old }) =>
    of && isSameImport
      ? { row, column, value, case: of }
      : { row, column, value, ...(old === undefined ? {} : { old }) },
  );
}

/** The step with the rows where its cases stand now. Cells without a place are kept: they may have one again. */
export function replayedCellStep(step: Step, done: CellReplayResult, columns: Column[]): Step {
  const names = z.record(z.string(), z.string()).catch({}).parse(step.params['names']);
  const written = done.cells ?? [];
  const key = (of: unknown, column: string): string => `${JSON.stringify(of)} ${column}`;
  const now = new Map(written.map((cell) => [key(cell.case, cell.column), cell]));
  const cells = Cells.parse(step.params['cells']).map((cell) => {
    const placed = cell.case ? now.get(key(cell.case, cell.column)) : undefined;
    return placed ? { ...cell, row: placed.row, old: placed.old } : cell;
  });
  const replayed = cellsStep(written, columns, names);
  const lost = done.cells_gone > 0 ? [goneText(done.cells_gone)] : [];
  return {
    ...step,
    title: step.titled || written.length === 0 ? step.title : replayed.title,
    changes: [...(written.length > 0 ? replayed.changes : []), ...lost],
    params: { ...step.params, cells },
  };
}
