import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, launch, newPerson, picture, signedIn, watch } from './browser.ts';

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    .analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

/** A screen in both sizes and both colours: a picture, axe, and nothing beyond the edge. */
async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
      await picture(page, `plagdet-${name}-${size}-${colorScheme}`);
      expect([name, size, colorScheme, await faults(page)]).toEqual([name, size, colorScheme, []]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, size, width <= viewport.width]).toEqual([name, size, true]);
    }
  await page.setViewportSize(SIZES.desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}

const COPIED =
  '在问卷调查研究中，样本的代表性决定了结论能否推广到总体，抽样框不完整时，再精细的统计模型也难以弥补选择偏差。';
const lines = (what: string, from: number): string =>
  Array.from({ length: 12 }, (_, n) => `${what}第${from + n * 7}条，登记号为${(from + n) * 7919}，经手人甲${n}。`).join(
    '\n',
  );
const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

test('a text is checked against the own library, read by keyboard, exported, and everything can be deleted', async () => {
  const context = await signedIn(browser, await newPerson());
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/plagdet/`);
  await page.getByRole('link', { name: '开始查重' }).click();
  await page.getByRole('heading', { name: '文本查重' }).waitFor();

  // Nothing to compare with yet: said, and the file stays.
  await page
    .getByLabel('要查的文件', { exact: true })
    .setInputFiles(text('论文.txt', `${lines('本文', 3)}\n${COPIED}\n${lines('附记', 900)}`));
  await page.getByRole('button', { name: '开始查重' }).click();
  await page.getByText('还没有可比对的文档，请先建立文库').waitFor();
  await page.getByText('论文.txt，').waitFor();

  const add = page.getByRole('button', { name: '添加文件' });
  expect(await add.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: '把选中的文件加入我的文库' }).check();
  await page
    .getByLabel('加入文库的文件', { exact: true })
    .setInputFiles([
      text('旧报告.txt', `${lines('往年', 50)}\n${COPIED}\n${lines('往年', 5000)}`),
      text('太短.txt', '只有一句话'),
    ]);
  await page.getByText('在文库').waitFor();
  await page.getByText(/有效文字 5 字，需在 300 到 200000 字之间/).waitFor();
  await look(page, 'library');

  await page.getByRole('button', { name: '开始查重' }).click();
  await page.getByRole('heading', { name: '论文.txt' }).waitFor();
  await page.getByText(/本次与 1 篇文档比对/).waitFor();
  const mark = page.getByRole('button', { name: COPIED.replace(/。$/, '') });
  await mark.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: '对照' });
  await panel.getByText('来源：旧报告.txt').waitFor();
  await look(page, 'report');

  const unquoted = page.locator('[data-key="unquoted"]');
  expect(await unquoted.textContent()).not.toContain('0.0%');
  await panel.getByRole('checkbox', { name: '这处是引用' }).click();
  await page.getByText('作者把 1 处标为引用，这是作者的说法，没有核对。').waitFor();
  expect(await unquoted.textContent()).toContain('0.0%');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出网页' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('查重_论文.html');
  const html = await readFile(await saved.path(), 'utf8');
  expect(html).toContain('也没有全国性的论文库');
  expect(html).toContain('<mark class="quotation">');

  await page.getByRole('button', { name: '返回' }).click();
  await page.getByRole('button', { name: '从文库删除 旧报告.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await page.getByRole('button', { name: '从文库删除 旧报告.txt' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: '论文.txt' }).click();
  await page.getByText('1 篇来源已从文库删除，它们的标记和比例不再列出。').waitFor();

  await page.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await page.getByText('还没有。').waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});
