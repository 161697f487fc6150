import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discountRuns, fenOf, priceOf, readQuantity, yuan } from './price.ts';
import type { Pricing } from './price.ts';

const NOW = new Date('2026-11-21T04:00:00Z');
const pricing = (fee: number, discount = 0, rate = 100, on = true): Pricing => ({
  fee,
  discount,
  discount_enabled: on,
  discount_rate: rate,
  discount_from: null,
  discount_to: null,
});

describe('priceOf', () => {
  test.each([
    [39900, 5000, 80, true, 1, 0, 27920],
    [39900, 5000, 80, true, 1, 2000, 25920],
    [3333, 0, 85, true, 1, 0, 2833],
    [3333, 0, 85, true, 3, 0, 8499],
    [9900, 0, 80, false, 99, 0, 980100],
    [1000, 2000, 50, true, 1, 0, 0],
    [3900, 0, 100, true, 1, 5000, 0],
    [1, 0, 50, true, 1, 0, 0],
    [1, 0, 50, true, 2, 0, 1],
  ])(
    'fee %i, discount %i, rate %i, on %s, quantity %i, coupon %i: %i',
    (fee, discount, rate, on, quantity, coupon, total) => {
      expect(priceOf(pricing(fee, discount, rate, on), quantity, coupon, NOW).total).toBe(total);
    },
  );

  test('a discount runs from its first instant to just before its last', () => {
    const timed = { ...pricing(1000, 100), discount_from: '2026-06-15T00:00:00Z', discount_to: '2026-08-05T00:00:00Z' };
    const at = (iso: string): boolean => discountRuns(timed, new Date(iso));
    expect([
      at('2026-06-14T23:59:59.999Z'),
      at('2026-06-15T00:00:00Z'),
      at('2026-08-04T23:59:59.999Z'),
      at('2026-08-05T00:00:00Z'),
    ]).toEqual([false, true, true, false]);
  });

  const fee = fc.integer({ min: 0, max: 100_000_000 });
  const some = fc.record({
    fee,
    discount: fee,
    rate: fc.integer({ min: 1, max: 100 }),
    on: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 99 }),
    coupon: fee,
  });

  test('equals rational arithmetic', () => {
    fc.assert(
      fc.property(some, ({ fee, discount, rate, on, quantity, coupon }) => {
        const unit = on ? BigInt(Math.max(0, fee - discount)) : BigInt(fee);
        const price = (unit * BigInt(on ? rate : 100) * BigInt(quantity)) / 100n;
        const total = price > BigInt(coupon) ? price - BigInt(coupon) : 0n;
        expect(priceOf(pricing(fee, discount, rate, on), quantity, coupon, NOW)).toMatchObject({
          price: Number(price),
          total: Number(total),
        });
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('falls with discount and coupon, rises with quantity and fee, and rounds away less than a fen a piece', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 0, max: 1000 }), ({ fee, discount, rate, quantity, coupon }, more) => {
        const of = (f: number, d: number, q: number, c: number): number =>
          priceOf(pricing(f, d, rate), q, c, NOW).total;
        const base = of(fee, discount, quantity, coupon);
        expect(of(fee, discount + more, quantity, coupon)).toBeLessThanOrEqual(base);
        expect(of(fee, discount, quantity, coupon + more)).toBeLessThanOrEqual(base);
        expect(of(Math.min(100_000_000, fee + more), discount, quantity, coupon)).toBeGreaterThanOrEqual(base);
        expect(of(fee, discount, Math.min(99, quantity + 1), coupon)).toBeGreaterThanOrEqual(base);
        const one = of(fee, discount, 1, 0);
        const all = of(fee, discount, quantity, 0);
        expect(quantity * one <= all && all < quantity * one + quantity).toBe(true);
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  test.each([[-1], [1.5], [Number.NaN], [Number.POSITIVE_INFINITY], [100_000_001]])('a fee of %d is no fee', (bad) => {
    expect(() => priceOf(pricing(bad), 1, 0, NOW)).toThrow(RangeError);
  });
});

test.each([['9e1'], [1.5], [0], [100], [-1], [null], ['1'], [Number.NaN]])('%j is no quantity', (value) => {
  expect(readQuantity(value)).toBeNull();
});

test('yuan and fen are each other’s inverse, and no other spelling is read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (fen) => {
      expect(fenOf(yuan(fen))).toBe(fen);
    }),
    { seed: 3 },
  );
  expect(['279.2', '279', '0.01'].map(fenOf)).toEqual([27920, 27900, 1]);
  expect(['279.200', '', '1e3', '-1', '1,000', ' 1', '.5', '１'].map(fenOf)).toEqual(
    Array.from({ length: 8 }, () => null),
  );
});
