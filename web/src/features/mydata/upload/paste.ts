/** A block copied from Excel or WPS arrives as tab-separated text; it becomes a csv file like any other. */

import { csvField } from '@hengxi/contracts/csv';

const NAME = '粘贴的表格.csv';

/** Cells with line breaks are quoted on the clipboard, with doubled quotes inside. */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '"' && text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (sign === '"') quoted = false;
      else cell += sign;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === '\t') endCell();
    else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** At least two cells: a single word was meant for something else. */
export function isTable(text: string): boolean {
  const rows = parseBlock(text);
  return rows.length > 1 || (rows[0]?.length ?? 0) > 1;
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(csvField).join(',')).join('\n');
}

export function blockToFile(text: string): File {
  return new File([toCsv(parseBlock(text))], NAME, { type: 'text/csv' });
}
