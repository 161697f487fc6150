import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { type Asked, open, serve } from '../../../report/testing/server.tsx';
import { CountsDialog } from './counts-dialog.tsx';

let asked: Asked[] = [];

beforeEach(() => {
  localStorage.clear();
  asked = serve({
    'POST /v1/user/file/counts': () => ({ fid: 4, vid: 7 }),
    'GET /v1/user/file': () => ({ total: 0, list: [] }),
  });
  open('/mydata/index', '/mydata/index', <CountsDialog open onClose={() => {}} />);
});

const cell = (words: string) => screen.getByRole<HTMLInputElement>('textbox', { name: `${words}的频数` });
const fill = async (counts: Record<string, string>) => {
  for (const [words, count] of Object.entries(counts)) {
    await userEvent.clear(cell(words));
    await userEvent.type(cell(words), count);
  }
};
const FULL = { '甲组，是': '30', '甲组，否': '10', '乙组，是': '18', '乙组，否': '22' };
const paste = (words: string, text: string) => fireEvent.paste(cell(words), { clipboardData: { getData: () => text } });

test('typed counts are sent, and their data opens', async () => {
  await fill(FULL);
  expect(screen.getByText('共 80 例')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '建成数据' }));
  await waitFor(() => expect(screen.getByTestId('where').textContent).toBe('/mydata/detail/7'));
  expect(asked.find(({ path }) => path.endsWith('/counts'))?.body).toMatchObject({
    name: '频数表',
    factors: [{ levels: ['甲组', '乙组'] }, { levels: ['是', '否'] }],
    counts: [30, 10, 18, 22],
  });
  // What has become data is no draft any more.
  expect(Object.keys(localStorage).filter((key) => key.endsWith(':counts'))).toEqual([]);
});

test('an empty cell is named and gone to; nothing is sent', async () => {
  await fill({ '甲组，是': '30', '甲组，否': 'x' });
  await userEvent.click(screen.getByRole('button', { name: '建成数据' }));
  expect(screen.getByRole('alert').textContent).toContain('甲组，否：“x”不是 0 或正整数');
  expect(screen.getByRole('alert').textContent).toContain('还有 2 格没有填');
  expect(cell('甲组，否').getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(cell('甲组，否')));
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
});

test('arrows and Enter walk through the cells', async () => {
  await userEvent.click(cell('甲组，是'));
  await userEvent.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(cell('甲组，否'));
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(cell('乙组，否'));
  await userEvent.keyboard('{ArrowLeft}{ArrowUp}');
  expect(document.activeElement).toBe(cell('甲组，是'));
  await userEvent.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '第 1 列的名称' }));
});

test('a table from a spreadsheet comes with its names, and is taken back', async () => {
  paste('甲组，是', '\t有效\t无效\n新药\t30\t10\n对照\t18\t22');
  expect(cell('新药，有效').value).toBe('30');
  await userEvent.click(screen.getByRole('button', { name: '撤销' }));
  expect(cell('甲组，是').value).toBe('');
  await userEvent.click(screen.getByRole('button', { name: '重做' }));
  expect(cell('对照，无效').value).toBe('22');
  paste('新药，有效', 'a\tb\n1\tc');
  expect(screen.getByRole('alert').textContent).toContain('“c”');
});

test('Ctrl+Z takes back what was typed in one cell as one step', async () => {
  await fill({ '甲组，是': '123' });
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(cell('甲组，是').value).toBe('');
});

test('pairs have the same categories in rows and columns', async () => {
  await userEvent.click(screen.getByRole('checkbox', { name: /同一组类别/ }));
  expect(cell('甲组，乙组')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '加一列' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: '加一行' }));
  expect(cell('行3，行3')).toBeTruthy();
});

test('strata are filled one by one', async () => {
  await userEvent.click(screen.getByText('分层的行 × 列'));
  await fill({ '第一层，甲组，是': '5' });
  await userEvent.click(screen.getByText('第二层'));
  expect(cell('第二层，甲组，是').value).toBe('');
  expect(screen.getByText('共 5 例')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '加一层' }));
  expect(cell('层3，甲组，是')).toBeTruthy();
});
