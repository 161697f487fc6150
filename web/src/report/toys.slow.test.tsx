/** Reports of the engine's toy methods (engine/tests/toy): elements that no method of the product gives yet, on the screen. */
import { elementsOf, DRAWINGS, SOLVING } from '@hengxi/contracts/testing/toys';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { ReportView } from './report-view.tsx';

vi.setConfig({ testTimeout: 20_000 });

function unfold(): void {
  const fold = screen.queryByRole('button', { name: /^明细/ });
  if (fold?.getAttribute('aria-expanded') === 'false') fireEvent.click(fold);
}

test('a solver’s report has its answer, its panel, its rules, its equation and its file', async () => {
  const onFile = vi.fn<() => void>();
  const { container } = render(<ReportView report={SOLVING} onFile={onFile} />);
  unfold();
  expect(container.textContent).toContain('价格定为 5.00 时收入最高，为 250。');
  // Asked by attribute: roles are looked for through the whole document, which takes seconds in jsdom.
  const panel = container.querySelector('[role=group][aria-label="价格、销量与收入"]');
  expect(panel?.textContent).toMatch(/销量.*收入.*图 1/s);
  const rules = [...container.querySelectorAll('section[aria-label="定价规则"] li')];
  expect(rules.map((rule) => rule.textContent)).toEqual([
    '如果 价格 ≤ 5，则 提价4 行，80.0%',
    '如果 价格 > 5 且 销量 ≠ 0，则 降价5 行，100.0%',
  ]);
  await waitFor(() => expect(container.querySelectorAll('math').length).toBeGreaterThan(0));
  expect(screen.getByText(/计算表\.csv/)).toBeTruthy();
  // No data: nothing is said of rows.
  expect(container.textContent).not.toMatch(/0 行|文件中的行/);
});

test('every picture of the drawings stands under its title and is said in words', () => {
  const { container } = render(<ReportView report={DRAWINGS} />);
  unfold();
  const charts = elementsOf(DRAWINGS).flatMap((e) => (e.type === 'chart' ? [e] : []));
  expect(charts.length).toBeGreaterThan(20);
  for (const { id, title } of charts) {
    const block = container.querySelector(`[data-block="${id}"]`);
    expect(block?.textContent).toContain(title);
    expect(block?.textContent).not.toMatch(/undefined|NaN|画不出|出错/);
  }
});
