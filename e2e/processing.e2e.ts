import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** An imported table; its version. */
async function importText(token: string, name: string, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const upload = await call(token, 'POST', '/v1/user/file/uploads', { name, size: bytes.length });
  const id = String(upload.envelope.data.upload_id);
  await call(token, 'PUT', `/v1/user/file/uploads/${id}?offset=0`, bytes);
  const run = await call(token, 'POST', `/v1/user/file/uploads/${id}/import`, {
    name: name.replace('.csv', ''),
    on_doubt: 'text',
  });
  for (;;) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(run.envelope.data.run_id)}`);
    const { state, result } = envelope.data as { state: string; result: { vid: number } | null };
    if (state === 'done' && result) return String(result.vid);
    if (state !== 'waiting' && state !== 'running') throw new Error(`the import ended as ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('a variable is computed, its step changed, switched off, undone, and done again on the next upload', async () => {
  const token = await newPerson();
  const vid = await importText(token, '体检.csv', '编号,身高,体重\nA,160,64\nB,170,70\nC,180,\n');
  await importText(token, '体检二.csv', '体重,编号,身高\n81,X,180\n50,Y,160\n');
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);

  await page.goto(`${ADDRESS}/dataprocessing/index?vid=${vid}`);
  await page.getByRole('button', { name: /^生成变量/ }).click();
  await page.waitForURL('**/dataprocessing/dispose/**');
  const formula = page.getByRole('textbox', { name: '计算公式' });
  await formula.click();
  await formula.pressSequentially('体');
  await page.getByRole('option', { name: '体重' }).waitFor();
  await page.keyboard.press('Enter');
  await formula.pressSequentially(' / (身高 / 100) ^ ');
  await page.locator('pre mark').waitFor();
  await formula.pressSequentially('2');
  await page.getByText('新增 1 列').first().waitFor();
  await page.getByRole('region', { name: '处理后' }).getByText('25', { exact: true }).waitFor();
  // What a column becomes is said in words, not by its colour alone.
  await page.getByRole('region', { name: '处理后' }).getByRole('columnheader', { name: /新增$/ }).waitFor();
  await picture(page, 'processing-preview');
  await page.getByRole('button', { name: '应用' }).click();
  // The next step begins where this one ended: the new version, the tools and the steps.
  await page.waitForURL('**/dataprocessing/index**');
  const data = page.getByRole('region', { name: '数据', exact: true });
  await data.getByText('新变量').first().waitFor();
  const rail = page.getByRole('region', { name: '步骤' });
  await rail.getByRole('button', { name: '修改第 1 步的设置' }).click();
  await page.waitForURL('**/dataprocessing/dispose/**');
  expect(await formula.inputValue()).toBe('`体重` / (`身高` / 100) ^ 2');
  await formula.fill('体重 * 2');
  await page.getByRole('region', { name: '处理后' }).getByText('128', { exact: true }).waitFor();
  await page.getByRole('button', { name: '应用修改' }).click();
  await page.waitForURL('**/dataprocessing/index**');
  await data.getByText('128').first().waitFor();

  await rail.getByRole('button', { name: '停用第 1 步' }).click();
  await rail.getByText('（已停用）').waitFor();
  expect(await data.getByText('新变量').count()).toBe(0);
  await page.getByRole('button', { name: '撤销', exact: true }).last().click();
  await data.getByText('128').first().waitFor();
  await picture(page, 'processing-steps');

  await rail.getByRole('button', { name: '在另一份数据上重放' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: '选择数据' }).click();
  await page.getByText('体检二', { exact: true }).last().click();
  await page.getByRole('button', { name: '重放', exact: true }).click();
  await data.getByText('162').first().waitFor();
  await picture(page, 'processing-replayed');
  expect(troubles).toEqual([]);
  await context.close();
});

