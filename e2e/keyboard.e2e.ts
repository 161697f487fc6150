import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { ADDRESS, call, file, launch, newPerson, picture, signedIn, watch } from './browser.ts';
import { readFileSync } from 'node:fs';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** A table of this person, by calls; answers the version. */
async function withTable(token: string, name: string): Promise<number> {
  const content = readFileSync(file(name));
  const upload = await call(token, 'POST', '/v1/user/file/uploads', { name, size: content.length });
  const id = String(upload.envelope.data.upload_id);
  await call(token, 'PUT', `/v1/user/file/uploads/${id}?offset=0`, content);
  const run = await call(token, 'POST', `/v1/user/file/uploads/${id}/import`, { name: '运动', on_doubt: 'text' });
  for (let tries = 0; tries < 200; tries += 1) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(run.envelope.data.run_id)}`);
    if (envelope.data.state === 'done') return (envelope.data.result as { vid: number }).vid;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the import did not end');
}

/** Presses Tab until the element with this role and name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => {
      const element = document.activeElement;
      const by = element?.getAttribute('aria-labelledby')?.split(' ')[0];
      return (
        element?.getAttribute('aria-label') ??
        (by ? document.getElementById(by)?.textContent : element?.textContent) ??
        ''
      );
    });
    if (name.test(label)) return;
  }
  throw new Error(`the keyboard never reaches ${String(name)}`);
}

test('a t test from the method list to the report without a mouse', async () => {
  const token = await newPerson();
  const vid = await withTable(token, 'utf8.csv');
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/analysis/operation/${vid}?method=hypothesis_test/independent_t_test`);
  await page.getByRole('treeitem', { name: /性别/ }).waitFor();

  await tabTo(page, /^变量$/);
  // Type-ahead finds a variable; Enter sends it to the first box it fits, a digit to the box of that number.
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .getByRole('group', { name: /^分组变量/ })
    .getByText('性别')
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('2');
  await page
    .getByRole('group', { name: /^检验变量/ })
    .getByText('每周运动时长')
    .waitFor();
  await page.getByText('差异有统计学意义').or(page.getByText('未发现')).first().waitFor();
  await picture(page, 'keyboard-1');

  await page.keyboard.press('Control+z');
  await expect
    .poll(() =>
      page
        .getByRole('group', { name: /^检验变量/ })
        .getByText('每周运动时长')
        .count(),
    )
    .toBe(0);
  await page.keyboard.press('Control+Shift+z');
  await page
    .getByRole('group', { name: /^检验变量/ })
    .getByText('每周运动时长')
    .waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('xxhg');
  await page
    .getByRole('option', { name: /线性回归/ })
    .first()
    .waitFor();
  await picture(page, 'keyboard-2');
  await page.keyboard.press('Enter');
  await page.waitForURL(/linear_regression/);
  expect(troubles).toEqual([]);
  await context.close();
});
