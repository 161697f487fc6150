/**
 * One order at a time behind the QR code. Every change of what is bought makes a new order after a short pause; answers to
 * older questions are dropped; the picture expires; the state is asked every three seconds until it is paid.
 */
import type { OrderBody, OrderMade, PaymentState } from '@hengxi/server/orders/schema';
import { useCallback, useEffect, useRef, useState } from 'react';

import { ApiError } from '../../../lib/api.ts';
import { makeOrder, paymentState } from '../queries.ts';

export const SETTLE_MS = 400;
export const POLL_MS = 3000;

export interface Payment {
  order: OrderMade | null;
  /** An order is on its way. */
  isWorking: boolean;
  /** Why there is none, in the server's words. */
  fault: { text: string; code: number } | null;
  /** Seconds the picture is still good for; 0 when it has expired. */
  left: number;
  paid: PaymentState | null;
  /** A new order with a new picture, at once. */
  refresh: () => void;
}

export interface PaymentQuestion {
  /** null: nothing can be ordered yet. */
  body: OrderBody | null;
  /** A total of 0 is ordered by a click only; nothing is asked before. */
  isFree: boolean;
}

/** What was answered, and to which question. */
interface Answer {
  key: string;
  order: OrderMade | null;
  fault: Payment['fault'];
  until: number;
}

export function usePayment({ body, isFree }: PaymentQuestion): Payment {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [paid, setPaid] = useState<PaymentState | null>(null);
  const running = useRef<AbortController | null>(null);
  const now = useNow(monotonic);
  const key = body === null || isFree ? null : JSON.stringify(body);

  const ask = useCallback((question: string) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const asked: OrderBody = JSON.parse(question);
    makeOrder(asked, mine.signal).then(
      (order) => {
        if (mine.signal.aborted) return;
        setAnswer({ key: question, order, fault: null, until: monotonic() + order.timeout * 1000 });
      },
      (error: unknown) => {
        if (!mine.signal.aborted) setAnswer({ key: question, order: null, fault: faultOf(error), until: 0 });
      },
    );
  }, []);

  useEffect(() => {
    running.current?.abort();
    if (key === null) return undefined;
    const timer = setTimeout(() => ask(key), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [key, ask]);
  useEffect(() => () => running.current?.abort(), []);

  // What was shown for something else is gone at once, so that nobody pays for it.
  const mine = answer?.key === key ? answer : null;
  const order = mine?.order ?? null;
  usePolling(paid === null ? order : null, body?.qr ?? 1, setPaid);
  const refresh = useCallback(() => {
    if (key === null) return;
    setAnswer(null);
    ask(key);
  }, [key, ask]);
  return {
    order,
    isWorking: key !== null && mine === null,
    fault: mine?.fault ?? null,
    left: order?.qrcode && mine ? Math.min(order.timeout, secondsLeft(mine.until, now)) : 0,
    paid,
    refresh,
  };
}

function faultOf(error: unknown): { text: string; code: number } {
  return error instanceof ApiError
    ? { text: error.message, code: error.code }
    : { text: '下单失败，请稍后再试', code: 0 };
}

/** Whole seconds until an instant; the clock of the page may lag a second behind. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}

/** The clock for how long something is good: one that is set makes no picture good for longer. */
export const monotonic = (): number => performance.now();

/** The time of a clock, told every second. */
export function useNow(clock: () => number = Date.now): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}

/** Asks for the state of an open order; a lost answer is asked again by the next beat. */
export function usePolling(
  order: { order: { order_no: string; state: string } } | null,
  qr: NonNullable<OrderBody['qr']>,
  onPaid: (state: PaymentState) => void,
): void {
  const order_no = order?.order.order_no ?? null;
  const isPaid = order?.order.state === 'paid';
  useEffect(() => {
    if (order_no === null) return undefined;
    let isGone = false;
    const look = () =>
      paymentState(order_no, qr).then(
        (state) => {
          if (isGone || state.state !== 'paid') return;
          clearInterval(timer);
          onPaid(state);
        },
        () => undefined,
      );
    const timer = setInterval(() => void look(), POLL_MS);
    if (isPaid) void look();
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [order_no, isPaid, qr, onPaid]);
}
