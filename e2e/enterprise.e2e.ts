import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, codeFor, launch, newPerson, newPhone, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function prove(page: Page, phone: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '短信验证' });
  await dialog.getByRole('button', { name: '发送验证码' }).click();
  await dialog.getByRole('button', { name: /重新发送/ }).waitFor();
  await dialog.getByRole('textbox', { name: '验证码' }).fill(await codeFor(phone));
  await dialog.getByRole('button', { name: '确定' }).click();
}

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include('main').analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

/** Credit code with a right check character (GB 32100-2015), different in every run. */
function creditCode(): string {
  const alphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY';
  const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
  const body = `91${String(Date.now()).padStart(15, '0')}`;
  const sum = [...body].reduce((total, letter, at) => total + alphabet.indexOf(letter) * (weights[at] ?? 0), 0);
  return `${body}${alphabet[(31 - (sum % 31)) % 31] ?? ''}`;
}

const TABS = ['概览', '成员', '邀请', '内容与分享', '用量与配额', '订单与合同', '操作日志', '设置'];

/** An enterprise from its trial to a colleague who joined, saw, and was removed; and the way back of its pages. */
test('from the trial to a colleague who joins and leaves', async () => {
  const [phone, other] = [newPhone(), newPhone()];
  const owner = await newPerson(phone);
  const colleague = await newPerson(other);
  const context = await signedIn(browser, owner);
  const { page, troubles } = await watch(context);
  const name = `衡量科技${Date.now()}`;

  await page.goto(`${ADDRESS}/enterprise`);
  await page.getByLabel('企业名称').fill(name);
  await page.getByLabel('统一社会信用代码').fill('91350100M000100Y44');
  await page.getByLabel('联系人').fill('张三');
  await page.getByRole('button', { name: '申请 14 天试用' }).click();
  await prove(page, phone);
  await page.getByText('统一社会信用代码有误').waitFor();
  expect(await faults(page)).toEqual([]);
  await picture(page, 'enterprise-1-trial');
  await page.getByLabel('统一社会信用代码').fill(creditCode());
  await page.getByRole('button', { name: '申请 14 天试用' }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  const eid = Number(/\/enterprise\/(\d+)/.exec(page.url())?.[1]);

  for (const [at, tab] of TABS.entries()) {
    await page.getByRole('navigation', { name: '企业管理' }).getByRole('link', { name: tab }).click();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect([tab, await faults(page)]).toEqual([tab, []]);
    await picture(page, `enterprise-2-tab-${at + 1}`);
  }

  // A link, opened by somebody else, who joins.
  await page.getByRole('link', { name: '邀请', exact: true }).click();
  await page.getByRole('button', { name: '生成并复制链接' }).click();
  await page.getByText('复制成功').waitFor();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  const second = await signedIn(browser, colleague, { viewport: { width: 390, height: 844 } });
  const theirs = await watch(second);
  await theirs.page.goto(ADDRESS + link.pathname + link.search);
  await theirs.page.getByRole('heading', { name }).waitFor();
  await picture(theirs.page, 'enterprise-3-invite');
  await theirs.page.getByRole('button', { name: '加入企业' }).click();
  await theirs.page.getByText('您在企业空间创建的数据归企业所有').waitFor();
  await theirs.page.getByRole('dialog').getByRole('button', { name: '加入', exact: true }).click();
  await theirs.page.getByText('席位 2/5').waitFor();
  await picture(theirs.page, 'enterprise-4-mine');

  // The owner removes them: the box counts, and the enterprise is gone for them.
  await page.getByRole('link', { name: '成员', exact: true }).click();
  await page.getByRole('button', { name: '移除' }).click();
  await page.getByText('转交给接手人').waitFor();
  await picture(page, 'enterprise-5-remove');
  await page.getByRole('dialog').getByRole('button', { name: '移除' }).click();
  await page.getByText('已移除').waitFor();
  const gone = await call(colleague, 'GET', `/v1/enterprise/${eid}`);
  expect(gone.status).toBe(404);
  await theirs.page.goto(`${ADDRESS}/enterprise/${eid}`);
  await theirs.page.getByText('没有这个页面').waitFor();
  await second.close();

  // The way back is the own page one came from; anything else is not followed.
  await page.goto(`${ADDRESS}/mydata/index?x=1`);
  await page.getByRole('link', { name: '数据处理' }).first().waitFor();
  const open = async (): Promise<void> => {
    await page.goto(`${ADDRESS}/enterprise/${eid}`);
    await page.getByRole('heading', { name, exact: true }).waitFor();
  };
  for (const evil of ['//evil.example', 'javascript:alert(1)', '/enterprise/7']) {
    await open();
    await page.evaluate((value) => localStorage.setItem('ee-manager-before', value), evil);
    await page.getByRole('button', { name: '返回工作台' }).click();
    await page.waitForURL(`${ADDRESS}/analysis/index`);
  }
  for (const bad of ['abc', '0', '1e3', '99999999999']) {
    await page.goto(`${ADDRESS}/enterprise/${bad}`);
    await page.getByText('没有这个页面').waitFor();
  }
  await page.goto(`${ADDRESS}/enterprise-compare`);
  await page.getByRole('table').waitFor();
  expect(await faults(page)).toEqual([]);
  await picture(page, 'enterprise-6-compare');
  expect(troubles).toEqual([]);
  expect(theirs.troubles).toEqual([]);
  await context.close();
});

/** Own data go into the enterprise by a menu; a member leaves by a button. */
test('a copy goes into the enterprise and is told of at both ends; a member leaves', async () => {
  const [phone, other] = [newPhone(), newPhone()];
  const owner = await newPerson(phone);
  const colleague = await newPerson(other);
  const sent = await call(owner, 'POST', '/v1/user/step-up/code');
  const proof = { verify_key: sent.envelope.data.verify_key, verify_code: await codeFor(phone) };
  await call(owner, 'POST', '/v1/user/step-up', proof);
  const name = `复制科技${Date.now()}`;
  const created = await call(owner, 'POST', '/v1/enterprise', {
    name,
    trial: true,
    credit_code: creditCode(),
    contact: '张三',
  });
  const eid = Number(created.envelope.data.id);
  const invited = await call(owner, 'POST', `/v1/enterprise/${eid}/invites`, { uses: 1 });
  const [{ link }] = invited.envelope.data.list as [{ link: string }];
  await call(colleague, 'POST', '/v1/enterprise/invite/accept', { code: new URL(link).searchParams.get('code') });
  const context = await signedIn(browser, owner);
  const { page, troubles } = await watch(context);

  // Own data go in by the menu of their row; the copy is told of at both ends.
  await call(owner, 'POST', '/v1/user/file/example', { path: 'descriptive/frequency' });
  await page.goto(`${ADDRESS}/mydata/index`);
  await page.getByRole('button', { name: /更多/ }).first().click();
  await page.getByRole('menuitem', { name: '复制到企业' }).click();
  const copying = page.getByRole('dialog', { name: '复制到企业' });
  await copying.getByText('默认只有您可见').waitFor();
  await picture(page, 'enterprise-7-copy');
  await copying.getByRole('button', { name: '复制', exact: true }).click();
  await page.getByText('已复制到企业：1 份数据').waitFor();
  await page.goto(`${ADDRESS}/enterprise/${eid}?tab=log`);
  await page.getByRole('cell', { name: '从个人空间复制' }).waitFor();
  await page.goto(`${ADDRESS}/enterprise?all=1`);
  await page.getByRole('heading', { name: '复制记录' }).waitFor();
  expect(await faults(page)).toEqual([]);

  // A colleague leaves by the button, and is told what becomes of the content.
  const third = await signedIn(browser, colleague, { viewport: { width: 390, height: 844 } });
  const leaver = await watch(third);
  await leaver.page.goto(`${ADDRESS}/enterprise/${eid}`);
  await leaver.page.getByRole('button', { name: '退出企业' }).click();
  await leaver.page.getByText('接手人为企业所有者').waitFor();
  expect(await faults(leaver.page)).toEqual([]);
  await picture(leaver.page, 'enterprise-8-leave');
  await leaver.page.getByRole('dialog').getByRole('button', { name: '退出', exact: true }).click();
  await leaver.page.waitForURL(/\/enterprise\?all=1/);
  expect((await call(colleague, 'GET', `/v1/enterprise/${eid}`)).status).toBe(404);
  expect(leaver.troubles).toEqual([]);
  await third.close();
  expect(troubles).toEqual([]);
  await context.close();
});
