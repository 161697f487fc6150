/** A provider gets five seconds; after five failures in a row it is left alone for thirty. */
import { BadSignature, NotAPayment, ProviderBusy, WrongFacts } from './provider.ts';
import type { PaymentProvider } from './provider.ts';

const BUDGET_MS = 5000;
/** A bill is a file; nobody waits for it. */
const BILL_MS = 60_000;
const FAILURES_MAX = 5;
const PAUSE_MS = 30_000;

export function guarded(provider: PaymentProvider, now: () => number = () => performance.now()): PaymentProvider {
  let failures = 0;
  let openAgain = 0;

  async function call<T>(act: () => Promise<T>, budget = BUDGET_MS): Promise<T> {
    if (now() < openAgain) throw new ProviderBusy(`${provider.name} is left alone`);
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new ProviderBusy(`${provider.name} took too long`)), budget);
      });
      const result = await Promise.race([act(), late]);
      failures = 0;
      return result;
    } catch (error) {
      // What the provider says clearly is no failure of its own.
      if (error instanceof BadSignature || error instanceof NotAPayment || error instanceof WrongFacts) throw error;
      failures += 1;
      if (failures >= FAILURES_MAX) {
        openAgain = now() + PAUSE_MS;
        failures = 0;
      }
      throw error instanceof ProviderBusy
        ? error
        : new ProviderBusy(`${provider.name}: ${messageOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    name: provider.name,
    open: (order) => call(() => provider.open(order)),
    query: (orderNo) => call(() => provider.query(orderNo)),
    close: (orderNo) => call(() => provider.close(orderNo)),
    refund: (refund) => call(() => provider.refund(refund)),
    bill: (day) => call(() => provider.bill(day), BILL_MS),
    // Notices come to us; reading them asks nobody.
    readNotice: (raw, headers) => provider.readNotice(raw, headers),
    answer: (ok) => provider.answer(ok),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
