import { expect, test } from 'vitest';

import type { Token } from '../format.ts';
import { column, report, table } from '../testing/reports.ts';
import { documentOf } from './blocks.ts';
import { reportFile } from './html.ts';
import { PRESENTATION } from './presentation.ts';

function page(rows: number, paper: boolean): string {
  const many = table(
    't',
    [column('who', 'text'), column('score')],
    Array.from({ length: rows }, (_, i) => [`第 ${i + 1} 人 <b>`, i / 7]),
    { title: '得分 $& <i>' },
  );
  const blocks = documentOf([
    { report: report([many]), title: '报告', madeAt: null, note: '', presentation: PRESENTATION },
  ]);
  return reportFile({ title: '报告', blocks, style: 'three', pictures: new Map(), math: () => '', paper });
}

test('on paper a long table says on the next page that it goes on, a short one is never torn', () => {
  const long = page(40, true);
  // What reaches above its box is cut off, and so is on no first page.
  expect(long).toContain('</p><div class="torn"><table');
  expect(long).toContain(
    '<thead><tr class="continued" aria-hidden="true"><td colspan="2">续表 1　得分 $&amp; &lt;i&gt;</td>',
  );
  const short = page(15, true);
  expect(short).toContain('<div class="table short">');
  expect(short).not.toContain('续表 1');
  expect(page(40, false)).not.toContain('续表 1');
});

test('a symbol, its relation and its value stay on one line, and so does 95% CI', () => {
  const words: Token[] = [
    { text: 't', st: true },
    { text: '(55.3) = −1.92，' },
    { text: 'p', st: true },
    { text: ' < .001，95% CI 1 到 2' },
  ];
  const blocks = [{ type: 'text' as const, as: 'body' as const, words }];
  const file = reportFile({ title: '报告', blocks, style: 'three', pictures: new Map(), math: () => '', paper: true });
  expect(file).toContain(
    '<p><span class="whole"><i>t</i>(55.3) = −1.92</span>，<span class="whole"><i>p</i> &lt; .001</span>，<span class="whole">95% CI</span> 1 到 2</p>',
  );
});
