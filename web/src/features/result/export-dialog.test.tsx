import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { chosenOf } from './export-choices.ts';
import { ReportExportDialog } from './export-dialog.tsx';
import type { Block } from './share-blocks.ts';

vi.setConfig({ testTimeout: 30_000 });

const BLOCKS: Block[] = [
  { ids: ['lead'], title: '结论' },
  { ids: ['result'], title: '表 1 两组比较' },
  { ids: ['spread'], title: '明细：表 2 方差齐性', detail: true },
  { ids: ['note'], title: '备注', own: true },
];

/** A call that never answers: what was sent is all that matters. */
const begin = () => vi.fn<(body: unknown) => Promise<never>>(() => new Promise(() => undefined));

test('sends the chosen format with its options and blocks; the private note only when ticked', async () => {
  const sent = begin();
  render(<ReportExportDialog title="导出报告" blocks={BLOCKS} begin={sent} onClose={() => undefined} />);
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByText('APA'));
  fireEvent.click(within(dialog).getByText('封面'));
  fireEvent.change(within(dialog).getByLabelText('学校或单位'), { target: { value: '某某大学' } });
  fireEvent.click(within(dialog).getByRole('button', { name: /内容：2 块，共 3 块/ }));
  fireEvent.click(within(dialog).getByLabelText('结论'));
  fireEvent.click(
    within(dialog)
      .getAllByRole('button', { name: /导\s*出$/ })
      .at(-1)!,
  );
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  expect(sent.mock.calls[0]?.[0]).toMatchObject({
    format: 'docx',
    options: { style: 'apa', blocks: ['result'], cover: { school: '某某大学', author: '' }, contents: false },
  });
  expect(await screen.findByRole('progressbar')).toBeTruthy();
});

test('a tool of a block begins at once with that block alone', async () => {
  const sent = begin();
  const chosen = chosenOf({ element: 'bars', as: 'pdf', mm: 85 });
  render(<ReportExportDialog title="导出" blocks={BLOCKS} begin={sent} chosen={chosen} onClose={() => undefined} />);
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  expect(sent.mock.calls[0]?.[0]).toMatchObject({
    format: 'figures',
    options: { figure: 'pdf', mm: 85, blocks: ['bars'], cover: null },
  });
});

test('the main results go out unless everything is asked for', async () => {
  const sent = begin();
  render(<ReportExportDialog title="导出报告" blocks={BLOCKS} begin={sent} onClose={() => undefined} />);
  const dialog = await screen.findByRole('dialog');
  const blocks = (): string => within(dialog).getByRole('button', { name: /^内容：/ }).textContent ?? '';
  const send = (): void => {
    fireEvent.click(
      within(dialog)
        .getAllByRole('button', { name: /导\s*出$/ })
        .at(-1)!,
    );
  };
  expect(blocks()).toContain('2 块，共 3 块');
  fireEvent.click(within(dialog).getByText('Excel（xlsx）'));
  expect(blocks()).toContain('3 块，共 4 块');
  fireEvent.click(within(dialog).getByText('PDF'));
  fireEvent.click(within(dialog).getByText('全部明细'));
  expect(blocks()).toContain('3 块，共 4 块');
  fireEvent.click(within(dialog).getByText('主要结果'));
  send();
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  expect(sent.mock.calls[0]?.[0]).toMatchObject({
    format: 'pdf',
    options: { extent: 'main', blocks: ['lead', 'result'] },
  });
});
