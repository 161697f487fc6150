/** Lists as csv: UTF-8 with a byte order mark, phones masked, nothing that a spreadsheet would run; kept for a day. */
import { and, eq, gt, lte } from 'drizzle-orm';
import { csvField, guarded } from '@hengxi/contracts/csv';
import { yuan } from '@hengxi/contracts/price';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { maskPhone } from '../../lib/log.ts';
import type { Operator } from './access.ts';
import type { Context } from './context.ts';
import { demandReason } from './desk.ts';
import type { Desk } from './desk.ts';
import type { Lists } from './lists/index.ts';
import { ListQuery } from './schema.ts';
import type { Cell, Column, ExportBody, Exported } from './schema.ts';
import { opsFiles } from './tables.ts';

const ROWS_MAX = 10_000;
const PAGE = 200;
const HOURS = 24;
/** Put in front when the file is handed out: the embedded database's driver takes it off a text. */
const BOM = '\uFEFF';

const SHANGHAI = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A mobile number inside whatever text, not as part of a longer number. */
const PHONE = /(?<![\dA-Za-z])1[3-9]\d{9}(?!\d)/g;

function plain(value: Cell, kind: Column['kind']): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'number') return kind === 'fen' ? yuan(value) : String(value);
  if (kind === 'instant' && /^\d{4}-\d\d-\d\dT/.test(value)) return SHANGHAI.format(new Date(value));
  return guarded(value.replace(PHONE, maskPhone));
}

export function csvOf(columns: readonly Column[], rows: readonly Record<string, Cell>[]): string {
  const lines = rows.map((row) => columns.map(({ key, kind }) => csvField(plain(row[key] ?? null, kind))).join(','));
  const head = columns.map(({ title, kind }) => csvField(kind === 'fen' ? `${title}（元）` : title)).join(',');
  return `${[head, ...lines].join('\r\n')}\r\n`;
}

export function createExports({ db, clock }: Context, lists: Lists, desk: Desk) {
  return {
    async make(body: ExportBody, operator: Operator): Promise<Exported> {
      const reason = demandReason(body.reason);
      const asked = ListQuery.parse({ ...body.filters, page: 1, page_size: PAGE });
      const first = await lists.read(body.list, asked, operator);
      if (first.total > ROWS_MAX) throw new Fault(30408, { detail: `超过 ${ROWS_MAX} 行，请先筛选` });
      const rows = first.list.map(({ cells }) => cells);
      for (let page = 2; rows.length < first.total; page += 1) {
        const next = await lists.read(body.list, { ...asked, page }, operator);
        if (next.list.length === 0) break;
        rows.push(...next.list.map(({ cells }) => cells));
      }
      const wanted = body.columns ?? null;
      const columns = first.columns.filter(({ key }) => wanted === null || wanted.includes(key));
      if (columns.length === 0) throw new Fault(30408, { detail: '没有选择列' });
      return work(db, async (tx) => {
        const now = await clock(tx);
        await tx.delete(opsFiles).where(lte(opsFiles.endsAt, now));
        const endsAt = new Date(now.getTime() + HOURS * 3_600_000);
        const name = `${first.title}_${SHANGHAI.format(now).replaceAll(/\D/g, '').slice(0, 14)}.csv`;
        const [row] = await tx
          .insert(opsFiles)
          .values({ userId: operator.userId, name, rows: rows.length, csv: csvOf(columns, rows), endsAt })
          .returning({ id: opsFiles.id });
        if (!row) throw new Error('INSERT gave no row');
        await desk.exported(tx, operator, body.list, { filters: body.filters, rows: rows.length }, reason);
        return { id: row.id, name, rows: rows.length, ends_at: endsAt.toISOString() };
      });
    },

    async open(id: number, operator: Operator): Promise<{ name: string; text: string }> {
      const now = await clock(db);
      const own = and(eq(opsFiles.id, id), eq(opsFiles.userId, operator.userId), gt(opsFiles.endsAt, now));
      const [row] = await db.select().from(opsFiles).where(own);
      if (!row) throw missing();
      return { name: row.name, text: `${BOM}${row.csv}` };
    },

    /** What has had its day goes, whether or not another list is asked for. */
    tidy: async (): Promise<void> => void (await db.delete(opsFiles).where(lte(opsFiles.endsAt, await clock(db)))),
  };
}
