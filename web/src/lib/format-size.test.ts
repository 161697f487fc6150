import { describe, expect, it } from 'vitest';

import { formatBytes, formatInstant, formatLeft, formatWhen } from './format-size.ts';

describe('sizes and times', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [8_600_000, '8.6 MB'],
    [142_000_000, '142 MB'],
    [4_294_967_296, '4.3 GB'],
  ])('writes %i bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0.2, '约剩 1 秒'],
    [59.1, '约剩 60 秒'],
    [61, '约剩 2 分钟'],
    [7300, '约剩 3 小时'],
  ])('writes %d seconds left', (seconds, text) => expect(formatLeft(seconds)).toBe(text));

  it('writes instants as one would say them', () => {
    const now = new Date(2026, 10, 21, 16, 0);
    const at = (...parts: [number, number, number, number, number]) =>
      formatWhen(new Date(...parts).toISOString(), now);
    expect(at(2026, 10, 21, 14, 3)).toBe('今天 14:03');
    expect(at(2026, 10, 20, 23, 59)).toBe('昨天 23:59');
    expect(at(2026, 10, 18, 9, 0)).toBe('11-18');
    expect(at(2025, 11, 31, 9, 0)).toBe('2025-12-31');
    expect(formatWhen('rubbish', now)).toBe('–');
  });

  it('writes whole instants like days, with midnight as 00', () => {
    expect(formatInstant(new Date(2026, 0, 2, 0, 5, 9).toISOString())).toBe('2026-01-02 00:05:09');
    expect(formatInstant('rubbish')).toBe('–');
  });
});
