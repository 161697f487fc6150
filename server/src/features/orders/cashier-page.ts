/** The pages a phone sees: the sandbox cashier, and the end of a payment link. Without scripts. */
import { yuan } from '@hengxi/contracts/price';
import type { OrderRow } from './tables.ts';

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0) ?? 0};`);

const STATES: Record<OrderRow['state'], string> = {
  created: '待付款',
  paid: '已支付',
  closed: '已关闭',
  refunded: '已退款',
};

const STYLE = `
:root { color-scheme: light dark; --ink: #1d232b; --paper: #ffffff; --soft: #f5f4f0; --line: #e4e1d9; --main: #1f5582; --on: #ffffff; --mark: #b7791f; --mark-ink: #8a5a12; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e3; --paper: #1d2125; --soft: #16191c; --line: #33393e; --main: #7fb2dd; --on: #10202e; --mark: #e0b060; --mark-ink: #e0b060; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; color: var(--ink); background: var(--soft); }
main { max-width: 420px; margin: 32px auto; padding: 24px; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; }
.mark { display: inline-block; padding: 0 8px; border: 1px solid var(--mark); border-radius: 4px; color: var(--mark-ink); font-size: 13px; }
h1 { font-size: 20px; margin: 12px 0 4px; }
.total { font-size: 32px; font-weight: 600; font-variant-numeric: tabular-nums; margin: 8px 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 16px 0; font-size: 14px; }
dt { opacity: .7; } dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
form { display: grid; gap: 8px; }
button { font: inherit; min-height: 44px; border-radius: 6px; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer; }
button.main { background: var(--main); border-color: var(--main); color: var(--on); }
button:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; }
.told { padding: 8px 12px; background: var(--soft); border-radius: 6px; }
`;

const shell = (title: string, body: string): string =>
  `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;

export function cashierPage(order: OrderRow, message: string | null): string {
  const buttons =
    order.state === 'refunded'
      ? ''
      : `<form method="post">
<button class="main" name="act" value="pay">付款 ¥${yuan(order.total)}</button>
<button name="act" value="twice">连续付款两次</button>
<button name="act" value="refuse">拒绝付款</button>
</form>`;
  return shell(
    '沙箱收银台',
    `<span class="mark">沙箱</span><h1>${escape(order.snapshot.title)}</h1><p class="total">¥${yuan(order.total)}</p>
${message ? `<p class="told" role="status">${escape(message)}</p>` : ''}
<dl><dt>订单号</dt><dd>${order.orderNo}</dd><dt>份数</dt><dd>${order.quantity}</dd><dt>状态</dt><dd>${STATES[order.state]}</dd></dl>
${buttons}<p>这里不会发生真实扣款。</p>`,
  );
}

/** A payment link whose order cannot be paid any more. */
export function payEndPage(state: OrderRow['state'] | null): string {
  const text =
    state === 'paid' || state === 'refunded'
      ? '订单已支付，无需再次付款。'
      : '付款二维码已失效，请回到电脑上刷新二维码后重新扫码。';
  return shell('付款', `<h1>${state === 'paid' ? '支付成功' : '无法付款'}</h1><p>${text}</p>`);
}
