/** 对账: our books against the providers' bills, day by day; and where transfers are to be sent. */
import { settingsValues } from '../acts/settings.ts';
import type { Context } from '../context.ts';
import type { ListName } from '../schema.ts';
import { column, iso, oneOf, stateFilter, text, textFilter } from './list.ts';
import type { Listed } from './list.ts';

const PROVIDER = { wechat: '微信', alipay: '支付宝', sandbox: '沙箱', bank: '银行' };
const KIND = { payment: '付款', refund: '退款' };
const STATE = { open: '未消除', settled: '已消除' };

export function billLists({
  orders: { bills, settings },
}: Context): Record<Extract<ListName, 'bills' | 'bill_days' | 'settings'>, Listed> {
  return {
    settings: {
      title: '收款设置',
      columns: [
        column('company_name', '公司名称'),
        column('bank', '开户银行'),
        column('bank_account', '银行账号'),
        column('refund_days', '全额退款天数', 'number'),
        column('invoice_days', '开票天数', 'number'),
        column('agreement_version', '服务协议版本'),
      ],
      async rows() {
        const row = await settings.read();
        const values = settingsValues(row);
        const only = { id: '1', name: '收款设置', version: row.version, cells: values, values };
        return { total: 1, list: [{ ...only, acts: ['settings.change'] }] };
      },
    },
    bills: {
      title: '对账差异',
      columns: [
        column('day', '账单日'),
        column('provider', '渠道'),
        column('kind', '类别'),
        column('reference', '渠道流水号或退款单号'),
        column('order_no', '订单号'),
        column('ours', '本站', 'fen'),
        column('theirs', '账单', 'fen'),
        column('state', '状态', 'state'),
        column('found_at', '发现时间', 'instant'),
      ],
      filters: [stateFilter(STATE, '状态', false), textFilter('order_no', '订单号')],
      async rows(query) {
        const state = oneOf(STATE, query.state) ?? 'open';
        const { page, page_size, order_no: orderNo } = query;
        const { total, list } = await bills.differences({ page, page_size, state, order_no: text(orderNo) });
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: row.reference,
            cells: {
              day: row.day,
              provider: PROVIDER[row.provider],
              kind: KIND[row.kind],
              reference: row.reference,
              order_no: row.orderNo,
              ours: row.ours,
              theirs: row.theirs,
              state: row.settledAt ? STATE.settled : STATE.open,
              found_at: iso(row.foundAt),
            },
          })),
        };
      },
    },
    bill_days: {
      title: '每日账单',
      columns: [
        column('day', '账单日'),
        column('provider', '渠道'),
        column('payments', '付款笔数', 'number'),
        column('paid', '付款金额', 'fen'),
        column('refunds', '退款笔数', 'number'),
        column('refunded', '退款金额', 'fen'),
        column('differences', '差异', 'number'),
        column('checked_at', '核对时间', 'instant'),
      ],
      async rows(query) {
        const { total, list } = await bills.days(query);
        return {
          total,
          list: list.map((row) => ({
            id: `${row.provider}-${row.day}`,
            cells: {
              day: row.day,
              provider: PROVIDER[row.provider],
              payments: row.payments,
              paid: row.paid,
              refunds: row.refunds,
              refunded: row.refunded,
              differences: row.differences,
              checked_at: iso(row.checkedAt),
            },
          })),
        };
      },
    },
  };
}
