/** What a person types where a number is wanted: full-width signs, a true minus, a share as 1/3, percent with or without its sign. */

const FULL_WIDTH = /[\uFF01-\uFF5E]/gu;

export function halfWidth(text: string): string {
  return text
    .replaceAll(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('。', '.')
    .replaceAll(/[−–—]/gu, '-')
    .replaceAll('\u3000', ' ');
}

/** null: no number (yet). */
export function readNumber(typed: string): number | null {
  const text = halfWidth(typed).replaceAll(/[\s,]/gu, '').replace(/%$/u, '');
  if (text === '') return null;
  const share = /^(-?\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/u.exec(text);
  if (share !== null) {
    const below = Number(share[2]);
    return below === 0 ? null : Number(share[1]) / below;
  }
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/iu.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A fraction of the wire as the percent on screen, without the dust of binary fractions: 0.95 → 95. */
export function toShown(value: number, percent: boolean): number {
  return percent ? Number((value * 100).toPrecision(12)) : value;
}

export function fromShown(value: number, percent: boolean): number {
  return percent ? Number((value / 100).toPrecision(12)) : value;
}
