/** Answers of an open question are coded by key and mouse, suggested, undone, and written back as a multiple-answer set. */
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

const CSV = '编号,意见\n1,早餐很好吃\n2,停车不方便\n3,早餐很好吃\n4,\n5,早餐种类多，停车难\n6,asdf\n';

async function importOpinions(token: string): Promise<string> {
  const bytes = Buffer.from(CSV);
  const upload = await call(token, 'POST', '/v1/user/file/uploads', { name: '意见.csv', size: bytes.length });
  const id = String(upload.envelope.data.upload_id);
  await call(token, 'PUT', `/v1/user/file/uploads/${id}?offset=0`, bytes);
  const run = await call(token, 'POST', `/v1/user/file/uploads/${id}/import`, { name: '意见', on_doubt: 'text' });
  for (;;) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(run.envelope.data.run_id)}`);
    const { state, result } = envelope.data as { state: string; result: { vid: number } | null };
    if (state === 'done' && result) return String(result.vid);
    if (state !== 'waiting' && state !== 'running') throw new Error(`the import ended as ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('answers are coded by key and mouse and become a question of several answers', async () => {
  const token = await newPerson();
  const vid = await importOpinions(token);
  const { page, troubles } = await watch(await signedIn(browser, token));

  await page.goto(`${ADDRESS}/analysis/coding?vid=${vid}&column=c2`);
  await page.getByText('5 行有回答，4 条不同').waitFor();
  await page.getByRole('button', { name: '开始编码' }).click();
  await page.waitForURL(/\/analysis\/coding\/\d+$/);
  const codes = page.getByRole('region', { name: '码表' });
  for (const name of ['餐饮', '停车']) {
    await page.getByLabel('新编码的名称').fill(name);
    await page.getByRole('button', { name: '新建', exact: true }).click();
    await codes.getByRole('button', { name: new RegExp(`${name} 0$`) }).waitFor();
  }

  // By words: the rule of a code suggests, a person takes.
  await codes.getByText('停车', { exact: true }).hover();
  await codes.getByRole('button', { name: '修改停车' }).click();
  await page.getByLabel('词语规则').fill('停车，车位');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await page.getByText('有 2 条建议，等你确认').waitFor();
  await page.getByText('有建议 2').waitFor();

  const list = page.getByRole('group', { name: '回答列表' });
  await list.getByText('早餐很好吃').click();
  await page.keyboard.press('1');
  await list.getByRole('button', { name: '去掉餐饮' }).waitFor();
  await codes.getByRole('button', { name: /餐饮 2$/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await codes.getByRole('button', { name: /停车 1 \+1$/ }).waitFor();
  await page.keyboard.press('1');
  await list.getByText('asdf').click();
  await page.keyboard.press('m');
  await page.getByText('已编码 5 / 5 行').waitFor();
  await picture(page, 'coding-workbench');

  await page.keyboard.press('Control+z');
  await page.getByText('已编码 4 / 5 行').waitFor();
  await page.keyboard.press('Control+Shift+Z');
  await page.getByText('已编码 5 / 5 行').waitFor();
  await page.getByRole('button', { name: '批量接受' }).click();
  await page.getByRole('button', { name: '全部接受 1 条' }).click();
  await codes.getByRole('button', { name: /停车 2$/ }).waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('车');
  await page.getByText('2 条不同的回答，共 2 行').waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);

  await page.getByRole('button', { name: '写回数据' }).click();
  await page.getByRole('button', { name: '写回', exact: true }).click();
  await page.getByRole('button', { name: '看新版本' }).click();
  await page.waitForURL('**/mydata/detail/**');
  const grid = page.getByRole('grid', { name: '数据表' });
  await grid.getByText('意见_餐饮').waitFor();
  const version = await call(token, 'GET', `/v1/user/file/versions/${page.url().split('/').at(-1)}`);
  const { sets, columns } = version.envelope.data as any;
  expect(sets).toMatchObject([{ name: '意见', counted: 1, columns: { length: 4 } }]);
  const food = columns.find((one: any) => one.name === '意见_餐饮');
  // Rows 1, 3 and 5 mention it, row 2 does not, row 4 gave no answer, row 6 is 无效.
  expect(food.levels).toMatchObject([
    { value: 0, label: '未提及', count: 1 },
    { value: 1, label: '提及', count: 3 },
  ]);
  expect(food.profile).toMatchObject({ n: 4, missing: 2 });
  expect(troubles).toEqual([]);
}, 120_000);
