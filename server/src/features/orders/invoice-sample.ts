/** The page of a sample invoice: clearly marked as none. Printed by the PDF browser without scripts or network. */
import { yuan } from '@hengxi/contracts/price';
import { dayOf } from '../../lib/clock.ts';
import type { InvoiceRow } from './tables.ts';

/** Prints one page of HTML as PDF. */
export type PdfPrinter = (html: string) => Promise<Uint8Array>;

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0) ?? 0};`);

const MARK = '沙箱票样，非有效发票';

export function sampleInvoice(row: InvoiceRow, number: string, seller: string, now: Date): string {
  const lines: [string, string][] = [
    ['票样号码', number],
    ['开具日期', dayOf(now)],
    ['购买方名称', row.title],
    ['统一社会信用代码', row.taxNo ?? '（个人）'],
    ['销售方名称', seller],
    ['订单号', row.orderNo],
    ['项目', '信息技术服务*会员与点数服务'],
    ['价税合计', `¥${yuan(row.amount)}`],
    ['接收邮箱', row.email],
  ];
  const body = lines.map(([name, value]) => `<tr><th>${escape(name)}</th><td>${escape(value)}</td></tr>`).join('');
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${MARK}</title><style>
@page { size: A4; margin: 24mm; }
body { font-family: "Noto Sans CJK SC", "Noto Sans SC", sans-serif; color: #1f2933; font-size: 12pt; position: relative; }
h1 { font-size: 18pt; text-align: center; margin: 0 0 6mm; }
.mark { border: 2pt solid #b42318; color: #b42318; font-weight: 700; text-align: center; padding: 3mm; margin-bottom: 8mm; }
table { width: 100%; border-collapse: collapse; }
th, td { border: 0.75pt solid #9aa5b1; padding: 2.5mm 3mm; text-align: left; }
th { width: 45mm; font-weight: 500; background: #f5f7fa; }
.across { position: fixed; top: 110mm; left: 0; right: 0; text-align: center; transform: rotate(-24deg); font-size: 40pt; color: rgba(180, 35, 24, 0.14); }
p { font-size: 10pt; color: #52606d; }
</style></head><body><h1>发票票样</h1><div class="mark">${MARK}</div><table>${body}</table>
<div class="across">${MARK}</div><p>本页由沙箱生成，仅用于查看流程，不能报销，不具有任何税务效力。</p></body></html>`;
}
