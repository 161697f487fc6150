import { describe, expect, it } from 'vitest';

import { isTyping, matchesKeys } from './shortcuts.ts';

const press = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...more });

describe('shortcuts', () => {
  it('match exactly the keys that are held', () => {
    expect(matchesKeys(press('k', { ctrlKey: true }), 'Ctrl+K')).toBe(true);
    expect(matchesKeys(press('k', { metaKey: true }), 'Ctrl+K')).toBe(true);
    expect(matchesKeys(press('k'), 'Ctrl+K')).toBe(false);
    expect(matchesKeys(press('z', { ctrlKey: true, shiftKey: true }), 'Ctrl+Z')).toBe(false);
    expect(matchesKeys(press('Z', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+Z')).toBe(true);
    expect(matchesKeys(press('?', { shiftKey: true }), '?')).toBe(true);
    expect(matchesKeys(press('¬', { ctrlKey: true, altKey: true, code: 'KeyL' }), 'Ctrl+Alt+L')).toBe(true);
  });

  it('know where somebody is typing', () => {
    const input = document.createElement('input');
    const box = document.createElement('input');
    box.type = 'checkbox';
    expect([
      isTyping(input),
      isTyping(document.createElement('textarea')),
      isTyping(box),
      isTyping(document.body),
    ]).toEqual([true, true, false, false]);
  });
});
