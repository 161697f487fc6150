import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { ADDRESS, drag, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

const METHODS = join(dirname(import.meta.dirname), 'engine/hengxi/methods/supervised_learning/classifier');
const FLOWERS = readFileSync(join(METHODS, 'random_forest/example.csv'), 'utf8').trim().split('\n');
/** Other flowers: every second one, the petals 1.5 cm wider, the columns in another order, one of an unknown width. */
const OTHERS = [
  'species,petal_width,petal_length,sepal_width,sepal_length',
  ...FLOWERS.slice(1)
    .filter((_, i) => i % 2 === 0)
    .map((line, i) => {
      const [sl, sw, pl, pw, species] = line.split(',');
      return [species, i === 0 ? '' : Number(pw) + 1.5, pl, sw, sl].join(',');
    }),
].join('\n');

/** The number of the version that a file became. */
async function upload(page: Page, name: string, text: string): Promise<string> {
  await page.goto(`${ADDRESS}/mydata/index`);
  await page
    .getByLabel('选择数据文件')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') });
  await page.getByRole('button', { name: /^导入/ }).click();
  await page.waitForURL('**/mydata/detail/**');
  return /detail\/(\d+)/.exec(page.url())?.[1] ?? '';
}

async function openReport(page: Page): Promise<void> {
  const open = page
    .getByRole('link', { name: '打开报告' })
    .or(page.getByRole('button', { name: '打开报告' }))
    .first();
  await open.click({ timeout: 110_000 });
  await page.waitForURL('**/analysis/result/**');
  // The page before shows a result too: only the report can be shared.
  await page.getByRole('button', { name: '分享' }).waitFor();
  await page.getByText('方法说明与引用').first().waitFor();
}

test(
  'a forest is trained, asked, saved, and predicts another file, whose drift and score are told',
  { timeout: 300_000 },
  async () => {
    const token = await newPerson();
    const context = await signedIn(browser, token, { acceptDownloads: true });
    const { page, troubles } = await watch(context);
    const others = await upload(page, '另一批.csv', OTHERS);
    const vid = await upload(page, '鸢尾花.csv', FLOWERS.join('\n'));

    await page.goto(`${ADDRESS}/analysis/operation/${vid}?method=supervised_learning/classifier/random_forest`);
    const variable = (name: string) => page.getByRole('tree', { name: '变量' }).getByText(name, { exact: true });
    const box = (name: RegExp) => page.getByRole('group', { name });
    await variable('species').waitFor();
    await drag(page, variable('species'), box(/^因变量Y/));
    for (const name of ['sepal_length', 'sepal_width', 'petal_length', 'petal_width']) {
      await drag(page, variable(name), box(/^自变量X/));
    }
    await page
      .getByRole('button', { name: /^运\s?行$/ })
      .last()
      .click();
    await openReport(page);
    await page.getByText('模型明显更好').first().waitFor();
    await picture(page, 'prediction-1-forest');

    // 试算: a large flower.
    const cells = page.getByRole('form', { name: '试算' });
    await cells.getByLabel('petal_length').fill('6.4');
    await cells.getByLabel('petal_width').fill('2.3');
    await cells.getByLabel('sepal_length').fill('9.9');
    await cells.getByText('训练数据在').waitFor();
    await cells.getByRole('button', { name: /^预\s?测$/ }).click();
    await cells.getByText('预测为').waitFor();
    expect(await cells.getByRole('status').innerText()).toContain('virginica');

    await page.getByRole('button', { name: '用模型预测' }).click();
    const naming = page.getByRole('dialog', { name: '保存模型' });
    await naming.getByRole('textbox').fill('三种鸢尾');
    await naming.getByRole('button', { name: /^(保\s?存|确\s?定)/ }).click();
    await page.waitForURL('**/analysis/operation/**');

    await page.goto(
      `${ADDRESS}/analysis/operation/${others}?method=supervised_learning/classifier/random_forest_predict`,
    );
    await page.getByText('模型变量 4 个，已对应 4 个').waitFor();
    await page.getByRole('button', { name: '查看对应关系' }).click();
    await picture(page, 'prediction-2-form');
    await openReport(page);
    await page
      .getByText(/有 1 个变量的分布与训练数据明显不同（“petal_width”）/)
      .first()
      .waitFor();
    await page.getByText('与真实类别相比').first().waitFor();
    await picture(page, 'prediction-3-report');

    await page.locator('[aria-expanded="false"]', { hasText: '明细' }).click();
    const line = page.locator('[data-block="download"]');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      line.getByRole('button', { name: '下载' }).click(),
    ]);
    const lines = readFileSync(await saved.path(), 'utf8')
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/);
    expect(lines[0]).toBe('行号,预测类别,概率_setosa,概率_versicolor,概率_virginica,状态');
    expect(lines).toHaveLength(76);
    expect(lines[1]).toBe('1,,,,,缺少变量值');
    for (const one of lines.slice(2)) {
      const shares = one.split(',').slice(2, 5).map(Number);
      expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    }
    await page.getByText('预测结果.xlsx').waitFor();
    expect(troubles).toEqual([]);
  },
);
