/** What the log and requests keep of a row: personal values masked, secrets and files left out. */

const DROPPED = new Set(['phoneSealed', 'phoneDigest', 'ticketDigest', 'pdf', 'snapshot']);
const MASKED = new Set(['name', 'title', 'payer', 'taxNo', 'chsiCode', 'nickname']);

/** 张** for a name, 91** for a number: the first sign only. */
export const maskName = (text: string): string => `${[...text].slice(0, 1).join('')}**`;

/** z***@nju.edu.cn */
export function maskMail(text: string): string {
  const [name = '', domain] = text.split('@');
  return domain === undefined ? maskName(text) : `${name.slice(0, 1)}***@${domain}`;
}

/** Rows whose names are the product's own (packages, banners) are told `open`. */
export function forLog(row: unknown, names: 'masked' | 'open' = 'masked'): unknown {
  if (row === null || typeof row !== 'object' || row instanceof Date) return row;
  return Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => !DROPPED.has(key))
      .map(([key, value]) => {
        if (typeof value !== 'string') return [key, value];
        if (key === 'email') return [key, maskMail(value)];
        return [key, names === 'masked' && MASKED.has(key) ? maskName(value) : value];
      }),
  );
}

/** Before and after of a change, for its row of the log. */
export const logged = (
  { before, after }: { before: unknown; after: unknown },
  names: 'masked' | 'open' = 'masked',
): { before: unknown; after: unknown } => ({ before: forLog(before, names), after: forLog(after, names) });
