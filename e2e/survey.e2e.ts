/** A questionnaire: an export is uploaded, its structure confirmed, used at a click, and read as one document. */
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

const ROWS = 120;

/** As 问卷星 writes it; the third item of the first scale runs against the others. */
const HEADS =
  '序号,提交答卷时间,来自IP,1、您的性别,2、您的年龄段,3、您多久来一次,4、您用过哪些服务？(咨询),4、(维修),4、(退换),' +
  '5、请评价服务：—及时,5、—友好,5、—出错,5、—专业,6、您的信任：—诚实,6、—守信,6、—公平';

function exported(): string {
  const rating = (x: number): number => Math.min(5, Math.max(1, Math.round(x)));
  const rows = Array.from({ length: ROWS }, (_, i) => {
    // Two traits that are not each other's, and small differences between items: the same in every run.
    const [first, second] = [1 + ((i * 7) % 11) * 0.4, 1 + ((i * 5) % 13) * 0.33];
    const off = (n: number): number => (((i * (n + 3) * 11) % 17) - 8) / 9;
    const person = [
      i % 2 ? '男' : '女',
      ['18-25岁', '26-35岁', '36岁以上'][i % 3],
      ['每周', '每月', '更少'][((i * 5) % 7) % 3],
    ];
    const used = [i % 2, Number(i % 3 > 0), Number(i % 5 === 0)];
    const service = [first + off(1), first + off(2), 6 - first + off(3), first + off(4)].map(rating);
    const trust = [second + off(5), second + off(6), second + off(7)].map(rating);
    return [i + 1, `2024/3/${(i % 28) + 1} 10:00:00`, '1.2.3.4(北京)', ...person, ...used, ...service, ...trust].join(
      ',',
    );
  });
  return [HEADS, ...rows].join('\n');
}

async function upload(token: string): Promise<string> {
  const bytes = Buffer.from(exported());
  const opened = await call(token, 'POST', '/v1/user/file/uploads', { name: '服务调查.csv', size: bytes.length });
  const id = String(opened.envelope.data.upload_id);
  await call(token, 'PUT', `/v1/user/file/uploads/${id}?offset=0`, bytes);
  const run = await call(token, 'POST', `/v1/user/file/uploads/${id}/import`, { name: '服务调查', on_doubt: 'text' });
  for (;;) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(run.envelope.data.run_id)}`);
    const { state, result } = envelope.data as { state: string; result: { vid: number } | null };
    if (state === 'done' && result) return String(result.vid);
    if (state !== 'waiting' && state !== 'running') throw new Error(`the import ended as ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('an export is confirmed as a questionnaire, put into a form at a click, and made into one document', async () => {
  const token = await newPerson();
  const vid = await upload(token);
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);

  await page.goto(`${ADDRESS}/mydata/detail/${vid}?tab=survey`);
  const service = page.getByRole('article', { name: '维度 请评价服务' });
  await service.getByText('可能是反向题').waitFor();
  await page.getByRole('article', { name: '维度 您的信任' }).waitFor();
  await page.getByText('您用过哪些服务？').last().waitFor();
  await service.getByRole('checkbox', { name: /出错/ }).check();
  await picture(page, 'survey-structure');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: '确认', exact: true }).click();
  await page.getByRole('button', { name: '合成维度得分' }).click();
  await page.waitForURL('**/dataprocessing/dispose/**');
  await page.getByText('新增 2 列').first().waitFor();

  await page.goto(`${ADDRESS}/analysis/operation/${vid}?method=descriptive/reliability`);
  await page.getByRole('button', { name: '全部放入' }).click();
  await page.getByText('2 个维度的 Cronbach', { exact: false }).first().waitFor();
  // The item that runs against the others is marked to be turned.
  const known = (await call(token, 'GET', `/v1/analysis/projects/0/report?vid=${vid}`)).envelope.data as {
    list: { rid: number }[];
  };
  const made = await call(token, 'GET', `/v1/analysis/projects/0/reports/${String(known.list[0]?.rid)}`);
  const { turned } = (made.envelope.data as { form: { turned: { for: string; reversed: boolean }[] } }).form;
  expect(turned.filter(({ reversed }) => reversed)).toHaveLength(1);
  await picture(page, 'survey-reliability');

  await page.goto(`${ADDRESS}/mydata/detail/${vid}?tab=survey`);
  await page.getByRole('button', { name: '生成整卷报告' }).click();
  await page.waitForURL('**/analysis/survey/**');
  await page.getByRole('checkbox', { name: '按“年龄段”比较：您用过哪些服务？' }).uncheck();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: /^生成报告/ }).click();
  await page.waitForURL('**/analysis/survey-report/**');
  const tools = page.getByRole('button', { name: '导出', exact: true });
  await page.getByRole('button', { name: '停止生成' }).waitFor({ state: 'detached' });
  await page.getByRole('article', { name: '信度：2 个维度' }).getByText('Cronbach', { exact: false }).first().waitFor();
  await page.getByRole('article', { name: '您用过哪些服务？', exact: true }).getByText('普及率').first().waitFor();
  await picture(page, 'survey-report');

  const dropped = page.getByRole('region', { name: '去掉的部分' });
  await page.getByRole('button', { name: '去掉 按“年龄段”比较：多久来一次' }).click();
  await dropped.getByText('按“年龄段”比较：多久来一次').waitFor();
  const pid = /survey-report\/(\d+)/.exec(page.url())?.[1] ?? '';
  const survey = (await call(token, 'GET', `/v1/analysis/projects/${pid}/survey`)).envelope.data as {
    parts: { state: string; dropped: boolean }[];
  };
  expect(survey.parts.filter((part) => part.dropped)).toHaveLength(1);
  expect(new Set(survey.parts.map(({ state }) => state))).toEqual(new Set(['done']));

  await tools.click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: '导出', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/服务调查.*\.docx$/u);
  expect(troubles).toEqual([]);
  await context.close();
});
