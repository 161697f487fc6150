import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

const GROUPS = ['甲', '乙', '丙'];
/** Three groups of twelve whose means lie far apart; no chance in it. */
const CSV = [
  '组别,得分',
  ...Array.from({ length: 36 }, (_, i) => `${GROUPS[i % 3]},${(i % 3) * 8 + (i % 7) + 0.5}`),
].join('\n');

/** A report made by calls: what is tested begins with reading it. */
async function makeReport(page: Page): Promise<string> {
  await page.goto(`${ADDRESS}/mydata/index`);
  await page
    .getByLabel('选择数据文件')
    .first()
    .setInputFiles({ name: '三组得分.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV, 'utf8') });
  await page.getByRole('button', { name: /^导入/ }).click();
  await page.waitForURL('**/mydata/detail/**');
  return /detail\/(\d+)/.exec(page.url())?.[1] ?? '';
}

test('a number is pinned, a figure edited and kept, a result copied as a sentence', async () => {
  const token = await newPerson();
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  const vid = await makeReport(page);
  const started = await call(token, 'POST', `/algorithm/hypothesis_test/variance?vid=${vid}`, {
    group: 'c1',
    variables: ['c2'],
  });
  const { project_id: pid, report_id: rid } = started.envelope.data;
  const address = `${ADDRESS}/analysis/result/${vid}?project_id=${String(pid)}&report_id=${String(rid)}`;
  await page.goto(address);

  // By keys alone: the first number of the table, its card, 固定.
  const first = page.locator('[data-number]').first();
  await first.waitFor();
  await first.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: '这个数字' }).getByText('来自 表 1').waitFor();
  await page.keyboard.press('Enter');
  const pad = page.getByRole('complementary', { name: '固定的数字' });
  await pad.getByRole('link', { name: /表 1/ }).waitFor();
  await picture(page, 'reading-1-pinned');

  const table = page.locator('figure', { hasText: '表 1' }).first();
  await table.hover();
  await table.getByRole('button', { name: '复制为其他格式或下载' }).click();
  await page.getByRole('menuitem', { name: '结果语句（English）' }).click();
  await page.getByText('已复制 1 句').waitFor();
  const sentence = await page.evaluate(() => navigator.clipboard.readText());
  expect(sentence).toMatch(
    /^“得分” differed significantly between the groups of “组别”, F\(2, [\d.]+\) = [\d.]+, p < \.001, η² = [\d.]+, 95% CI \[/,
  );

  await page.getByRole('button', { name: '复制文献' }).click();
  await page.getByText(/^已复制 \d+ 条文献$/).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\[1\] .+\n\[2\] /);

  const figure = page.getByRole('button', { name: /^编辑图 1/ });
  await figure.focus();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('dialog', { name: /^编辑图 1/ });
  await editor.getByRole('textbox', { name: '图的标题' }).fill('三组的得分');
  await page.keyboard.press('Enter');
  await editor.getByRole('button', { name: '下移甲' }).click();
  await editor.getByRole('combobox', { name: '显著性括号' }).click();
  await page.getByTitle('全部比较').click();
  await editor.getByRole('combobox', { name: '误差线' }).click();
  await page.getByTitle('均值 ± 标准差（SD）').click();
  await page.getByText('竖线为均值 ± 标准差（SD）').waitFor();
  // A text of one's own, moved by keys and by the mouse; one move is one step of undo.
  await editor.getByRole('textbox', { name: '新的标注' }).fill('拐点');
  await page.keyboard.press('Enter');
  const note = page.getByRole('button', { name: /^标注：拐点/ });
  const placed = await note.boundingBox();
  await note.focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(async () => ((await note.boundingBox())?.y ?? 0) > (placed?.y ?? 0)).toBe(true);
  const before = await note.boundingBox();
  await page.mouse.move((before?.x ?? 0) + 4, (before?.y ?? 0) + 4);
  await page.mouse.down();
  await page.mouse.move((before?.x ?? 0) + 64, (before?.y ?? 0) + 24, { steps: 6 });
  await page.mouse.up();
  await expect.poll(async () => Math.round(((await note.boundingBox())?.x ?? 0) - (before?.x ?? 0))).toBe(60);
  await editor.getByRole('combobox', { name: '字体' }).click();
  await page.locator('.ant-select-item-option', { hasText: '宋体' }).first().click();
  await editor.getByRole('radio', { name: /灰度印刷/ }).check();
  await editor.getByRole('button', { name: '撤销' }).click();
  expect(await editor.getByRole('radio', { name: /默认/ }).isChecked()).toBe(true);
  await picture(page, 'reading-2-editor');
  await editor.getByRole('button', { name: '关闭' }).click();
  const config = `/v1/analysis/projects/${String(pid)}/reports/${String(rid)}/config?report_type=analysis`;
  const keptFigures = async (): Promise<string> =>
    JSON.stringify((await call(token, 'GET', config)).envelope.data.presentation ?? null);
  await expect.poll(keptFigures).toMatch(/"text":"拐点"/);
  await expect.poll(keptFigures).not.toContain('"palette"');

  await page.reload();
  await page.locator('figcaption', { hasText: '图 1　三组的得分' }).waitFor();
  await page.getByText('括号为两两比较').waitFor();
  await page.locator('figure', { hasText: '三组的得分' }).getByText('拐点').waitFor();
  await pad.getByRole('link', { name: /表 1/ }).waitFor();
  const axis = await page.locator('figure', { hasText: '三组的得分' }).locator('svg text').allTextContents();
  expect(axis.findIndex((t) => t.startsWith('乙'))).toBeLessThan(axis.findIndex((t) => t.startsWith('甲')));

  // The file is made of the same edits.
  const block = page.locator('figure', { hasText: '三组的得分' });
  await block.hover();
  await block.getByRole('button', { name: '下载图' }).click();
  await page.getByRole('menuitem', { name: '图的规格与数据（JSON）' }).hover();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: '图的规格与数据（JSON）' }).click(),
  ]);
  const spec = JSON.parse(readFileSync(await saved.path(), 'utf8')) as { edit: object; data: unknown[] };
  expect(spec.edit).toMatchObject({
    title: '三组的得分',
    spread: 'sd',
    brackets: 'all',
    letters: 'song',
    texts: [{ text: '拐点' }],
  });
  expect(spec.data.length).toBeGreaterThan(0);

  // What the file will look like, before it is made: a frame that runs nothing.
  await page.getByRole('button', { name: '导出', exact: true }).click();
  await page.getByRole('menuitem', { name: /^导出文件/ }).click();
  const dialog = page.getByRole('dialog', { name: '导出报告' });
  await dialog.getByRole('button', { name: '预览' }).click();
  const sheet = page.frameLocator('iframe[title="导出预览"]');
  await sheet.getByText('图 1　三组的得分').waitFor();
  await picture(page, 'reading-3-preview');
  await dialog.getByRole('button', { name: '关闭' }).click();

  await pad.getByRole('button', { name: /^移走/ }).click();
  await pad.waitFor({ state: 'detached' });
  expect(troubles).toEqual([]);
  await context.close();
});

test('the first page travels compressed, within its budget', async () => {
  const page = await (await fetch(ADDRESS)).text();
  const files = [
    ...new Set([...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)),
  ];
  let bytes = 0;
  for (const path of files) {
    const reply = await fetch(ADDRESS + path, { headers: { 'accept-encoding': 'br' } });
    bytes += Number(reply.headers.get('content-length'));
    await reply.arrayBuffer();
  }
  expect(files.length).toBeGreaterThan(3);
  expect(bytes).toBeLessThan(220_000);
});
