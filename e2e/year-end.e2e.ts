import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADDRESS, call, codeFor, launch, newPerson, picture, signedIn, watch } from './browser.ts';

/** Given by the start of the product; absent where a product runs that others started. */
const OPERATOR = process.env.HENGXI_E2E_YEAR_OPERATOR ?? '';
const PAGE = `${ADDRESS}/year-end-report`;
const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** A screen in both sizes and both colours: a picture, axe, and nothing beyond the edge. */
async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
      await picture(page, `year-end-${name}-${size}-${colorScheme}`);
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
        .analyze();
      expect([name, size, colorScheme, violations.map(({ id }) => id)]).toEqual([name, size, colorScheme, []]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, size, width <= viewport.width]).toEqual([name, size, true]);
    }
  await page.setViewportSize(SIZES.desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The desk opens this year's report now. */
async function openSeason(): Promise<number> {
  const token = await newPerson(OPERATOR);
  const context = await signedIn(browser, token);
  const { page } = await watch(context);
  await page.goto(`${ADDRESS}/ops/year_reports`);
  await page.getByRole('button', { name: '发送验证码' }).click();
  await page.getByRole('button', { name: '重新发送' }).waitFor();
  await page.getByRole('textbox', { name: '验证码' }).fill(await codeFor(OPERATOR));
  await page.getByRole('button', { name: '进入', exact: true }).click();
  await page.getByRole('button', { name: '修改开放时间' }).first().waitFor();
  await picture(page, 'year-end-desk');
  const headers = { authorization: `Bearer ${token}` };
  const list = await context.request.get(`${ADDRESS}/v1/ops/year_reports`, { headers });
  const [row] = ((await list.json()) as { data: { list: { id: string; version: number }[] } }).data.list;
  const now = Date.now();
  const payload = {
    opens_at: new Date(now - 3_600_000).toISOString(),
    closes_at: new Date(now + 86_400_000).toISOString(),
    is_on: true,
  };
  const body = { act: 'year_report.change', target: row?.id, version: row?.version, payload, reason: '端到端测试' };
  const reply = await context.request.post(`${ADDRESS}/v1/ops/acts`, { data: body, headers });
  expect(await reply.json()).toMatchObject({ status_code: 1 });
  await context.close();
  return Number(row?.id);
}

/** Three analyses of the example, each another one. */
async function analyse(token: string): Promise<void> {
  const begun = await call(token, 'POST', '/v1/user/file/example', { path: 'hypothesis_test/independent_t_test' });
  let vid = begun.envelope.data.vid as number | undefined;
  for (let tries = 0; tries < 300 && vid === undefined; tries += 1) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(begun.envelope.data.run_id)}`);
    if (envelope.data.state === 'done') ({ vid } = envelope.data.result as { vid: number });
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const version = await call(token, 'GET', `/v1/user/file/versions/${vid}`);
  const columns = version.envelope.data.columns as { id: string; name: string }[];
  const id = (name: string) => columns.find((column) => column.name === name)?.id;
  const asked = [
    ['descriptive/frequency', { variables: [id('补充方式')] }],
    ['hypothesis_test/independent_t_test', { group: id('补充方式'), variables: [id('牙长')] }],
    ['descriptive/frequency', { variables: [id('牙长')] }],
  ] as const;
  for (const [path, form] of asked) {
    const run = await call(token, 'POST', `/algorithm/${path}?vid=${vid}&wait=20`, form);
    expect(run.envelope).toMatchObject({ status_code: 1, data: { state: 'done' } });
  }
}

test('a visitor sees a sample, is asked nothing, and stays', async () => {
  const context = await browser.newContext({ viewport: SIZES.desktop, reducedMotion: 'reduce' });
  const { page, troubles } = await watch(context);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(PAGE);
  await page.getByRole('heading', { name: /^示例/ }).waitFor();
  await look(page, 'sample');
  expect(asked.filter((path) => path === '/v1/user' || path === '/v1/year-end-report')).toEqual([]);
  expect(troubles).toEqual([]);
  await context.close();
});

describe.skipIf(OPERATOR === '')('the own report', () => {
  test('only after a consent; the picture is saved; a 401 keeps page and sign-in; withdrawal deletes', async () => {
    const year = await openSeason();
    const token = await newPerson();
    const context = await signedIn(browser, token, { acceptDownloads: true });
    const { page, troubles } = await watch(context);
    await page.goto(PAGE);
    const box = page.getByRole('checkbox');
    expect(await box.isChecked()).toBe(false);
    await look(page, 'consent');
    await page.getByRole('button', { name: '生成', exact: true }).click();
    await page.getByText('请先勾选同意，再生成。').waitFor();
    await box.check();
    await page.getByRole('button', { name: '生成', exact: true }).click();
    await page.getByRole('heading', { name: '今年的记录还不多' }).waitFor();
    await look(page, 'few');

    await analyse(token);
    await page.getByRole('button', { name: '统计到现在' }).click();
    await page.getByText('3 次', { exact: true }).waitFor();
    expect(await page.getByText('2 种', { exact: true }).count()).toBe(1);
    expect(await page.getByText(/，2 次$/).count()).toBe(1);
    await page.getByRole('list').getByText('读过的行').click();
    await page
      .getByText(/是筛选之前的行数/)
      .first()
      .waitFor();
    await look(page, 'ready');

    await page.getByRole('checkbox', { name: '导出' }).uncheck();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: '保存图片' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(`衡析-${year}-年终报告.png`);
    const png = readFileSync(await download.path());
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 1080, 1920]);

    await page.route('**/v1/year-end-report?*', (route) =>
      route.fulfill({ status: 401, json: { status_code: 0, err_code: 30089, msg: '登录已过期，请重新登录' } }),
    );
    await page.reload();
    await page.getByText('登录已过期，请重新登录').waitFor();
    expect([page.url(), await page.evaluate(() => localStorage.getItem('spss_token'))]).toEqual([PAGE, token]);
    await page.unroute('**/v1/year-end-report?*');

    await page.reload();
    await page.getByRole('button', { name: '撤回同意并删除报告' }).click();
    await page.getByRole('button', { name: '撤回并删除' }).click();
    await page.getByRole('button', { name: '生成', exact: true }).waitFor();
    expect((await call(token, 'GET', '/v1/year-end-report')).envelope.data).toMatchObject({
      state: 'consent',
      kept: [],
    });
    expect(troubles).toEqual([]);
    await context.close();
  });
});
