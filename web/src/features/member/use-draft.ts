/** What is typed into a form, and what is wrong with it: a fault stands at its field until that is changed. */
import { useState } from 'react';

export type FaultsOf<Draft> = Partial<Record<keyof Draft, string>>;

export function useDraft<Draft extends object>(start: Draft, check: (draft: Draft) => FaultsOf<Draft>) {
  const [draft, setDraft] = useState(start);
  const [faults, setFaults] = useState<FaultsOf<Draft>>({});
  const change = (part: Partial<Draft>): void => {
    setDraft((old) => ({ ...old, ...part }));
    setFaults((old) => ({ ...old, ...Object.fromEntries(Object.keys(part).map((key) => [key, undefined])) }));
  };
  /** Whether it can be sent; what is wrong is told. */
  const isGood = (): boolean => {
    const found = check(draft);
    setFaults(found);
    return Object.keys(found).length === 0;
  };
  return { draft, faults, setFaults, change, isGood };
}
