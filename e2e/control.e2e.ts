import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** Twenty subgroups of three values; the sixth lies far above the others by so much. */
function subgroups(shift: number): string {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const group = Math.floor(i / 3) + 1;
    return `${group},${(50 + ((i * 7) % 5) / 10 + (group === 6 ? shift : 0)).toFixed(1)}`;
  });
  return ['组,直径', ...rows].join('\n');
}

/** An imported table; its version. */
async function importText(token: string, name: string, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const upload = await call(token, 'POST', '/v1/user/file/uploads', { name, size: bytes.length });
  const id = String(upload.envelope.data.upload_id);
  await call(token, 'PUT', `/v1/user/file/uploads/${id}?offset=0`, bytes);
  const body = { name: name.replace('.csv', ''), on_doubt: 'text' };
  const run = await call(token, 'POST', `/v1/user/file/uploads/${id}/import`, body);
  for (;;) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(run.envelope.data.run_id)}`);
    const { state, result } = envelope.data as { state: string; result: { vid: number } | null };
    if (state === 'done' && result) return String(result.vid);
    if (state !== 'waiting' && state !== 'running') throw new Error(`the import ended as ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('a signal leads to its rows by keys and by touch; its limits are frozen and judge new data', async () => {
  const token = await newPerson();
  const vid = await importText(token, '三月.csv', subgroups(2));
  const path = '/algorithm/quality_control/xbar_r';
  const chart = await call(token, 'POST', `${path}?vid=${vid}&wait=20`, { measures: ['c2'], subgroup: 'c1' });
  const { project_id: pid, report_id: rid } = chart.envelope.data;
  const address = `${ADDRESS}/analysis/result/${vid}?project_id=${String(pid)}&report_id=${String(rid)}`;
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  await page.goto(address);

  // By keys: to the signal, its rule in words, its rows, and back.
  const points = page.locator('[data-points]').first();
  await points.focus();
  await page.keyboard.press('PageDown');
  expect(await points.getAttribute('aria-valuetext')).toMatch(/^序号 6，.*准则 1：1 点超出控制限/u);
  await page.keyboard.press('Enter');
  const card = page.getByRole('group', { name: '序号 6' });
  await card.getByText('第 16–18 行').waitFor();
  await card.getByRole('row').nth(3).waitFor();
  expect((await card.getByRole('row').nth(1).innerText()).split('\t')[0]).toBe('16');
  await picture(page, 'control-1-rows');
  const { violations } = await new AxeBuilder({ page }).include('figure').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: '冻结控制限' }).first().click();
  await page.getByLabel('名称').fill('三月的线');
  await page.getByRole('button', { name: /^冻\s*结$/u }).click();
  await page.getByText('已冻结。分析新数据时').waitFor();

  await points.focus();
  await page.keyboard.press('Enter');
  await card.getByRole('link', { name: '在数据中查看' }).click();
  await page.getByText(/只看第 16–18 行：3 \/ 60 行/u).waitFor();
  await picture(page, 'control-2-data');

  // New data are judged by the kept limits, chosen by name in the form.
  const next = await importText(token, '四月.csv', subgroups(0));
  await page.goto(`${ADDRESS}/analysis/operation/${next}?method=quality_control/xbar_r&columns=c2`);
  await page.getByRole('combobox', { name: '用已冻结的控制限（选填）' }).click();
  await page.getByText('三月的线').last().click();
  await page.getByText(/的报告“均值-极差控制图：直径”，变量“直径”，20 个点/u).waitFor();
  await page
    .getByText(/“三月的线”冻结自每组 3 个值的子组/u)
    .first()
    .waitFor();
  await picture(page, 'control-3-refused');
  await page.getByRole('textbox', { name: '子组大小' }).fill('3');
  await page
    .getByText(/控制限沿用“三月的线”/u)
    .first()
    .waitFor();
  await picture(page, 'control-4-judged');
  expect(troubles).toEqual([]);
  await context.close();

  // By touch on a phone, beside the point as a finger does it; a visitor of a share sees no rows.
  const phone = await signedIn(browser, token, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const small = await watch(phone);
  await small.page.goto(address);
  await small.page.locator('[data-points]').first().waitFor({ state: 'attached' });
  const svg = small.page.locator('figure svg').filter({ hasText: 'UCL' }).first();
  await svg.scrollIntoViewIfNeeded();
  const place = await svg.evaluate((drawn) => {
    const marks = [...drawn.querySelectorAll('path')].map((one) => one.getBoundingClientRect());
    const [first] = marks.filter(({ width, height }) => width > 3 && width < 12 && Math.abs(width - height) < 2);
    return first === undefined ? null : { x: first.x + first.width / 2, y: first.y + first.height / 2 };
  });
  if (place === null) throw new Error('the chart has no points');
  await small.page.touchscreen.tap(place.x - 6, place.y + 8);
  await small.page.getByRole('group', { name: '序号 1' }).getByText('第 1–3 行').waitFor();
  await picture(small.page, 'control-5-phone');
  expect(small.troubles).toEqual([]);
  const share = await call(token, 'POST', `/v1/analysis/report/share?rid=${String(rid)}&pid=${String(pid)}`, {});
  const visitor = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const seen = await visitor.newPage();
  await seen.goto(`${ADDRESS}/s/${String(share.envelope.data.code)}`);
  const shared = seen.locator('[data-points]').first();
  await shared.focus();
  await seen.keyboard.press('Enter');
  const told = seen.getByRole('group', { name: '序号 1' });
  await told.getByText(/^均值 /u).waitFor();
  expect(await told.getByText(/行/u).count()).toBe(0);
  await visitor.close();
  await phone.close();
});
