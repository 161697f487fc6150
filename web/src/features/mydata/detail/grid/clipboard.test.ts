import { describe, expect, it } from 'vitest';

import { pastedText, tableOf } from './clipboard.ts';

const clipboard = (kinds: Record<string, string>) => ({ getData: (kind: string) => kinds[kind] ?? '' });

describe('what was copied elsewhere', () => {
  it('is the text a spreadsheet gives; its table of HTML where that is all there is', () => {
    const html = '<table><tr><td>51</td><td> 硕\n士 </td></tr><tr><td>52</td><td></td></tr></table>';
    expect(pastedText(clipboard({ 'text/plain': '1\t2', 'text/html': html }))).toBe('1\t2');
    expect(pastedText(clipboard({ 'text/html': html }))).toBe('51\t硕 士\r\n52\t');
    expect(pastedText(clipboard({ 'text/html': '<p>no table</p>' }))).toBe('');
  });

  it('keeps its places around merged cells', () => {
    const html =
      '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr><tr><td>e</td></tr></table>';
    expect(tableOf(html)).toEqual([['a', 'b', ''], ['', 'c', 'd'], ['e']]);
  });
});
