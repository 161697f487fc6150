import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { ADDRESS, call, file, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function imported(token: string): Promise<{ fid: number; vid: number }> {
  const content = readFileSync(file('utf8.csv'));
  const upload = await call(token, 'POST', '/v1/user/file/uploads', { name: 'a.csv', size: content.length });
  const id = String(upload.envelope.data.upload_id);
  await call(token, 'PUT', `/v1/user/file/uploads/${id}?offset=0`, content);
  const run = await call(token, 'POST', `/v1/user/file/uploads/${id}/import`, { name: '运动', on_doubt: 'text' });
  for (let tries = 0; tries < 300; tries += 1) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(run.envelope.data.run_id)}`);
    if (envelope.data.state === 'done') return envelope.data.result as { fid: number; vid: number };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the import did not end');
}

test('a step makes a version, a report on the older one says that it is out of date, undo goes back', async () => {
  const token = await newPerson();
  const { fid, vid } = await imported(token);
  const form = { variables: ['c3'] };
  const report = await call(token, 'POST', `/algorithm/descriptive/frequency?vid=${vid}`, form);
  const { project_id: pid, report_id: rid } = report.envelope.data as { project_id: number; report_id: number };

  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/dataprocessing/dispose/${vid}?method=data_processing/binning`);
  await page.getByRole('tree', { name: '变量' }).getByText('每晚睡眠时长').dblclick();
  await page.getByText('新增 1 列').first().waitFor();
  await picture(page, 'steps-preview');
  await page.getByRole('button', { name: '应用' }).click();
  await page.getByText('v2').first().waitFor();
  await picture(page, 'steps-applied');
  const head = await call(token, 'GET', `/v1/user/file/${fid}`);
  expect(head.envelope.data.vid).not.toBe(vid);
  expect(head.envelope.data.columns).toBe(7);

  await page.goto(`${ADDRESS}/analysis/result/${vid}?project_id=${pid}&report_id=${rid}`);
  await page.getByText('方法与可信').first().waitFor();
  await picture(page, 'steps-report');

  await page.goto(`${ADDRESS}/mydata/detail/${String(head.envelope.data.vid)}`);
  await page.getByRole('grid', { name: '数据表' }).waitFor();
  await page.getByRole('button', { name: '撤销' }).click();
  await expect.poll(async () => (await call(token, 'GET', `/v1/user/file/${fid}`)).envelope.data.vid).toBe(vid);
  expect(troubles).toEqual([]);
  await context.close();
});
