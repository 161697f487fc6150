/** The bank account for transfers, the periods of refunds and invoices, the version of the agreement: one row. */
import { z } from 'zod';
import { define, field, line } from '../act.ts';
import type { Act } from '../act.ts';
import type { Context } from '../context.ts';
import { logged } from '../mask.ts';

const days = (least: number) => z.number().int().min(least).max(365);
const Settings = z.strictObject({
  company_name: line(80),
  bank: line(80),
  bank_account: z
    .string()
    .trim()
    .regex(/^\d(?:[ -]?\d){7,29}$/, '银行账号为 8–30 位数字，可以有空格'),
  refund_days: days(0),
  invoice_days: days(1),
  agreement_version: line(40),
});

export const settingsValues = (row: Awaited<ReturnType<Context['orders']['settings']['read']>>) => ({
  company_name: row.companyName,
  bank: row.bank,
  bank_account: row.bankAccount,
  refund_days: row.refundDays,
  invoice_days: row.invoiceDays,
  agreement_version: row.agreementVersion,
});

export function settingsActs({ orders: { settings } }: Context): Act[] {
  return [
    define({
      act: 'settings.change',
      title: '修改收款设置',
      kind: 'settings',
      roles: ['财务'],
      isMoney: true,
      danger: true,
      payload: Settings,
      fields: [
        field('company_name', '公司名称', 'text'),
        field('bank', '开户银行', 'text'),
        field('bank_account', '银行账号', 'text'),
        field('refund_days', '全额退款天数', 'number', { hint: '付款后未使用时全额退款的天数' }),
        field('invoice_days', '开票天数', 'number', { hint: '付款后可以申请发票的天数' }),
        field('agreement_version', '服务协议版本', 'text'),
      ],
      async look(_executor, target) {
        if (target !== '1') return null;
        const row = await settings.read();
        return { name: '收款设置', owner: null, version: row.version, before: settingsValues(row) };
      },
      fourEyes: async () => '收款账户影响全部转账，须两人确认',
      async run({ tx, version, payload }) {
        const { before, after } = await settings.change(tx, version, {
          companyName: payload.company_name,
          bank: payload.bank,
          bankAccount: payload.bank_account,
          refundDays: payload.refund_days,
          invoiceDays: payload.invoice_days,
          agreementVersion: payload.agreement_version,
        });
        return logged({ before: before && settingsValues(before), after: settingsValues(after) }, 'open');
      },
    }),
  ];
}
