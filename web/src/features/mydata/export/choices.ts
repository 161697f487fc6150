/** What can be chosen for an export, and the call that follows from it. */
import type { ExportBody, ExportFormat, ExportOptions } from '@hengxi/server/exports/schema';

export const FORMATS: readonly { key: ExportFormat; title: string; hint: string }[] = [
  { key: 'xlsx', title: 'Excel（xlsx）', hint: '两张表：数据和编码表' },
  { key: 'csv', title: 'csv', hint: '任何软件都能打开，只有数据' },
  { key: 'sav', title: 'SPSS（sav）', hint: '标签、缺失码、变量类型都保留' },
  { key: 'dta', title: 'Stata（dta）', hint: '标签保留，缺失码写成 .a 到 .z' },
  { key: 'parquet', title: 'Parquet', hint: '供 Python、R 读取，体积最小' },
  { key: 'codebook', title: '编码表', hint: '变量、取值、标签和频数，不含数据' },
];

export interface Choices {
  format: ExportFormat;
  cells: 'values' | 'labels';
  encoding: 'utf-8-sig' | 'gb18030';
  quote: boolean;
  sheet: 'xlsx' | 'csv';
  filtered: boolean;
}

/** 前面加单引号 is ticked: it matters only where there is something to quote, and that is said beside it. */
export const FIRST: Choices = {
  format: 'xlsx',
  cells: 'values',
  encoding: 'utf-8-sig',
  quote: true,
  sheet: 'xlsx',
  filtered: false,
};

export function hasCells(format: ExportFormat): boolean {
  return format === 'csv' || format === 'xlsx';
}

/** Only the options of the chosen format travel. */
export function bodyOf({ format, cells, encoding, quote, sheet, filtered }: Choices): ExportBody {
  const options: ExportOptions = {};
  if (hasCells(format)) options.cells = cells;
  if (format === 'csv') Object.assign(options, { encoding, quote });
  if (format === 'codebook') Object.assign(options, { sheet, quote });
  return { format, options, filtered: filtered && format !== 'codebook' };
}
