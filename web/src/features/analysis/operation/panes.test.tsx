import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { PHONE, STACKED } from '../../../lib/use-media.ts';
import { Panes } from './panes.tsx';

afterEach(() => vi.unstubAllGlobals());

/** A screen for which just these media queries hold. */
function screenOf(...holding: string[]): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: holding.includes(query),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

const panes = <Panes variables="甲" settings="乙" result="丙" />;
const shown = () => screen.getAllByRole('region').map((pane) => pane.getAttribute('aria-label'));

test('side by side the widths can be dragged', () => {
  screenOf();
  vi.stubGlobal('innerWidth', 1440);
  render(panes);
  expect(screen.getAllByRole('separator')).toHaveLength(2);
});

test('a page zoomed to 200 % shows all three panes, stacked, with nothing folded away', () => {
  localStorage.setItem('hx_panes', JSON.stringify({ variablesFolded: true, settingsFolded: true }));
  screenOf(STACKED);
  render(panes);
  expect(shown()).toEqual(['变量', '设置', '结果']);
  expect(screen.queryByRole('separator')).toBeNull();
  localStorage.clear();
});

test('a phone is told by its finger as well as by its width', () => {
  expect(PHONE).toContain('(pointer: coarse)');
});
