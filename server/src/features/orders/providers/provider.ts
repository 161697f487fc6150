/** What every payment provider can do, and what a notice proves. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderName } from '../tables.ts';
import type { BillLine } from './bill-files.ts';

/** A payment as the provider states it, its signature and addressees checked. */
export interface PaidFact {
  provider: ProviderName;
  order_no: string;
  transaction_id: string;
  /** Fen. */
  amount: number;
  paid_at: Date;
  /** Who paid, in the provider's numbering; absent where it does not say. */
  payer?: string;
}

export interface Answer {
  status: number;
  type: string;
  body: string;
}

/** The signature is wrong, missing or too old: nothing of the notice is believed. */
export class BadSignature extends Error {}
/** Genuine, but not for us: another merchant, application, or currency. Kept and looked at; nothing is granted. */
export class WrongFacts extends Error {
  readonly fact: Partial<PaidFact>;
  constructor(message: string, fact: Partial<PaidFact> = {}) {
    super(message);
    this.fact = fact;
  }
}
/** Genuine and about something else (a refund, a closed trade): answered with success and forgotten. */
export class NotAPayment extends Error {}
/** The provider is slow, down or answers nonsense. */
export class ProviderBusy extends Error {}

export interface PaymentProvider {
  readonly name: ProviderName;
  /** Makes what is to be scanned. May be repeated with the same order. */
  open(order: { order_no: string; total: number; title: string; expires_at: Date }): Promise<{ code_url: string }>;
  query(order_no: string): Promise<PaidFact | 'unpaid' | 'unknown'>;
  close(order_no: string): Promise<'closed' | 'paid' | 'unknown'>;
  /** Repeating the same refund_no is the same refund. */
  refund(refund: {
    order_no: string;
    refund_no: string;
    total: number;
    amount: number;
  }): Promise<'done' | 'pending' | 'refused'>;
  /** What it counts for a day (2026-11-21, Shanghai). `none`: it has no bill; `later`: not made yet. */
  bill(day: string): Promise<BillLine[] | 'none' | 'later'>;
  /** Throws BadSignature, NotAPayment or WrongFacts. */
  readNotice(raw: Buffer, headers: IncomingHttpHeaders): Promise<PaidFact>;
  answer(ok: boolean): Answer;
}
