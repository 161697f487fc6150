/** Invoices: asked for within the window, issued by finance. One live invoice an order. */
import { and, count, desc, eq, ne, sql } from 'drizzle-orm';
import { Readable } from 'node:stream';
import { violates } from '../../lib/db.ts';
import type { Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { slice } from '../../lib/paging.ts';
import { isPdf } from '../../lib/pictures.ts';
import type { Changed } from '../membership/service.ts';
import { lockBuyer, settingsOf } from './context.ts';
import type { Context } from './context.ts';
import { sampleInvoice } from './invoice-sample.ts';
import type { PdfPrinter } from './invoice-sample.ts';
import type { Invoice, InvoiceBody, InvoiceChange, InvoiceList } from './schema.ts';
import { loadOrder } from './store.ts';
import { invoiceFiles, invoices, refunds } from './tables.ts';
import type { InvoiceRow } from './tables.ts';
import { invoiceUntil, serializeInvoice } from './serialize.ts';

const PDF_MAX = 5 * 1024 * 1024;

/** What the downloads of the runs feature take. */
export interface PdfFile {
  name: string;
  type: string;
  size: number;
  open: () => Readable;
}

export function createInvoices(context: Context, print: PdfPrinter) {
  const { db, clock } = context;

  async function load(executor: Context['db'], userId: number, id: number): Promise<InvoiceRow> {
    const [row] = await executor
      .select()
      .from(invoices)
      .where(and(eq(invoices.id, id), eq(invoices.userId, userId)));
    if (!row) throw missing();
    return row;
  }

  const fileOf = async (id: number): Promise<{ isSample: boolean } | null> => {
    const [row] = await db
      .select({ isSample: invoiceFiles.isSample })
      .from(invoiceFiles)
      .where(eq(invoiceFiles.invoiceId, id));
    return row ?? null;
  };

  const wire = async (row: InvoiceRow): Promise<Invoice> =>
    serializeInvoice(row, row.state === 'issued' || row.state === 'voided' ? await fileOf(row.id) : null);

  async function lock(tx: Tx, id: number, version: number, states: InvoiceRow['state'][]): Promise<InvoiceRow> {
    const [row] = await tx.select().from(invoices).where(eq(invoices.id, id)).for('update');
    if (!row) throw missing();
    if (row.version !== version || !states.includes(row.state)) throw new Fault(30309);
    return row;
  }

  async function update(tx: Tx, row: InvoiceRow, set: Partial<InvoiceRow>): Promise<InvoiceRow> {
    const [after] = await tx
      .update(invoices)
      .set({ ...set, version: row.version + 1 })
      .where(eq(invoices.id, row.id))
      .returning();
    if (!after) throw missing();
    return after;
  }

  const fieldsOf = (body: InvoiceChange) => ({
    kind: body.kind,
    title: body.title,
    taxNo: body.kind === 'company' ? (body.tax_no ?? null) : null,
    email: body.email,
  });

  return {
    async ask(userId: number, body: InvoiceBody): Promise<Invoice> {
      try {
        return await work(db, async (tx) => {
          await lockBuyer(tx, userId);
          const order = await loadOrder(tx, { userId, enterpriseId: null }, body.order_no);
          const amount = order.total - order.refunded;
          const [refund] = await tx
            .select({ id: refunds.id })
            .from(refunds)
            .where(and(eq(refunds.orderNo, order.orderNo), eq(refunds.state, 'asked')));
          if (order.state !== 'paid' || !order.paidAt || amount <= 0 || refund) throw new Fault(30233);
          const { invoiceDays } = await settingsOf(tx);
          if ((await clock(tx)) >= invoiceUntil(order.paidAt, invoiceDays)) throw new Fault(30231);
          const [row] = await tx
            .insert(invoices)
            .values({ orderNo: order.orderNo, userId, amount, ...fieldsOf(body) })
            .returning();
          if (!row) throw new Error('INSERT gave no row');
          return serializeInvoice(row, null);
        });
      } catch (error) {
        if (violates(error, 'invoices_one_live')) throw new Fault(30232);
        throw error;
      }
    },

    async list(userId: number, page: { page: number; page_size: number }): Promise<InvoiceList> {
      const mine = eq(invoices.userId, userId);
      const { limit, offset } = slice(page);
      const rows = await db
        .select({ invoice: invoices, isSample: invoiceFiles.isSample })
        .from(invoices)
        .leftJoin(invoiceFiles, eq(invoiceFiles.invoiceId, invoices.id))
        .where(mine)
        .orderBy(desc(invoices.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(invoices).where(mine);
      return {
        total: all?.n ?? 0,
        list: rows.map(({ invoice, isSample }) => serializeInvoice(invoice, isSample === null ? null : { isSample })),
      };
    },

    read: async (userId: number, id: number): Promise<Invoice> => wire(await load(db, userId, id)),

    /** Corrects what is not issued yet; after a refusal it is asked for again. */
    async change(userId: number, id: number, body: InvoiceChange): Promise<Invoice> {
      return work(db, async (tx) => {
        await lockBuyer(tx, userId);
        const row = await load(tx, userId, id);
        if (row.state === 'issued' || row.state === 'voided') throw new Fault(30234);
        const order = await loadOrder(tx, { userId, enterpriseId: null }, row.orderNo);
        const amount = order.total - order.refunded;
        if (order.state !== 'paid' || amount <= 0) throw new Fault(30233);
        const after = await update(tx, row, { ...fieldsOf(body), amount, state: 'pending', reason: null });
        return serializeInvoice(after, null);
      });
    },

    /** Source of downloads of kind "invoice". */
    async download(owner: { kind: string; id: number }, id: number): Promise<PdfFile | null> {
      if (owner.kind !== 'user') return null;
      const [row] = await db
        .select({ pdf: invoiceFiles.pdf, number: invoices.number })
        .from(invoiceFiles)
        .innerJoin(invoices, eq(invoices.id, invoiceFiles.invoiceId))
        .where(and(eq(invoices.id, id), eq(invoices.userId, owner.id)));
      if (!row) return null;
      const pdf = Buffer.from(row.pdf);
      return {
        name: `发票-${row.number ?? id}.pdf`,
        type: 'application/pdf',
        size: pdf.length,
        open: () => Readable.from([pdf]),
      };
    },

    /** Desk: the real invoice as pdf, with its number. */
    async issue(
      tx: Tx,
      id: number,
      version: number,
      issued: { number: string; pdf: Uint8Array; isSample?: boolean },
    ): Promise<Changed<InvoiceRow>> {
      const pdf = Buffer.from(issued.pdf);
      if (!isPdf(pdf) || pdf.length > PDF_MAX) throw new Fault(30408, { detail: '请上传 5 MB 以内的 PDF 发票' });
      const before = await lock(tx, id, version, ['pending']);
      const after = await update(tx, before, { state: 'issued', number: issued.number, issuedAt: await clock(tx) });
      await tx
        .insert(invoiceFiles)
        .values({ invoiceId: id, isSample: issued.isSample ?? false, pdf: new Uint8Array(pdf) })
        .onConflictDoUpdate({
          target: invoiceFiles.invoiceId,
          set: { pdf: new Uint8Array(pdf), isSample: issued.isSample ?? false, createdAt: sql`now()` },
        });
      return { before, after };
    },

    /** The built-in picture of an invoice, which says that it is none; printed before the transaction that issues it. */
    async sample(id: number): Promise<{ number: string; pdf: Uint8Array; isSample: true }> {
      const [row] = await db.select().from(invoices).where(eq(invoices.id, id));
      if (!row) throw missing();
      const number = `SAMPLE${String(id).padStart(8, '0')}`;
      const { companyName } = await settingsOf(db);
      return { number, pdf: await print(sampleInvoice(row, number, companyName, await clock(db))), isSample: true };
    },

    /** Desk. */
    async refuse(tx: Tx, id: number, version: number, reason: string): Promise<Changed<InvoiceRow>> {
      const before = await lock(tx, id, version, ['pending']);
      return { before, after: await update(tx, before, { state: 'refused', reason }) };
    },

    /** Desk: 红冲. The order may have another one then, within the window. */
    async void(tx: Tx, id: number, version: number, reason: string): Promise<Changed<InvoiceRow>> {
      const before = await lock(tx, id, version, ['issued']);
      return { before, after: await update(tx, before, { state: 'voided', reason }) };
    },

    /** Whether an order has a live invoice. */
    async has(orderNo: string): Promise<boolean> {
      const [row] = await db
        .select({ id: invoices.id })
        .from(invoices)
        .where(and(eq(invoices.orderNo, orderNo), ne(invoices.state, 'voided')));
      return row !== undefined;
    },
  };
}
