/** How a spreadsheet shows a number as the report does: full precision below, the report's decimals, signs and stars on top. */
import type { CellNumber } from '../cell-text.ts';

const quoted = (literal: string): string => (literal === '' ? '' : `"${literal.replaceAll('"', '')}"`);

/**
 * A number format in Excel's language, e.g. `0.00"**"`, `[<0.001]"< .001"`, `0.0%`; null where the number can only
 * stand as text (absent, infinite). `after`: stars and marks behind the number.
 */
export function numberFormat({ x, text, kind }: CellNumber, after = ''): string | null {
  if (x === null || !Number.isFinite(x)) return null;
  const tail = quoted(after);
  const body = text.replace('%', '');
  const places = /\.(\d+)/.exec(body)?.[1]?.length ?? 0;
  const point = places > 0 ? `.${'0'.repeat(places)}` : '';
  if (text.includes('×10')) return `0${point}E+00${tail}`;
  if (kind === 'p') {
    const style = /^[<>]?\s*0?\./.test(text) && !/0\./.test(text) ? `.${'0'.repeat(places)}` : `0${point}`;
    if (text.startsWith('<')) return `[<0.001]${quoted(text + after)};${style}`;
    return text.startsWith('>') ? `[>=0.9995]${quoted(text + after)};${style}` : style + tail;
  }
  // A share too small for its decimals reads "< 0.1%".
  if (text.startsWith('<')) return `[<${x * 2}]${quoted(text + after)};0${point}%`;
  const own = `${text.includes(',') || kind === 'count' ? '#,##0' : '0'}${point}${kind === 'percent' ? '%' : ''}${tail}`;
  return `${own};"−"${own}`;
}
