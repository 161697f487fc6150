import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, codeFor, launch, newPerson, newPhone, picture, signedIn, watch } from './browser.ts';

/** Given by the start of the product; absent where a product runs that others started. */
const OPERATOR = process.env.HENGXI_E2E_OPERATOR ?? '';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function tokenOf(phone: string): Promise<string> {
  await call(null, 'POST', '/v1/login/phone/captcha', { phone, ticket: 'sandbox', rand: 'x' });
  const sent = await call(null, 'POST', '/v1/login/phone/verify-code', { phone });
  const given = { phone, verify_code: await codeFor(phone), verify_key: sent.envelope.data.verify_key };
  return String((await call(null, 'POST', '/v1/login/phone', given)).envelope.data.token);
}

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

test('for who is no operator the desk is a page that does not exist', async () => {
  const context = await signedIn(browser, await newPerson());
  const { page, troubles } = await watch(context);
  for (const path of ['/ops', '/ops/users', '/ops/nowhere']) {
    await page.goto(`${ADDRESS}${path}`);
    await page.getByRole('heading', { name: '没有这个页面' }).waitFor();
    expect(await page.getByText('操作员').count()).toBe(0);
  }
  expect(troubles).toEqual([]);
  await context.close();
});

test.skipIf(OPERATOR === '')('in by a code, a ban, a grant that is approved, the log, a csv, out', async () => {
  const phone = newPhone();
  const customer = await tokenOf(phone);
  const context = await signedIn(browser, await tokenOf(OPERATOR));
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/ops`);
  await page.getByRole('button', { name: '发送验证码' }).click();
  await page.getByRole('button', { name: '重新发送' }).waitFor();
  await page.getByRole('textbox', { name: '验证码' }).fill(await codeFor(OPERATOR));
  expect(await faults(page)).toEqual([]);
  await picture(page, 'ops-1-door');
  await page.getByRole('button', { name: '进入', exact: true }).click();

  await page.getByText('按完整手机号、昵称、用户编号或订单号查找，点编号打开客户页。').first().waitFor();
  await page.getByRole('textbox', { name: '手机号、昵称、用户编号或订单号' }).fill(phone);
  await page.getByRole('button', { name: '查询' }).click();
  await page.getByText(`${phone.slice(0, 3)}****${phone.slice(-4)}`).waitFor();
  expect(page.url()).toContain(`who=${phone}`);
  await page.getByText('操作员模式').waitFor();
  expect(await faults(page)).toEqual([]);
  await picture(page, 'ops-2-user');

  // More than two acts of a row stand in its menu.
  const choose = async (act: string): Promise<void> => {
    await page.getByRole('button', { name: /^操作：/ }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };
  await choose('封禁账号');
  const ban = page.getByRole('dialog', { name: '封禁账号' });
  await ban.getByLabel('原因').fill('刷单');
  await ban.getByRole('button', { name: '封禁账号' }).click();
  await ban.getByText('请填写不少于5个字的原因').waitFor();
  await ban.getByLabel('原因').fill('多次刷单，已核实');
  await ban.getByRole('button', { name: '封禁账号' }).click();
  await page.getByText('已封禁').waitFor();
  const refused = await call(customer, 'GET', '/v1/user');
  expect(refused.envelope).toMatchObject({ err_code: 20023, data: { reason: '多次刷单，已核实' } });
  await choose('解除封禁');
  const unban = page.getByRole('dialog', { name: '解除封禁' });
  await unban.getByLabel('原因').fill('申诉成立，解除');
  await unban.getByRole('button', { name: '解除封禁' }).click();
  await page.getByText('正常', { exact: true }).waitFor();

  // All of the customer on one page; the menu is found by its words.
  await page.locator('a[href^="/ops/customer/"]').first().click();
  await page.getByRole('heading', { name: /^客户：/ }).waitFor();
  for (const part of ['用户', '订单', '意见反馈', '客户文件', '登录会话', '操作日志'])
    await page.getByRole('region', { name: part, exact: true }).waitFor();
  expect(await faults(page)).toEqual([]);
  await picture(page, 'ops-4-customer');
  await page.getByRole('textbox', { name: '查找菜单或客户' }).fill('操作日志');
  expect(await page.getByRole('navigation', { name: '后台' }).getByRole('link', { name: '订单' }).count()).toBe(0);
  await page.getByRole('textbox', { name: '查找菜单或客户' }).fill('');

  await choose('赠送会员天数');
  const gift = page.getByRole('dialog', { name: '赠送会员天数' });
  await gift.getByLabel('天数').fill('60');
  await gift.getByLabel('原因').fill('补偿服务中断');
  await gift.getByRole('button', { name: '赠送会员天数' }).click();
  await page.getByText('需要另一位操作员审批，已提交').waitFor();
  await page.getByRole('link', { name: '审批' }).click();
  await page.getByRole('button', { name: '批准并执行' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '批准并执行' }).click();
  await page.getByText('已批准并执行').first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('link', { name: '操作日志' }).click();
  for (const act of ['封禁账号', '解除封禁', '提交申请', '赠送会员天数'])
    await page.getByRole('cell', { name: act, exact: true }).first().waitFor();
  await page.getByRole('button', { name: '导出 CSV' }).click();
  await page.getByRole('textbox', { name: '导出原因' }).fill('月度审计留档');
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出', exact: true }).click(),
  ]);
  const bytes = readFileSync(await csv.path());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.toString('utf8')).toContain('多次刷单，已核实');
  await picture(page, 'ops-3-log');

  await page.getByRole('button', { name: '离开后台' }).click();
  await page.getByRole('heading', { name: '进入运营后台' }).waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});
