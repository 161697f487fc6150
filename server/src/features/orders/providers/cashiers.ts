/** Which providers there are and which methods of payment they serve. */
import type { PayMethod } from '../schema.ts';
import { guarded } from './breaker.ts';
import type { PaymentProvider } from './provider.ts';
import type { Sandbox } from './sandbox.ts';

export interface Cashiers {
  all: PaymentProvider[];
  /** The sandbox unguarded, for its cashier page; null with real providers. */
  sandbox: Sandbox | null;
  byName(name: string): PaymentProvider | null;
  /** Provider of a method for one app; null when it is not enabled. Method 1 is decided by the browser that scans. */
  forMethod(method: PayMethod): PaymentProvider | null;
  isEnabled(method: PayMethod): boolean;
  methods(): { qr: PayMethod; title: string }[];
}

const TITLES: Record<PayMethod, string> = { 1: '微信或支付宝扫码', 2: '微信支付', 3: '支付宝', 4: '对公转账' };

export function createCashiers(parts: {
  sandbox: Sandbox | null;
  wechat: PaymentProvider | null;
  alipay: PaymentProvider | null;
}): Cashiers {
  const { sandbox } = parts;
  const wechat = parts.wechat ? guarded(parts.wechat) : null;
  const alipay = parts.alipay ? guarded(parts.alipay) : null;
  const stand = sandbox ? guarded(sandbox) : null;
  const all = [wechat, alipay, stand].filter((one) => one !== null);
  const forMethod = (method: PayMethod): PaymentProvider | null => {
    if (method === 2) return wechat ?? stand;
    if (method === 3) return alipay ?? stand;
    // Either app by one picture: WeChat's browser would need an application of its own, so the sandbox only.
    return method === 1 ? stand : null;
  };
  const isEnabled = (method: PayMethod): boolean => method === 4 || forMethod(method) !== null;
  return {
    all,
    sandbox,
    byName: (name) => all.find((one) => one.name === name) ?? null,
    forMethod,
    isEnabled,
    methods: () => ([1, 2, 3, 4] as const).filter(isEnabled).map((qr) => ({ qr, title: TITLES[qr] })),
  };
}
