import { expect, test } from 'vitest';
import { guarded } from './breaker.ts';
import { ProviderBusy } from './provider.ts';
import type { PaymentProvider } from './provider.ts';

const order = { order_no: 'HX1', total: 3900, title: '衡析 月度会员', expires_at: new Date('2026-11-21T12:00:00Z') };

test('after five failures a provider is left alone for thirty seconds', async () => {
  let now = 0;
  let calls = 0;
  let isDown = true;
  const provider = guarded(
    {
      name: 'wechat',
      open: async () => {
        calls += 1;
        if (isDown) throw new Error('nonsense');
        return { code_url: 'x' };
      },
    } as Partial<PaymentProvider> as PaymentProvider,
    () => now,
  );
  for (let n = 0; n < 8; n += 1) await expect(provider.open(order)).rejects.toBeInstanceOf(ProviderBusy);
  expect(calls).toBe(5);
  isDown = false;
  now = 30_001;
  expect(await provider.open(order)).toEqual({ code_url: 'x' });
});
