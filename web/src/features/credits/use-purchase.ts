/** One purchase: its number is made once, so that a click repeated after a lost answer buys nothing twice. */
import type { MallItem, Purchased } from '@hengxi/server/mall/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, errorText } from '../../lib/api.ts';
import { randomHex } from '../../lib/random.ts';
import { purchase, refreshCredits } from './queries.ts';

export interface Wanted {
  item: MallItem;
  quantity: number;
  /** Path of the method, of an unlock. */
  method?: string;
}

export interface Buying {
  buy: (wanted: Wanted) => void;
  isWorking: boolean;
  done: Purchased | null;
  /** Why it was refused, in the server's words. */
  fault: string | null;
}

export function usePurchase(onDone?: (done: Purchased) => void): Buying {
  const [number, setNumber] = useState(() => randomHex(16));
  const [fault, setFault] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: ({ item, quantity, method }: Wanted) =>
      purchase({
        item_id: item.id,
        quantity,
        expect_credits: item.price_credits,
        request_id: number,
        ...(method === undefined ? {} : { method }),
      }),
    onMutate: () => setFault(null),
    onSuccess: async (done) => {
      onDone?.(done);
      await refreshCredits();
    },
    onError: async (error) => {
      setFault(errorText(error));
      // Refused for good: another try is another purchase, of what the shelf says now. Without an answer it is the same one.
      if (error instanceof ApiError && error.fault === 'refused') {
        setNumber(randomHex(16));
        await refreshCredits();
      }
    },
  });
  return { buy: send.mutate, isWorking: send.isPending, done: send.data ?? null, fault };
}