test('a finding of the data check leads to its tool, filled; the change is seen, applied and undone; so on a phone', async () => {
  const token = await newPerson();
  const rows = Array.from({ length: 40 }, (_, at) => [
    `P${at}`,
    at === 6 ? 900 : 20 + ((at * 7) % 31),
    at % 3 === 0 ? '' : 1000 + at,
    at % 3 === 1 ? '' : 50 + at,
  ]);
  const vid = await importText(token, '门诊.csv', `编号,年龄,费用,天数\n${rows.join('\n')}\n`);
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);

  await page.goto(`${ADDRESS}/mydata/detail/${vid}`);
  await page.getByText('概览', { exact: true }).click();
  await page.getByRole('link', { name: /^处理….*“年龄”有极端值/ }).click();
  await page.waitForURL('**/dataprocessing/dispose/**');
  const settings = page.getByRole('region', { name: '设置' });
  // The variable, the rule and what becomes of it are filled in.
  await settings.getByRole('button', { name: /移出“年龄”/ }).waitFor();
  const after = page.getByRole('region', { name: '处理后' });
  await after.getByRole('columnheader', { name: /新增$/ }).waitFor();
  await page.getByText('新增 1 列').waitFor();
  await settings.getByText('仅标记').click();
  await page.getByText('设为缺失', { exact: true }).last().click();
  await after.locator('del', { hasText: '900' }).waitFor();
  expect(await page.getByRole('definition').allTextContents()).toEqual(['40（不变）', '4（不变）', '27 → 28']);
  await picture(page, 'processing-finding');

  await page.getByRole('button', { name: '应用' }).click();
  await page.waitForURL('**/dataprocessing/index**');
  const data = page.getByRole('region', { name: '数据', exact: true });
  await data.getByText('P6', { exact: true }).waitFor();
  expect(await data.getByText('900', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: '撤销', exact: true }).last().click();
  await data.getByText('900', { exact: true }).waitFor();

  // Gaps of several variables in one step, and the tool found by its initials.
  await page.goto(`${ADDRESS}/mydata/detail/${vid}`);
  await page.getByText('概览', { exact: true }).click();
  await page.getByRole('link', { name: '一起处理 2 个变量…' }).click();
  await page.getByText('新增 2 列').waitFor();
  const tools = page.getByRole('navigation', { name: '工具' });
  await page.keyboard.press('Alt+t');
  await page.keyboard.type('qccf');
  await tools.getByRole('button', { name: '去除重复' }).waitFor();
  expect(await tools.getByRole('button').count()).toBeLessThan(5);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '去除重复' }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('预览', { exact: true }).click();
  await page.getByRole('region', { name: '数据', exact: true }).getByText('P6', { exact: true }).waitFor();
  await page.getByText('工具', { exact: true }).click();
  await tools.getByRole('button', { name: '数据筛选' }).click();
  await page.getByRole('heading', { name: '数据筛选' }).waitFor();
  await page.getByText('步骤', { exact: true }).first().click();
  await page.getByRole('region', { name: '步骤' }).getByText('导入').first().waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

test('steps are saved under a name, fitted to another file, run there, undone; the chain leaves as a file and comes back', async () => {
  const token = await newPerson();
  const vid = await importText(token, '一月.csv', '编号,年龄,收入\nA,17,3000\nB,22,4000\nC,31,5000\n');
  const next = await importText(token, '二月.csv', '月收入,编号,年龄\n9000,X,40\n8000,Y,12\n7000,Z,55\n');
  const first = await call(token, 'POST', `/algorithm/data_processing/filter?vid=${vid}&wait=20`, {
    condition: '{c2} > 18',
  });
  const second = await call(
    token,
    'POST',
    `/algorithm/data_processing/compute_variable?vid=${String(first.envelope.data.vid)}&wait=20`,
    {
      name: '年收入',
      expression: '{c3} * 12',
    },
  );
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  const grid = page.getByRole('grid', { name: '数据表' });
  const openSteps = async (at: string): Promise<void> => {
    await page.goto(`${ADDRESS}/mydata/detail/${at}`);
    await page.getByText('步骤', { exact: true }).click();
  };

  await openSteps(String(second.envelope.data.vid));
  await page.getByRole('button', { name: '保存为常用流程' }).click();
  await page.getByLabel('名称').fill('每月清洗');
  await picture(page, 'recipe-save');
  await page.keyboard.press('Enter');
  await page.getByText('已保存为常用流程“每月清洗”').waitFor();

  await openSteps(next);
  await page.getByRole('button', { name: '套用常用流程' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: '“每月清洗”的更多操作' }).click();
      await page.getByRole('menuitem', { name: '导出为文件' }).click();
    })(),
  ]);
  await page.getByLabel('选择流程文件').setInputFiles(await file.path());
  await page.getByRole('button', { name: '套用“每月清洗 2”' }).click();
  await page.getByText('这份数据里没有变量“收入”').waitFor();
  await picture(page, 'recipe-missing');
  const { violations } = await new AxeBuilder({ page })
    .include('[role="dialog"]')
    .withTags(['wcag2a', 'wcag2aa'])
    .analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
  await page.getByRole('button', { name: '月收入', exact: true }).click();
  await page.getByText('可以套用').waitFor();
  await picture(page, 'recipe-ready');
  await page.getByRole('button', { name: '套用 2 步' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(`/${next}`));
  await grid.getByText('108000').first().waitFor();
  expect(await grid.getByText('96000').count()).toBe(0);
  await page.getByRole('button', { name: '撤销', exact: true }).last().click();
  await page.waitForURL((url) => url.pathname.endsWith(`/${next}`));

  await page.getByRole('button', { name: '套用常用流程' }).click();
  await page.getByRole('button', { name: '“每月清洗 2”的更多操作' }).click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page.getByText('已把“每月清洗 2”移到回收站').waitFor();
  await page.getByRole('button', { name: '回收站' }).click();
  await page.getByRole('button', { name: '恢复“每月清洗 2”' }).click();
  await page.getByText('回收站是空的').waitFor();
  await picture(page, 'recipe-bin');
  expect(troubles).toEqual([]);
  await context.close();
});

