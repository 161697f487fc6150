/** The coupon field: looked up only at exactly six characters, otherwise no discount; a failed look-up gives none. */
import { useEffect, useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { couponAmount } from '../queries.ts';

export const COUPON_LENGTH = 6;

export interface Coupon {
  text: string;
  /** The code that holds now, for the order; null without one. */
  code: string | null;
  /** Fen off. */
  amount: number;
  fault: string | null;
  isLooking: boolean;
  change: (text: string) => void;
}

interface CouponLookup {
  /** What the answer is about: code, buy type, package. */
  key: string;
  amount: number;
  fault: string | null;
}

export function useCoupon(buy: 1 | 3, subscription: number | null): Coupon {
  const [text, change] = useState('');
  const [lookup, setFound] = useState<CouponLookup | null>(null);
  const isWhole = text.length === COUPON_LENGTH && subscription !== null;
  const key = isWhole ? `${text} ${buy} ${subscription}` : '';
  useEffect(() => {
    if (key === '') return undefined;
    let isGone = false;
    const [code = '', type, id] = key.split(' ');
    couponAmount(code, type === '3' ? 3 : 1, Number(id)).then(
      (amount) => !isGone && setFound({ key, amount, fault: null }),
      (error: unknown) => !isGone && setFound({ key, amount: 0, fault: errorText(error) }),
    );
    return () => {
      isGone = true;
    };
  }, [key]);
  const now = lookup?.key === key ? lookup : null;
  return {
    text,
    code: now !== null && now.fault === null ? text : null,
    amount: now?.amount ?? 0,
    fault: now?.fault ?? null,
    isLooking: key !== '' && now === null,
    change: (next) => change(next.trim().toUpperCase().slice(0, COUPON_LENGTH)),
  };
}
