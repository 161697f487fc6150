import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADDRESS, file, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let troubles: string[];
beforeAll(async () => {
  browser = await launch();
});
beforeEach(async () => {
  await context?.close();
  context = await signedIn(browser, await newPerson());
  ({ page, troubles } = await watch(context));
  await page.goto(`${ADDRESS}/mydata/index`);
});
afterAll(async () => browser.close());

async function choose(name: string): Promise<void> {
  await page.goto(`${ADDRESS}/mydata/index`);
  await page.getByLabel('选择数据文件').first().setInputFiles(file(name));
}

async function importWhole(name: string): Promise<void> {
  await choose(name);
  await page.getByRole('button', { name: /^导入/ }).click();
  await page.waitForURL('**/mydata/detail/**');
}

test('an SPSS file keeps its labels and missing codes', async () => {
  await importWhole('运动与睡眠.sav');
  await page.getByRole('grid', { name: '数据表' }).getByText('男').first().waitFor();
  await page.getByRole('tab', { name: '变量' }).click();
  const table = page.getByRole('table', { name: '变量属性' });
  await table.waitFor();
  expect(await table.getByLabel('HOURS 的标签').inputValue()).toBe('每周运动时长（小时）');
  expect(await table.getByLabel('HOURS 的缺失编码').inputValue()).toContain('99');
  await picture(page, 'files-sav');
  expect(troubles).toEqual([]);
});

test('a workbook is read from the sheet with the data', async () => {
  await importWhole('运动与睡眠.xlsx');
  await page.getByText('240 行 × 6 列').first().waitFor();
  await page.getByRole('tab', { name: '导入报告' }).click();
  await picture(page, 'files-xlsx-report');
  expect(troubles).toEqual([]);
});

test('what cannot be read is said with place, cause and remedy, and nothing is left behind', async () => {
  const expected: Record<string, RegExp> = {
    '空.csv': /空/,
    '图片.csv': /图片|PNG|不符/,
    '截断.xlsx': /损坏|不完整|截断/,
    '只有表头.csv': /没有数据/,
    '参差.csv': /第 ?\d+ 行/,
  };
  for (const [name, words] of Object.entries(expected)) {
    await choose(name);
    await page.getByText(words).first().waitFor();
    await picture(page, `files-${name}`);
  }
  // No file was made of them; what was sent lies on the server until somebody removes it, and is said to.
  await page.goto(`${ADDRESS}/mydata/index`);
  const remove = { name: /^删\s?除$/ };
  const rows = page.getByRole('row').filter({ has: page.getByRole('button', remove) });
  await rows.first().waitFor();
  for (let left = await rows.count(); left > 0; left -= 1) {
    await rows.first().getByRole('button', remove).click();
    await page.getByRole('dialog').getByRole('button', remove).click();
    await rows.nth(left - 1).waitFor({ state: 'detached' });
  }
  await page.getByText('还没有数据').waitFor();
  expect(troubles).toEqual([]);
});

test('a deleted file comes back from the bin', async () => {
  await importWhole('utf8.csv');
  await page.goto(`${ADDRESS}/mydata/index`);
  await page.getByRole('button', { name: 'utf8 的更多操作' }).click();
  await page.getByRole('menuitem', { name: /删除/ }).click();
  await page.getByRole('button', { name: '撤销' }).click();
  await page.getByText('utf8').first().waitFor();
  await page.getByRole('button', { name: 'utf8 的更多操作' }).waitFor();
  expect(troubles).toEqual([]);
});
