import { tableText } from '@hengxi/contracts/table-text';
import { expect, test } from 'vitest';

import { column, MAIN, table } from '@hengxi/contracts/testing/reports';
import { type TableCopy, toCsv, toHtml, toMarkdown, toText, toTsv } from '@hengxi/contracts/report/copy';
import { toLatex } from '@hengxi/contracts/report/copy-tex';

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

test('names that a spreadsheet would compute or take for a date are texts there, numbers stay numbers', () => {
  const names = ['=1+1', ' =2+2', '007', '3-4', '甲'];
  const t = table(
    't',
    [column('x', 'text', { title: '@SUM' }), column('v')],
    names.map((name) => [name, 1.5]),
  );
  const page = new DOMParser().parseFromString(toHtml(copyOf(t)), 'text/html');
  const isText = (td: Element): boolean =>
    td.getAttribute('style')?.includes("mso-number-format:'\\@'") === true && td.getAttribute('sdnum') === '1033;0;@';
  const cells = [...page.querySelectorAll('td')];
  expect(cells.filter(isText).map((td) => td.textContent)).toEqual(['@SUM', '=1+1', ' =2+2', '007', '3-4']);
  expect(cells.filter((td) => td.getAttribute('x:num') === '1.5')).toHaveLength(5);
  expect(toCsv(copyOf(t)).split('\r\n').slice(0, 3)).toEqual(["\uFEFF'@SUM,v", "'=1+1,1.50", ' =2+2,1.50']);
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
  // LibreOffice reads plain formats only.
  expect(cells.map((td) => td.getAttribute('sdnum'))).toEqual([null, null, '1033;0;0.0%']);
  expect(cells.map((td) => td.textContent)).toEqual(['−0.51***', '< .001', '12.6%']);
  expect(toTsv(copyOf(t)).split('\r\n')[1]).toBe('甲\t-0.51***\t< .001\t12.6%');
});

test('LaTeX takes any sign in a name, brackets and asterisks that begin a row, Greek letters, and tables wider than a page', () => {
  const names = ['[18, 25)', '*南*区', 'a|b "c" `d` ~^\\{}', '𠮷㐂龘', 'R² ε x̄ √2 H₀', '一行\n两行'];
  const t = table(
    't',
    [column('x', 'text'), column('v')],
    names.map((name, i) => [name, i + 0.25]),
  );
  const lines = toLatex(copyOf(t, ['*p* 与 50%'])).split('\n');
  expect(lines[0]).toBe('% 导言区：\\usepackage{ctex,booktabs}，用 XeLaTeX 编译');
  expect(lines.filter((line) => line.endsWith(' \\\\')).slice(1)).toEqual([
    '{}[18, 25) & 0.25 \\\\',
    '{}*南*区 & 1.25 \\\\',
    'a\\textbar{}b \\textquotedbl{}c\\textquotedbl{} \\textasciigrave{}d\\textasciigrave{} \\textasciitilde{}\\textasciicircum{}\\textbackslash{}\\{\\} & 2.25 \\\\',
    '𠮷㐂龘 & 3.25 \\\\',
    'R$^{2}$ $\\varepsilon$ $\\bar{x}$ $\\surd$2 H$_{0}$ & 4.25 \\\\',
    '一行 两行 & 5.25 \\\\',
  ]);
  expect(lines.at(-2)).toBe('\\par\\smallskip\\raggedright\\footnotesize 注：*p* 与 50\\%');
  const wide = table(
    'w',
    [column('名称', 'text'), ...Array.from({ length: 6 }, (_, i) => column(`第 ${i} 个数`))],
    [['很'.repeat(30), ...Array.from({ length: 6 }, (_, i) => i + 0.5)]],
  );
  const tex = toLatex(copyOf(wide));
  expect(tex).toContain('{ctex,booktabs,graphicx}');
  expect(tex).toMatch(
    /\\resizebox\{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi\}\{!\}\{%\n\\begin\{tabular\}\{p\{14em\}r{6}\}[\s\S]*\\end\{tabular\}\}/,
  );
});

test('LaTeX breaks a long table over pages and cuts one that would be too small to read, counting it once', () => {
  const columns = [column('名称', 'text'), ...Array.from({ length: 30 }, (_, i) => column(`c${i}`))];
  const rows = Array.from({ length: 60 }, (_, r) => [`第 ${r} 行`, ...columns.slice(1).map((_c, i) => r * 1000 + i)]);
  const tex = toLatex(copyOf(table('t', columns, rows), ['单位：元']));
  expect(tex).toContain('{ctex,booktabs,longtable}');
  const parts = tex.split('\\addtocounter{table}{-1}');
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.every((part) => part.includes('\\endfirsthead') && part.includes('第 59 行'))).toBe(true);
  expect(parts.map((part) => /\\caption\{(.*)\}/.exec(part)?.[1])).toEqual(
    parts.map((_, i) => (i === 0 ? '两组比较' : '两组比较（续）')),
  );
  expect(parts.map((part) => part.includes('单位：元'))).toEqual(parts.map((_, i) => i === parts.length - 1));
});

test('Markdown shows every name as it is written', () => {
  const names = ['a|b', '_斜_', '<b>', '`码`', '~~删~~', '\\|', '&lt;', '[名](x)', '一\n二', '$x$ 与 $y$', '[1, 2]'];
  const t = table(
    't',
    [column('x', 'text'), column('v')],
    names.map((name) => [name, 0.5]),
  );
  const cells = toMarkdown(copyOf(t))
    .split('\n')
    .slice(4)
    .map((line) => line.slice(2, line.lastIndexOf(' | ')));
  expect(cells).toEqual([
    'a\\|b',
    '\\_斜\\_',
    '\\<b>',
    '\\`码\\`',
    '\\~\\~删\\~\\~',
    '\\\\\\|',
    '\\&lt;',
    '\\[名](x)',
    '一 二',
    '\\$x\\$ 与 \\$y\\$',
    '[1, 2]',
  ]);
});

test('a box of plain text gets caption, rows and the note below', () => {
  expect(toText(copyOf(MAIN, ['M 为均值。'])).split('\r\n')).toEqual([
    '表 1　两组比较',
    '组别\tn\tM ± SD\t均值 95% CI\tp',
    '男\t139\t3.82 ± 1.69\t[3.54, 4.11]\t.001**',
    '女\t164\t3.21 ± 1.51\t[2.98, 3.44]\t.001**',
    '注：M 为均值。',
  ]);
});
