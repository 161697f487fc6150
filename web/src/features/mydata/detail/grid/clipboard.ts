/** Blocks of cells as text, the way spreadsheets write and read them: tabs between cells, lines between rows. */

function field(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(field).join('\t')).join('\r\n');
}

/** A single value fills the selection; a block is repeated where the selection is a multiple of it, as spreadsheets do. */
export function tiled<T>(block: readonly (readonly T[])[], rows: number, columns: number): readonly (readonly T[])[] {
  const tall = block.length;
  const wide = Math.max(0, ...block.map((row) => row.length));
  if (tall === 0 || wide === 0) return [];
  const isMultiple = rows % tall === 0 && columns % wide === 0;
  if (!isMultiple || (rows === tall && columns === wide)) return block;
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (__, c) => block[r % tall]?.[c % wide]).filter((cell) => cell !== undefined),
  );
}

/** Written when the text is ready; the promise keeps the right that the key press gave. */
export async function writeLater(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') {
    await navigator.clipboard.writeText(await text);
    return;
  }
  const blob = text.then((found) => new Blob([found], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** Cells of the first table in a piece of HTML; a merged cell stands in its first place, the others are empty. */
export function tableOf(html: string): string[][] {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  const rows: string[][] = [];
  for (const [at, line] of Array.from(table?.rows ?? []).entries()) {
    const row = (rows[at] ??= []);
    let place = 0;
    for (const cell of line.cells) {
      while (row[place] !== undefined) place += 1;
      for (let down = 0; down < Math.max(1, cell.rowSpan); down += 1) {
        const below = (rows[at + down] ??= []);
        for (let right = 0; right < cell.colSpan; right += 1)
          below[place + right] = down === 0 && right === 0 ? cell.textContent.replace(/\s+/g, ' ').trim() : '';
      }
      place += cell.colSpan;
    }
  }
  return rows.slice(0, table?.rows.length ?? 0).map((row) => Array.from(row, (text) => text ?? ''));
}

/** What was copied, as tab-separated text: programs that put only a table of HTML on the clipboard are read too. */
export function pastedText(data: Pick<DataTransfer, 'getData'>): string {
  const plain = data.getData('text/plain');
  return plain === '' ? toTsv(tableOf(data.getData('text/html'))) : plain;
}
