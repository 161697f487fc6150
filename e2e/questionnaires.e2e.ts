/** A Delphi: asked by its owner, answered on a phone by keyboard alone, closed, analysed by the same method as typed scores. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, launch, newPerson, signedIn, watch } from './browser.ts';

const PHONE = { viewport: { width: 390, height: 844 } };
const BASE = '/v1/pro-analysis/projects';
const ANSWER = '/v1/pro-analysis/answer';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa']).analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

/** No account: what the other experts do. */
const stranger = (method: string, url: string, body: unknown) =>
  fetch(`${ADDRESS}${url}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function answers(code: string, scores: readonly number[]): Promise<void> {
  const given = scores.map((value, at) => ({ key: `item:n${at + 1}`, value, revision: 1 }));
  expect((await stranger('PUT', `${ANSWER}/${code}/answers`, { answers: given })).status).toBe(200);
  expect((await stranger('POST', `${ANSWER}/${code}/submit`, {})).status).toBe(200);
}

test('a Delphi round from the first item to the report', { timeout: 180_000 }, async () => {
  const owner = await newPerson();
  const context = await signedIn(browser, owner);
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/pro-analysis/index`);
  await page.getByRole('button', { name: '新建德尔菲问卷' }).first().click();
  await page.waitForURL(/pro-analysis\/edit\/\d+$/);
  await page.getByRole('textbox', { name: '粘贴指标' }).fill('质量\t合格率\n质量\t售后\n成本\t价格');
  await page.getByRole('button', { name: '添加指标' }).click();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: '发布并开始收集' }).click();
  await page.waitForURL(/pro-analysis\/collect\/\d+$/);
  await page.getByRole('textbox', { name: '添加专家' }).fill('甲\n乙\n丙\n丁');
  await page.getByRole('button', { name: '添加专家' }).click();
  await page.getByText('E04').waitFor();
  expect(await faults(page)).toEqual([]);

  const pid = /\d+$/.exec(page.url())?.[0] ?? '';
  const panel = (await call(owner, 'GET', `${BASE}/${pid}/experts`)).envelope.data as {
    list: { quescode: string }[];
  };
  const [first = '', ...others] = panel.list.map(({ quescode }) => quescode);

  const { page: phone, troubles: phoneTroubles } = await watch(await browser.newContext(PHONE));
  await phone.goto(`${ADDRESS}/pro-analysis/answer/${first}`);
  await phone.getByRole('checkbox', { name: '我已阅读并同意参加' }).focus();
  await phone.keyboard.press('Space');
  await phone.keyboard.press('Tab');
  await phone.keyboard.press('Enter');
  await phone.getByRole('radio', { name: '1', exact: true }).first().focus();
  // Arrows choose within a question.
  await phone.keyboard.press('Space');
  for (let times = 0; times < 3; times += 1) await phone.keyboard.press('ArrowRight');
  await phone.getByText('已保存').waitFor();
  expect(await faults(phone)).toEqual([]);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // The same link on another device goes on where this one stopped.
  const { page: second } = await watch(await browser.newContext(PHONE));
  await second.goto(`${ADDRESS}/pro-analysis/answer/${first}`);
  await second.getByText('还有 7 题').waitFor();
  expect(await second.getByRole('radio', { name: '4', exact: true }).first().isChecked()).toBe(true);
  await phone.getByRole('radio', { name: '5', exact: true }).nth(1).check();
  await phone.getByRole('radio', { name: '3', exact: true }).nth(2).check();
  await phone.getByRole('button', { name: '提交' }).click();
  // About oneself nothing has been told; that does not hold the sheet back.
  await phone.getByRole('button', { name: '直接提交' }).click();
  await phone.getByText('已提交，感谢您的判断').waitFor();

  for (const [at, code] of others.entries()) await answers(code, [4, 5 - at, 3]);
  await page.reload();
  await page.getByRole('button', { name: '结束本轮' }).click();
  await page.getByRole('button', { name: '结束', exact: true }).click();
  await page.getByRole('button', { name: '开启第 2 轮' }).waitFor();
  expect((await stranger('POST', `${ANSWER}/${first}/submit`, {})).status).toBe(409);
  await second.reload();
  await second.getByText(/本轮已于.+截止/).waitFor();

  await page.getByRole('link', { name: '结果', exact: true }).first().click();
  // Fewer than the seven experts of the protocol: analysed only when that is accepted.
  await page.getByRole('checkbox', { name: /少于协议规定的 7 位/ }).check();
  await page.getByRole('button', { name: '用德尔菲法分析' }).click();
  await page.waitForURL(/analysis\/(operation|result)\/\d+/);
  await page
    .getByRole('link', { name: '打开报告' })
    .or(page.getByRole('button', { name: '打开报告' }))
    .first()
    .click({ timeout: 90_000 });
  await page.waitForURL(/analysis\/result\/\d+/);
  // Scores 4 4 4 4, 5 5 4 3, 3 3 3 3: the saved report holds their numbers, by R W = .661 and χ²(2) = 5.286.
  const row = page.getByRole('row', { name: /售后/ }).first();
  await row.waitFor({ timeout: 30_000 });
  expect(await row.textContent()).toContain('4.25');
  const agreement = page.getByRole('row', { name: /第1轮.*\.66/ }).first();
  await agreement.waitFor();
  expect(await agreement.textContent()).toContain('5.29');
  expect([...troubles, ...phoneTroubles]).toEqual([]);
});
