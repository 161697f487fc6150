import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { HelpPage } from './help-page.ts';
import { ReportView } from './report-view.tsx';

const DOCUMENT = report([MAIN]);

/** What the head of a column says when the mouse is on it. */
async function hintOf(words: string): Promise<HTMLElement> {
  const head = await screen.findByText(words, { exact: false, selector: 'button span' });
  fireEvent.mouseEnter(head.closest('button')!);
  return screen.findByRole('tooltip');
}

test('the head of a statistic and the notes on the method lead to the help page', async () => {
  render(
    <HelpPage value="/help/two-groups/">
      <ReportView report={DOCUMENT} />
    </HelpPage>,
  );
  expect((await hintOf('±')).textContent).toBe('均值 ± 标准差 怎么读');
  expect(screen.getByRole('link', { name: '怎么读' }).getAttribute('href')).toBe('/help/two-groups/#结果解读');
  expect(screen.getByRole('link', { name: '方法说明' }).getAttribute('href')).toBe('/help/two-groups/');
});

test('the card of a number leads to where the help page says how a result is read', async () => {
  render(
    <HelpPage value="/help/two-groups/">
      <ReportView report={DOCUMENT} onPin={() => undefined} />
    </HelpPage>,
  );
  fireEvent.click(await screen.findByText('139'));
  const card = screen.getByRole('dialog', { name: '这个数字' });
  expect(within(card).getByRole('link', { name: '怎么读' }).getAttribute('href')).toBe('/help/two-groups/#结果解读');
});

test('where the help page is not known nothing leads there', async () => {
  render(<ReportView report={DOCUMENT} />);
  expect((await hintOf('±')).textContent).toBe('均值 ± 标准差');
  expect(screen.queryByRole('link', { name: /怎么/ })).toBeNull();
});
