/**
 * Long tables of a Word document. A table kept whole as objects takes some hundred kilobytes a row, so only the head is
 * written with the document; the rows follow as text, some hundred at a time, each part let go before the next.
 */
import { randomUUID } from 'node:crypto';
import type { TableLook } from '@hengxi/contracts/report/table-style';
import type { TableText } from '@hengxi/contracts/table-text';
import { Document, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { bodyRows, type TablePlan, tableShell } from './docx-table.ts';

/** Rows beyond this number are written in parts. */
export const LONG = 500;
const PART = 250;
const DOCUMENT = 'word/document.xml';

export class LongTables {
  private readonly rows = new Map<string, string[]>();

  /** The table with a mark where its rows shall stand. */
  async put(grid: TableText, look: TableLook, plan: TablePlan): Promise<Table> {
    const mark = randomUUID();
    const parts: string[] = [];
    for (let from = 0; from < grid.body.length; from += PART)
      parts.push(await rowsXml(bodyRows(grid, look, plan, { from, to: from + PART })));
    this.rows.set(mark, parts);
    return tableShell(grid, look, plan, [
      new TableRow({ children: [new TableCell({ children: [new Paragraph(mark)] })] }),
    ]);
  }

  /** The finished document with the rows in their places. */
  into(packed: Uint8Array): Uint8Array {
    if (this.rows.size === 0) return packed;
    const files = unzipSync(packed);
    let text = strFromU8(files[DOCUMENT] ?? new Uint8Array());
    for (const [mark, parts] of this.rows) {
      const at = text.indexOf(mark);
      const start = text.lastIndexOf('<w:tr>', at);
      const end = text.indexOf('</w:tr>', at) + '</w:tr>'.length;
      if (at < 0 || start < 0) throw new Error('The place of a long table is lost');
      text = text.slice(0, start) + parts.join('') + text.slice(end);
    }
    return zipSync({ ...files, [DOCUMENT]: strToU8(text) });
  }
}

/** The rows as they stand in a document of their own. */
async function rowsXml(rows: TableRow[]): Promise<string> {
  const packed = await Packer.toBuffer(new Document({ sections: [{ children: [new Table({ rows })] }] }));
  const text = strFromU8(unzipSync(new Uint8Array(packed))[DOCUMENT] ?? new Uint8Array());
  return text.slice(text.indexOf('<w:tr>'), text.lastIndexOf('</w:tr>') + '</w:tr>'.length);
}
