/** The words of blocks as one text, to look for what they name. */
import type { BodyCell } from '../cell-text.ts';
import { type Block, wordsOf } from './block-types.ts';

export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap(partsOf).join('\n');
}

function partsOf(block: Block): string[] {
  switch (block.type) {
    case 'heading':
      return [block.text];
    case 'text':
      return [wordsOf(block.words)];
    case 'figures':
      return block.list.flatMap(({ title, value, note }) => [title, value, note ?? []].map(wordsOf));
    case 'list':
      return block.items.map(wordsOf);
    case 'formula':
      return [block.title];
    case 'table':
      return [
        wordsOf(block.title),
        wordsOf(block.notes),
        ...block.grid.head.flat().map(({ text }) => text),
        ...block.grid.body.slice(0, ROWS).flatMap(({ cells }) => cells.flatMap(wordsOfCell)),
      ];
    case 'figure':
      return [block.title, block.notes].map(wordsOf);
    default: {
      const unknown: never = block;
      return unknown;
    }
  }
}

/** Names of procedures stand in the first rows; thousands of rows are data. */
const ROWS = 200;

function wordsOfCell(cell: BodyCell | null): string[] {
  return cell === null || cell.numeric ? [] : [cell.text];
}
