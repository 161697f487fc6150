import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** Who is asked and when is tested on the server: an account here is a second old. This is what the page makes of it. */
test('the question comes over a result that is read, and is answered by keyboard', async () => {
  const token = await newPerson();
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
  const form = { group: id('补充方式'), variables: [id('牙长')] };
  const done = await call(token, 'POST', `/algorithm/hypothesis_test/independent_t_test?vid=${vid}`, form);
  const { project_id: pid, report_id: rid } = done.envelope.data as { project_id: number; report_id: number };

  expect((await call(token, 'GET', '/v1/statistics/nps/popup?open_ms=20000')).envelope.data.show).toBe(false);
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  const told: unknown[] = [];
  await page.route('**/v1/statistics/nps/**', async (route) => {
    const request = route.request();
    if (request.method() === 'POST') {
      told.push(request.postDataJSON());
      return route.fulfill({ json: { status_code: 1, data: null } });
    }
    const isRipe = Number(new URL(request.url()).searchParams.get('open_ms')) >= 2000;
    const data = isRipe
      ? { show: true, survey_id: '2026Q4', token: 'a-token', delay_ms: 0 }
      : { show: false, survey_id: null, token: null, delay_ms: 2000 };
    return route.fulfill({ json: { status_code: 1, data } });
  });
  await page.goto(`${ADDRESS}/analysis/result/${vid}?project_id=${pid}&report_id=${rid}`);
  const question = page.getByText('您有多大可能向同事或同学推荐衡析？');
  await question.waitFor();
  await page.getByRole('radio', { name: '10，非常可能' }).focus();
  await page.keyboard.press('Space');
  await page.getByLabel('主要原因是什么？（选填）').fill('三线表可以直接用');
  await picture(page, 'nps-1-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(500);
  await picture(page, 'nps-2-dark');
  const { violations } = await new AxeBuilder({ page }).include('aside').withTags(['wcag2a', 'wcag2aa']).analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
  await page.getByRole('button', { name: '提交' }).click();
  await page.getByText('谢谢，已记下。').waitFor();
  expect(told).toMatchObject([{ action: 'answer', score: 10, comment: '三线表可以直接用', contact_ok: false }]);
  expect(troubles).toEqual([]);
  await context.close();
});
