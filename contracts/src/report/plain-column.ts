import type { TableColumn } from '../../generated/contract.ts';

/** A column of a report table that stands alone: titled by its key and with nothing special but what `more` says. */
export function plainColumn(
  key: string,
  format: TableColumn['format'] = 'num',
  more: Partial<TableColumn> = {},
): TableColumn {
  return {
    key,
    title: key,
    format,
    hint: null,
    span: [],
    parts: null,
    part_format: null,
    around: null,
    stars: null,
    decimals: null,
    unit: null,
    wide: null,
    action: null,
    ...more,
  };
}
