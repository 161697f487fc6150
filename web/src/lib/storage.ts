/** localStorage behind a wall: it throws in private windows and when cookies are blocked, and that must never break a page. */

/** Keys the specification fixes (section 3), then our own. */
export const STORAGE = {
  token: 'spss_token',
  user: 'user_info',
  utm: 'utm_source',
  proTip: 'pro-tip',
  enterprise: 'EEId',
  enterpriseBefore: 'ee-manager-before',
  lucky: 'lucky_flag',
  systemDialog: 'has_system_dialog',
  appearance: 'hx_appearance',
  shortcuts: 'hx_shortcuts',
  labels: 'hx_labels',
  uploads: 'hx_uploads',
  noticesRead: 'hx_notices_read',
} as const;

/** Features keep their own things under `hx_…`. */
export type StorageKey = (typeof STORAGE)[keyof typeof STORAGE] | `hx_${string}`;

const memory = new Map<string, string>();

export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

export function writeStored(key: StorageKey, value: string | null): void {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Kept in memory for this visit.
  }
}
