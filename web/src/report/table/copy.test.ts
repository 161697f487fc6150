import { tableText } from '@hengxi/contracts/table-text';
import { expect, test } from 'vitest';

import { column, MAIN, table } from '../testing/reports.ts';
import { type TableCopy, toApa, toCsv, toHtml, toLatex, toMarkdown, toTsv } from './copy.ts';

const copyOf = (t: typeof MAIN, notes: string[] = []): TableCopy => ({
  caption: '表 1　两组比较',
  grid: tableText(t),
  notes,
});

test('HTML has three rules and no others, and escapes names', () => {
  const evil = table('t', [column('x', 'text'), column('n', 'integer')], [['<img src=x onerror=alert(1)>', 3]]);
  const page = new DOMParser().parseFromString(toHtml(copyOf(evil)), 'text/html');
  expect(page.querySelector('img')).toBeNull();
  expect(page.querySelectorAll('td')[2]?.textContent).toBe('<img src=x onerror=alert(1)>');
  const html = toHtml(copyOf(MAIN, ['注：M 为均值']));
  expect(html.match(/border-top:1\.5pt/g)).toHaveLength(5);
  expect(html).toContain('rowspan="2"');
  expect(html).toContain('border-bottom:0.75pt');
});

test('every column of the last line has the bottom rule, merged cells included', () => {
  const page = new DOMParser().parseFromString(toHtml(copyOf(MAIN)), 'text/html');
  const cells = [...page.querySelectorAll('td')].filter((td) =>
    /border-bottom:\s*1\.5pt/.test(td.getAttribute('style') ?? ''),
  );
  expect(cells).toHaveLength(5);
});

test('rows for spreadsheets repeat merged cells, csv takes the ASCII minus', () => {
  expect(toTsv(copyOf(MAIN)).split('\r\n')).toEqual([
    '组别\tn\tM ± SD\t均值 95% CI\tp',
    '男\t139\t3.82 ± 1.69\t[3.54, 4.11]\t.001**',
    '女\t164\t3.21 ± 1.51\t[2.98, 3.44]\t.001**',
  ]);
  const t = table('t', [column('x', 'text'), column('v')], [['甲,"乙"', -1.5]]);
  expect(toCsv(copyOf(t))).toBe('\uFEFFx,v\r\n"甲,""乙""",-1.50\r\n');
});

test('LaTeX is booktabs with escaped names, Markdown keeps stars', () => {
  const t = table(
    't',
    [column('x', 'text', { title: '50% & _' }), column('v', 'num', { span: ['模型一'] })],
    [['a_b', -0.5]],
  );
  const tex = toLatex(copyOf(t));
  expect(tex).toContain('\\cmidrule(lr){2-2}');
  expect(tex).toContain('a\\_b & $-$0.50 \\\\');
  expect(tex).toContain('50\\% \\& \\_');
  expect(toMarkdown(copyOf(MAIN))).toContain('| 男 | 139 | 3.82 ± 1.69 | [3.54, 4.11] | .001\\*\\* |');
});

test('APA has the number and the title on lines of their own', () => {
  expect(toApa(copyOf(MAIN))).toMatch(/Table 1<\/p><p[^>]*font-style:italic[^>]*>两组比较/);
});
