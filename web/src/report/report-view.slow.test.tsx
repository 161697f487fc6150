import type { Element, Remedy } from '@hengxi/contracts/contract';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';

import type { ReportActions, RowsQuery } from './context.ts';
import { PRESENTATION, type Presentation, readPresentation } from '@hengxi/contracts/report/presentation';
import { ReportView } from './report-view.tsx';
import { chart, CHARTS } from '@hengxi/contracts/testing/charts';
import { ELEMENTS, everything } from '@hengxi/contracts/testing/elements';
import { column, MAIN, report, table } from '@hengxi/contracts/testing/reports';

// The tables have many roles to look through, and the machine may be busy.
vi.setConfig({ testTimeout: 20_000 });

function Kept({ document, onChange }: { document: ReturnType<typeof report>; onChange?: (p: Presentation) => void }) {
  const [value, setValue] = useState(PRESENTATION);
  return (
    <ReportView
      report={document}
      presentation={value}
      onPresentationChange={(next) => {
        setValue(next);
        onChange?.(next);
      }}
    />
  );
}

describe('the sheet', () => {
  test('sections stand in the fixed order of every method', async () => {
    const { container } = render(<ReportView report={everything()} />);
    const heads = [...container.querySelectorAll('section[id], div[id]')].map((e) => e.id.replace('r-0-', ''));
    expect(
      heads.filter((h) => ['lead', 'table', 'chart', 'checks', 'texts', 'sample', 'detail', 'method'].includes(h)),
    ).toEqual(['lead', 'table', 'chart', 'checks', 'texts', 'sample', 'detail', 'method']);
  });

  test('the conclusion is filled, symbols are italic, users’ text is not parsed', () => {
    const lead = { ...ELEMENTS.lead, facts: { who: '*男* {d} <b>', d: 0.6141, p: 0.0011 } } as Element;
    const { container } = render(<ReportView report={report([lead])} />);
    expect(container.textContent).toContain('*男* {d} <b>比女生多 0.61 小时（p = .001）。');
    expect(container.querySelector('b b, b > b')).toBeNull();
    expect([...container.querySelectorAll('i.st')].map((i) => i.textContent)).toContain('p');
  });

  test.each(Object.values(ELEMENTS))('element $type is drawn', (element) => {
    const tables =
      element.type === 'panel'
        ? [...CHARTS.histogram.tables, ...CHARTS.box.tables]
        : element.type === 'chart'
          ? CHARTS.bar.tables
          : [];
    const { container } = render(
      <ReportView
        report={report([element, ...tables])}
        onRemedy={vi.fn<() => void>()}
        onFile={vi.fn<() => void>()}
        onMakeData={vi.fn<() => void>()}
      />,
    );
    const fold = screen.queryByRole('button', { name: /^明细/ });
    if (fold?.getAttribute('aria-expanded') === 'false') fireEvent.click(fold);
    const words: Record<Element['type'], string> = {
      lead: '男生比女生多',
      text: '论文版的一段',
      table: '两组比较',
      check: '正态性',
      warning: '剔除了 9 行',
      formula: '回归方程',
      rules: '决策规则',
      try: '试算',
      file: '结果.csv',
      model: '分类模型',
      data: '因子得分',
      chart: 'bar图',
      panel: '四合一',
    };
    expect(container.textContent).toContain(words[element.type]);
  });

  test('a split report has its parts and says why one has no result', () => {
    const part = everything().parts[0]!;
    const group = (label: string, total = false) => ({ column: 'c1', name: '年级', value: label, label, total });
    const document = {
      ...everything(),
      parts: [
        { ...part, group: group('大一') },
        {
          ...part,
          group: group('大二'),
          elements: [],
          refusal: {
            fields: [
              {
                field: 'group',
                code: 'data.few',
                text: '“大二”只有 1 个个案',
                facts: {},
                column: null,
                row: null,
                remedies: [],
              },
            ],
          },
        },
      ],
    };
    render(<ReportView report={document} />);
    expect(screen.getByRole('heading', { name: '年级 = 大一' })).toBeTruthy();
    expect(screen.getByText(/“大二”只有 1 个个案/)).toBeTruthy();
  });

  test('a check opens its four answers and offers its remedy', async () => {
    const onRemedy = vi.fn<(remedy: Remedy) => void>();
    render(<ReportView report={report([ELEMENTS.check])} onRemedy={onRemedy} />);
    fireEvent.click(screen.getByRole('button', { name: /详情/ }));
    for (const word of ['是什么', '你的数据', '影响多大', '怎么办']) expect(screen.getByText(word)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '改用 Mann-Whitney' }));
    expect(onRemedy).toHaveBeenCalledWith(ELEMENTS.check.type === 'check' ? ELEMENTS.check.remedies[0] : null);
  });

  test('the voice changes the reading; paragraphs without a voice stay', async () => {
    const text = (id: string, voice: 'student' | 'paper' | null, words: string) =>
      ({ ...ELEMENTS.text, id, voice, text: words }) as Element;
    render(
      <ReportView
        report={report([text('a', 'paper', '论文段'), text('b', 'student', '学生段'), text('c', null, '都有')])}
      />,
    );
    expect(screen.getByText('论文段')).toBeTruthy();
    fireEvent.click(screen.getByText('学生版'));
    await waitFor(() => expect(screen.getByText('学生段')).toBeTruthy());
    expect(screen.queryByText('论文段')).toBeNull();
    expect(screen.getByText('都有')).toBeTruthy();
  });

  test('the sample account says what was lost and where to look', async () => {
    const onRows = vi.fn<(asked: RowsQuery) => void>();
    render(<ReportView report={report([])} onRows={onRows} />);
    expect(screen.getByText('不满足 用时 ≥ 60 −14')).toBeTruthy();
    expect(screen.getByText('运动时长缺失 −9')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '查看因缺失剔除的 9 行' }));
    expect(onRows).toHaveBeenCalledWith({ set: 'missing' });
  });
});

