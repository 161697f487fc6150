import type { MethodRow } from '@hengxi/server/analysis/schema';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { MethodTree } from './method-tree.tsx';

const row = (family: string, section: string | null, title: string): MethodRow =>
  ({ algo_code: `g/${title}`, title, family, section, tier: 'standard', roles: [] }) as unknown as MethodRow;

const METHODS = [
  ...['甲', '乙', '丙', '丁', '戊'].map((title) => row('方差分析', '组间设计', title)),
  ...['己', '庚', '辛'].map((title) => row('方差分析', '特殊设计', title)),
  ...['一', '二', '三', '四', '五'].map((title) => row('决策分析', null, title)),
];

function tree() {
  const nothing = () => undefined;
  render(
    <MethodTree
      methods={METHODS}
      favourites={[]}
      recent={[]}
      chosen={null}
      columns={null}
      picked={[]}
      open={[]}
      onChoose={nothing}
      onStart={nothing}
    />,
  );
}

test('a long family opens under its sub-headings, in the order of the list', () => {
  tree();
  fireEvent.click(screen.getByRole('button', { name: /方差分析/ }));
  const groups = screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'));
  expect(groups).toEqual(['组间设计', '特殊设计']);
  const special = within(screen.getByRole('group', { name: '特殊设计' }));
  expect(special.getAllByRole('button').map((button) => button.textContent)).toEqual(['己', '庚', '辛']);
});

test('a short family has none', () => {
  tree();
  fireEvent.click(screen.getByRole('button', { name: /决策分析/ }));
  expect(screen.queryByRole('group', { name: '组间设计' })).toBeNull();
  expect(screen.getByRole('button', { name: '五' })).toBeTruthy();
});
