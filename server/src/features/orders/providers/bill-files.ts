/** Bills of the providers as the files they are: what was paid and sent back on one day. Pure. */
import { unzipSync } from 'fflate';
import { fenOf } from '@hengxi/contracts/price';

export interface BillLine {
  kind: 'payment' | 'refund';
  /** The provider's transaction, or our own number of the refund. */
  reference: string;
  order_no: string;
  /** Fen, always positive. */
  amount: number;
}

/** The file is not what its provider describes: nothing may be concluded from it. */
export class BadBill extends Error {}

const UNPACKED_MAX = 64 * 1024 * 1024;

/** WeChat: every value behind a grave accent, a last pair of lines with the sums. Columns are found by name. */
export function wechatBill(text: string): BillLine[] {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = head.split(',').map((name) => name.trim());
  const at = columnsOf(names, ['微信订单号', '商户订单号', '交易状态', '订单金额', '商户退款单号', '申请退款金额']);
  const end = lines.findIndex((line) => line.startsWith('总交易单数'));
  if (end < 0) throw new BadBill('no sums');
  const records = lines.slice(0, end).filter((line) => line.trim() !== '');
  const sums = (lines[end + 1] ?? '').replace(/^`/, '').split(',`');
  if (Number(sums[0]) !== records.length) throw new BadBill('lines are missing');
  return records.map((line) => {
    const cells = line.trim().replace(/^`/, '').split(',`');
    const cell = (name: string): string => (cells[at(name)] ?? '').trim();
    const orderNo = cell('商户订单号');
    return cell('交易状态') === 'REFUND'
      ? lineOf('refund', cell('商户退款单号'), orderNo, cell('申请退款金额'))
      : lineOf('payment', cell('微信订单号'), orderNo, cell('订单金额'));
  });
}

/** Alipay: a zip of files in GBK; the one with the single trades has a head of its own. */
export function alipayBill(zip: Uint8Array): BillLine[] {
  const decoder = new TextDecoder('gb18030');
  const files = Object.values(unzipSync(zip, { filter: ({ originalSize }) => originalSize <= UNPACKED_MAX }));
  const text = files.map((bytes) => decoder.decode(bytes)).find((one) => /^\s*支付宝交易号\s*,/m.test(one));
  if (text === undefined) throw new BadBill('no single trades');
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^\s*支付宝交易号\s*,/.test(line));
  const names = (lines[start] ?? '').split(',').map((name) => name.trim());
  const at = columnsOf(names, [
    '支付宝交易号',
    '商户订单号',
    '业务类型',
    '商品名称',
    '订单金额（元）',
    '退款批次号/请求号',
  ]);
  return lines
    .slice(start + 1)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const cells = line.split(',').map((cell) => cell.trim());
      // The name of the goods may hold commas; nothing else does.
      const extra = Math.max(0, cells.length - names.length);
      const name = at('商品名称');
      if (extra > 0) cells.splice(name, extra + 1, cells.slice(name, name + extra + 1).join(','));
      const cell = (column: string): string => cells[at(column)] ?? '';
      const amount = cell('订单金额（元）').replace(/^-/, '');
      return cell('业务类型') === '退款'
        ? lineOf('refund', cell('退款批次号/请求号'), cell('商户订单号'), amount)
        : lineOf('payment', cell('支付宝交易号'), cell('商户订单号'), amount);
    });
}

function columnsOf(names: readonly string[], wanted: readonly string[]): (name: string) => number {
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new BadBill(`no column ${missing.join(', ')}`);
  return (name) => names.indexOf(name);
}

function lineOf(kind: BillLine['kind'], reference: string, orderNo: string, amount: string): BillLine {
  const fen = fenOf(amount);
  if (!reference || fen === null) throw new BadBill(`a ${kind} without number or amount`);
  return { kind, reference, order_no: orderNo, amount: fen };
}
