/** Sizes, speeds and times as people read them. */

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

const COUNT = new Intl.NumberFormat('en-US');

export function formatCount(value: number): string {
  return COUNT.format(value);
}

/** 约剩 2 秒, 约剩 3 分钟: rounded up, because arriving early disappoints nobody. */
export function formatLeft(seconds: number): string {
  if (seconds < 60) return `约剩 ${Math.max(1, Math.ceil(seconds))} 秒`;
  if (seconds < 3600) return `约剩 ${Math.ceil(seconds / 60)} 分钟`;
  return `约剩 ${Math.ceil(seconds / 3600)} 小时`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** 今天 14:03, 昨天 17:40, 11-18, 2025-11-18. */
export function formatWhen(iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '–';
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const day = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((day(now) - day(at)) / 86_400_000);
  if (days === 0) return `今天 ${clock}`;
  if (days === 1) return `昨天 ${clock}`;
  const date = `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return at.getFullYear() === now.getFullYear() ? date : `${at.getFullYear()}-${date}`;
}

/** 2026-11-22 05:59:58: the whole instant where the reader is; midnight is 00, which browsers do not agree on. */
export function formatInstant(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '–';
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' });

/** 2027-11-21: the calendar day in China, where terms of membership and invoices are counted. */
export function formatDay(instant: string | number | null): string {
  const at = new Date(instant ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? '–' : DAY.format(at);
}
