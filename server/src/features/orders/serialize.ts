/** Rows of orders as they are sent. */
import { midnightAfter, DAY_MS } from '../../lib/clock.ts';
import { calculateType } from './context.ts';
import type { Invoice, Order, Refund, Transfer } from './schema.ts';
import type { InvoiceRow, MoneySettings, OrderRow, RefundRow, TransferRow } from './tables.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The window ends with the last of its days in Shanghai. */
export const invoiceUntil = (paidAt: Date, days: number): Date =>
  midnightAfter(new Date(paidAt.getTime() + days * DAY_MS));

export const serializeRefund = (row: RefundRow): Refund => ({
  state: row.state,
  amount: row.amount,
  reason: row.reason,
  answer: row.answer,
  at: row.createdAt.toISOString(),
});

/** What stands beside an order: its newest refund asked for, its live invoice, its bank transfer. */
export interface OrderExtras {
  refund: RefundRow | null;
  invoice: InvoiceRow | null;
  transfer: TransferRow | null;
}

export function serializeOrder(row: OrderRow, beside: OrderExtras, now: Date, settings: MoneySettings): Order {
  const { refund, invoice, transfer } = beside;
  const isOpen = row.state === 'created' && row.expiresAt > now;
  const left = row.total - row.refunded;
  const inWindow = row.paidAt !== null && now < invoiceUntil(row.paidAt, settings.invoiceDays);
  const isAsked = refund !== null && refund.state !== 'refused';
  return {
    order_no: row.orderNo,
    kind: row.kind,
    subscription: { id: row.packageId, title: row.snapshot.title, calculate_type: calculateType(row.snapshot) },
    quantity: row.quantity,
    price: row.price,
    coupon: row.couponFen,
    total_fee: row.total,
    refunded: row.refunded,
    method: row.method,
    state: row.state,
    close_reason: row.closeReason,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    paid_at: iso(row.paidAt),
    refund: refund ? serializeRefund(refund) : null,
    invoice: invoice ? { id: invoice.id, state: invoice.state } : null,
    transfer: transfer?.state ?? null,
    can: {
      pay: isOpen,
      close: isOpen && (transfer === null || transfer.state === 'waiting'),
      invoice: row.state === 'paid' && left > 0 && inWindow && invoice === null && !isAsked,
      refund: row.state === 'paid' && row.total > 0 && !isAsked && invoice?.state !== 'issued',
    },
  };
}

export const serializeInvoice = (row: InvoiceRow, file: { isSample: boolean } | null): Invoice => ({
  id: row.id,
  order_no: row.orderNo,
  kind: row.kind,
  title: row.title,
  tax_no: row.taxNo,
  email: row.email,
  amount: row.amount,
  state: row.state,
  number: row.number,
  reason: row.reason,
  created_at: row.createdAt.toISOString(),
  issued_at: iso(row.issuedAt),
  has_file: file !== null,
  is_sample: file?.isSample ?? false,
});

export const serializeTransfer = (row: TransferRow, order: OrderRow, settings: MoneySettings): Transfer => ({
  order_no: row.orderNo,
  bank: settings.bank,
  bank_account: settings.bankAccount,
  company_name: settings.companyName,
  amount: row.amountFen,
  remark: row.remark,
  state: row.state,
  payer: row.payer,
  has_proof: row.proofId !== null,
  reason: row.reason,
  expires_at: order.expiresAt.toISOString(),
});
