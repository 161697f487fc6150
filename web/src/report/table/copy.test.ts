import { tableText } from '@hengxi/contracts/table-text';
import { expect, test } from 'vitest';

import { column, MAIN, table } from '@hengxi/contracts/testing/reports';
import { type TableCopy, toCsv, toHtml, toLatex, toMarkdown, toTsv } from '@hengxi/contracts/report/copy';

const copyOf = (t: typeof MAIN, notes: string[] = []): TableCopy => ({
  number: '表 1',
  title: [{ text: '两组比较' }],
  grid: tableText(t),
  notes: notes.map((text) => ({ text })),
});

test('HTML has three rules and no others, and escapes names', () => {
  const evil = table('t', [column('x', 'text'), column('n', 'integer')], [['<img src=x onerror=alert(1)>', 3]]);
  const page = new DOMParser().parseFromString(toHtml(copyOf(evil)), 'text/html');
  expect(page.querySelector('img')).toBeNull();
  expect(page.querySelectorAll('td')[2]?.textContent).toBe('<img src=x onerror=alert(1)>');
  const html = toHtml(copyOf(MAIN, ['M 为均值']));
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
  expect(toHtml(copyOf(MAIN), 'apa')).toMatch(/表 1<\/p><p[^>]*font-style:italic[^>]*>两组比较/);
});

test('a spreadsheet gets numbers, whatever sign or stars stand on them', () => {
  const t = table(
    't',
    [column('x', 'text'), column('b', 'num', { stars: 'p' }), column('p', 'pvalue'), column('share', 'percent')],
    [['甲', -0.51234, 0.0004, 0.1256]],
  );
  const page = new DOMParser().parseFromString(toHtml(copyOf(t)), 'text/html');
  const cells = [...page.querySelectorAll('td')].filter((td) => td.hasAttribute('x:num'));
  expect(cells.map((td) => td.getAttribute('x:num'))).toEqual(['-0.51234', '0.0004', '0.1256']);
  expect(cells.map((td) => td.textContent)).toEqual(['−0.51***', '< .001', '12.6%']);
  expect(toTsv(copyOf(t)).split('\r\n')[1]).toBe('甲\t-0.51***\t< .001\t12.6%');
});