describe('tables', () => {
  test('heads are scoped, rows are named, the caption is there, probabilities have stars', () => {
    render(<ReportView report={report([MAIN])} />);
    const found = screen.getByRole('table', { name: '表 1　两组比较' });
    expect(within(found).getAllByRole('columnheader')).toHaveLength(5);
    expect(within(found).getByRole('rowheader', { name: '男' })).toBeTruthy();
    expect(found.textContent).toContain('3.82 ± 1.69');
    expect(found.textContent).toContain('.001**');
    expect(document.body.textContent).toContain('注：* p < .05，** p < .01，*** p < .001。');
  });

  test('rows kept beside the report are said to be missing, and come when asked for', async () => {
    const long = { ...MAIN, more: { rows: MAIN.rows.length + 2, file: 'r0_1' } };
    const page = { rows: MAIN.rows.slice(0, 1), depth: [0], totals: [], marks: {} };
    const onMoreRows = vi.fn<ReportActions['onMoreRows'] & object>().mockResolvedValue(page);
    render(<ReportView report={report([long])} onMoreRows={onMoreRows} />);
    const count = () => within(screen.getByRole('table', { name: '表 1　两组比较' })).getAllByRole('row').length;
    const before = count();
    expect(
      screen.getByText(new RegExp(`这里是前 ${MAIN.rows.length} 行，全表共 ${MAIN.rows.length + 2} 行。`)),
    ).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '载入其余各行' }));
    await waitFor(() => expect(count()).toBe(before + 2));
    expect(onMoreRows.mock.calls).toEqual([
      ['r0_1', 0],
      ['r0_1', 1],
    ]);
    expect(screen.queryByText(/全表共/)).toBeNull();
  });

  test('a head explains itself to the keyboard too', async () => {
    render(<ReportView report={report([MAIN])} />);
    fireEvent.mouseEnter(screen.getByText('±', { exact: false, selector: 'button span' }).closest('button')!);
    await waitFor(() => expect(screen.getByRole('tooltip').textContent).toBe('均值 ± 标准差'));
  });

  test('one click writes a styled table and tab-separated text', async () => {
    const written: Record<string, string> = {};
    document.execCommand = vi.fn<() => boolean>(() => {
      const event = new Event('copy', { bubbles: true, cancelable: true });
      Object.assign(event, { clipboardData: { setData: (type: string, text: string) => void (written[type] = text) } });
      document.dispatchEvent(event);
      return true;
    });
    render(<ReportView report={report([MAIN])} />);
    fireEvent.click(screen.getByRole('button', { name: '复制' }));
    expect(written['text/html']).toContain('border-top:1.5pt solid #000');
    expect(written['text/html']).toContain('<i>M</i> ± <i>SD</i>');
    expect(written['text/plain']).toContain('男\t139\t3.82 ± 1.69\t[3.54, 4.11]\t.001**');
  });

  test('Ctrl+Shift+C copies the table that is focused, else the main one', async () => {
    let copied = 0;
    document.execCommand = vi.fn<() => boolean>(() => {
      copied += 1;
      return false;
    });
    render(<ReportView report={report([MAIN])} />);
    fireEvent.keyDown(document.body, { key: 'C', ctrlKey: true, shiftKey: true });
    await waitFor(() => expect(copied).toBe(1));
  });

  test('presentation edits change the table, are told to the page, and are undone; values stay', async () => {
    const onChange = vi.fn<(next: Presentation) => void>();
    render(<Kept document={report([MAIN])} onChange={onChange} />);
    const cell = (): string => screen.getByRole('table').textContent ?? '';
    fireEvent.click(screen.getByRole('button', { name: /更多：小数位/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: '行列互换' }));
    await waitFor(() => expect(within(screen.getByRole('table')).getByRole('rowheader', { name: /n/ })).toBeTruthy());
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ tables: { result: { turned: true } } }));
    const turned = expect.objectContaining({ tables: { result: { turned: true } } });
    for (const redo of [{ key: 'z', shiftKey: true }, { key: 'y' }]) {
      fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
      await waitFor(() => expect(onChange).toHaveBeenLastCalledWith(PRESENTATION));
      fireEvent.keyDown(document.body, { ...redo, ctrlKey: true });
      await waitFor(() => expect(onChange).toHaveBeenLastCalledWith(turned));
    }
    const box = document.body.appendChild(document.createElement('input'));
    fireEvent.keyDown(box, { key: 'z', ctrlKey: true });
    box.remove();
    expect(onChange).toHaveBeenLastCalledWith(turned);
    expect(cell()).toContain('3.82 ± 1.69');
  });

  test('columns are hidden and renamed in their dialog', async () => {
    const onChange = vi.fn<(next: Presentation) => void>();
    render(<Kept document={report([MAIN])} onChange={onChange} />);
    fireEvent.click(screen.getByRole('button', { name: /更多：小数位/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: '列：隐藏、改名、排序' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('checkbox', { name: 'p' }));
    fireEvent.change(within(dialog).getByLabelText('组别的新名称'), { target: { value: '性别' } });
    fireEvent.click(within(dialog).getByRole('button', { name: /应\s*用/ }));
    await waitFor(() => expect(screen.getByRole('table').textContent).toContain('性别'));
    expect(screen.getByRole('table').textContent).not.toContain('.001');
  });

  test('read-only reports offer copying and no edits', () => {
    render(<ReportView report={report([MAIN])} readonly />);
    expect(screen.getByRole('button', { name: '复制' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /更多/ })).toBeNull();
  });

  test('long tables open by pages and lose nothing', () => {
    const long = table(
      'long',
      [column('i', 'integer'), column('v')],
      Array.from({ length: 130 }, (_, i) => [i, i / 3]),
    );
    render(<ReportView report={report([long])} />);
    const rows = (): number => document.querySelectorAll('tbody tr').length;
    expect(rows()).toBe(60);
    fireEvent.click(screen.getByText(/再显示 60 行/));
    fireEvent.click(screen.getByText(/再显示 10 行/));
    expect(rows()).toBe(130);
  });

  test('a chart of many variables opens by pages', () => {
    const means = table(
      'means',
      [column('v', 'text'), column('g', 'text'), column('m')],
      Array.from({ length: 30 }, (_, k) => [`i${k + 1}`, '男', k]),
    );
    const none = { series: null, start: null, low: null, high: null, second: null, arrange: 'grouped' as const };
    const many = chart('bar', { of: 'means', x: 'g', y: 'm', facet: ['v'], ...none });
    render(<ReportView report={report([means, many])} />);
    const labels = (): number => screen.getAllByText(/^i\d+$/, { selector: 'p' }).length;
    expect(labels()).toBe(12);
    fireEvent.click(screen.getByText(/再显示 12 幅（还有 18 幅）/));
    expect(labels()).toBe(24);
  });

  test('cells that changed with a new result flash, the others do not', async () => {
    const { rerender, container } = render(<ReportView report={report([MAIN])} />);
    const next = { ...MAIN, rows: MAIN.rows.map((row, i) => (i === 0 ? [row[0]!, 140, ...row.slice(2)] : row)) };
    rerender(<ReportView report={report([next])} />);
    await waitFor(() =>
      expect([...container.querySelectorAll('[class*=flash]')].map((e) => e.textContent)).toEqual(['140']),
    );
  });
});

test('an older or broken stored presentation reads as far as it makes sense', () => {
  expect(readPresentation(null)).toEqual(PRESENTATION);
  expect(
    readPresentation({
      reading: { decimals: 99, p: 'zero', stars: '?' },
      voice: 'brief',
      tables: { t: { decimals: 'x', turned: true } },
      extra: 1,
    }),
  ).toEqual({
    ...PRESENTATION,
    reading: { decimals: null, p: 'zero', stars: 'usual' },
    voice: 'brief',
    tables: { t: { turned: true } },
  });
});

test('a hidden block is counted and comes back', async () => {
  const onChange = vi.fn<(next: Presentation) => void>();
  render(<Kept document={report([MAIN])} onChange={onChange} />);
  fireEvent.click(screen.getByRole('button', { name: /更多：小数位/ }));
  fireEvent.click(await screen.findByRole('menuitem', { name: '隐藏此表' }));
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  expect(document.body.textContent).toContain('已隐藏 1 块');
  fireEvent.click(screen.getByRole('button', { name: '全部显示' }));
  await waitFor(() => expect(screen.getByRole('table')).toBeTruthy());
});
