/**
 * What an order costs, in whole fen: one rule for the page that shows it and the server whose result counts.
 *
 *   unit  = max(0, fee - discount)       discount and rate only while the discount runs
 *   price = floor(unit * rate * quantity / 100), rounded once
 *   total = max(0, price - coupon)
 */

/** Quantities of personal packages (specification section 9). */
export const QUANTITY_MAX = 99;

export interface Pricing {
  /** Fen, 0 … 10^8. */
  fee: number;
  /** Fen off each piece. */
  discount: number;
  discount_enabled: boolean;
  /** Percent that is paid, 1 … 100. */
  discount_rate: number;
  /** ISO instants, half-open; null is without a bound. */
  discount_from: string | null;
  discount_to: string | null;
}

export interface Price {
  /** Before the coupon. */
  price: number;
  total: number;
  /** What the same would cost without the discount. */
  full: number;
}

/** Whether the discount runs at an instant. */
export function discountRuns(pricing: Pricing, now: Date): boolean {
  if (!pricing.discount_enabled) return false;
  const at = now.getTime();
  const { discount_from: from, discount_to: to } = pricing;
  return (from === null || at >= Date.parse(from)) && (to === null || at < Date.parse(to));
}

/** A whole quantity from 1 to `most`, or null: never rounded, never read out of other spellings ("9e1", 1.5). */
export function readQuantity(value: unknown, most = QUANTITY_MAX): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most ? value : null;
}

/**
 * Price of `quantity` pieces with a coupon of `coupon` fen at an instant.
 * Exact: with fees up to 10^8 and 2,000 pieces the product stays below 2^53.
 * Throws RangeError for anything that is not a whole number in range.
 */
export function priceOf(pricing: Pricing, quantity: number, coupon: number, now: Date): Price {
  const { fee, discount, discount_rate: rate } = pricing;
  demand(fee, 0, 100_000_000);
  demand(discount, 0, Number.MAX_SAFE_INTEGER);
  demand(rate, 1, 100);
  demand(quantity, 1, 2000);
  demand(coupon, 0, Number.MAX_SAFE_INTEGER);
  const runs = discountRuns(pricing, now);
  const unit = runs ? Math.max(0, fee - discount) : fee;
  const product = unit * (runs ? rate : 100) * quantity;
  // Of whole numbers: the remainder is exact where a quotient would be rounded.
  const price = (product - (product % 100)) / 100;
  return { price, total: Math.max(0, price - coupon), full: fee * quantity };
}

function demand(value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${value} is not a whole number from ${least} to ${most}`);
}

/** 27920 → "279.20"; for showing and for providers that want yuan. */
export function yuan(fen: number): string {
  const sign = fen < 0 ? '-' : '';
  const whole = Math.abs(fen);
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

/** "279.20" or "279.2" or "279" → 27920; null for anything else, so that a provider's text is never rounded. */
export function fenOf(text: string): number | null {
  const found = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text);
  if (!found) return null;
  return Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'));
}