test('two windows change one version: the second is told, keeps its cells over a reload and applies them; a text is replaced, a row put in', async () => {
  const token = await newPerson();
  const vid = await importText(token, '名单.csv', '编号,城市,年龄\nA,北京市,17\nB,上海市,22\nC,北京市,31\n');
  const contexts = [await signedIn(browser, token), await signedIn(browser, token)] as const;
  const [first, second] = [await contexts[0].newPage(), await contexts[1].newPage()];
  const gridOf = (page: Page) => page.getByRole('grid', { name: '数据表' });
  for (const [page, value] of [
    [first, '77'],
    [second, '88'],
  ] as const) {
    await page.goto(`${ADDRESS}/mydata/detail/${vid}`);
    await gridOf(page).getByText('17', { exact: true }).waitFor();
    await page.getByRole('switch', { name: '编辑' }).click();
    await gridOf(page).getByText('17', { exact: true }).click();
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
    await page.getByText('改动了 1 个单元格').waitFor();
  }
  await first.getByRole('button', { name: '保存为一步' }).click();
  await first.waitForURL((url) => !url.pathname.endsWith(`/${vid}`));
  // Nobody touches the second window.
  await second.getByText(/当前版本是 v2/).waitFor();
  await second.reload();
  await second.getByText('上次留下的，已恢复').waitFor();
  await second.getByRole('button', { name: '保存为一步' }).click();
  await second.getByText(/你写 88，现在是 77/).waitFor();
  await picture(second, 'grid-newer-version');
  await second.getByRole('button', { name: '应用到 v2' }).click();
  await second.waitForURL((url) => !url.pathname.endsWith(`/${vid}`));
  await gridOf(second).getByText('88', { exact: true }).waitFor();

  await second.keyboard.press('Control+h');
  await second.getByLabel('查找内容').fill('市');
  await second.getByText('第 1 / 3 处').waitFor();
  await picture(second, 'grid-replace');
  await second.getByLabel('替换为').press('Control+Enter');
  await gridOf(second).getByText('上海', { exact: true }).waitFor();
  await second.getByLabel('替换为').press('Escape');
  await gridOf(second).getByText('B', { exact: true }).click({ button: 'right' });
  await second.getByRole('menuitem', { name: /在上方插入 1 行/ }).click();
  await gridOf(second).getByText('缺失', { exact: true }).first().waitFor();
  await second.getByRole('button', { name: '撤销', exact: true }).first().click();
  await gridOf(second).getByText('缺失', { exact: true }).first().waitFor({ state: 'detached' });
  expect(await gridOf(second).getByText('市', { exact: false }).count()).toBe(1);
  await Promise.all(contexts.map((context) => context.close()));
});
