import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, codeFor, launch, newPerson, picture, scan, signedIn, watch } from './browser.ts';

/** Given by the start of the product; absent where a product runs that others started. */
const OPERATOR = process.env.HENGXI_E2E_CREDITS_OPERATOR ?? '';
const METHOD = 'hypothesis_test/independent_t_test';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    .analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

/** Asks until the answer is there: what people do is counted a moment later. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it never came');
}

/** The address of an analysis of the example that runs as soon as it is opened. */
async function example(token: string): Promise<string> {
  const { envelope } = await call(token, 'POST', '/v1/user/file/example', { path: METHOD });
  const answer = envelope.data as { vid?: number; run_id?: number };
  const vid =
    answer.vid ??
    (await until(async () => {
      const run = (await call(token, 'GET', `/v1/runs/${answer.run_id}`)).envelope.data as {
        state: string;
        result: { vid: number };
      };
      return run.state === 'done' ? run.result.vid : undefined;
    }));
  const version = await call(token, 'GET', `/v1/user/file/versions/${vid}`);
  const columns = version.envelope.data.columns as { id: string; name: string }[];
  const id = (name: string) => columns.find((column) => column.name === name)?.id;
  return `/analysis/operation/${vid}?method=${METHOD}&columns=${id('补充方式')},${id('牙长')}`;
}

/** At the desk: credits to an account, with a reason; what is owed and whether the books agree. */
async function grant(userId: number, credits: string): Promise<void> {
  const context = await signedIn(browser, await newPerson(OPERATOR));
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/ops/credits?user_id=${userId}`);
  await page.getByRole('button', { name: '发送验证码' }).click();
  await page.getByRole('button', { name: '重新发送' }).waitFor();
  await page.getByRole('textbox', { name: '验证码' }).fill(await codeFor(OPERATOR));
  await page.getByRole('button', { name: '进入', exact: true }).click();
  await page.getByRole('button', { name: '调整积分' }).click();
  const dialog = page.getByRole('dialog', { name: '调整积分' });
  await dialog.getByLabel('积分').fill(credits);
  await dialog.getByLabel('事项').fill('服务中断补偿');
  await dialog.getByLabel('原因').fill('导出失败，已核实');
  await picture(page, 'credits-3-desk');
  await dialog.getByRole('button', { name: '调整积分' }).click();
  await page.getByRole('cell', { name: '240', exact: true }).waitFor();
  await page.getByRole('link', { name: '积分到期' }).click();
  await page.getByRole('columnheader', { name: '到期月份' }).waitFor();
  await page.getByRole('link', { name: '账目核对' }).click();
  await page.getByRole('cell', { name: '积分余额与流水' }).waitFor();
  expect(await page.getByRole('cell', { name: '不符', exact: true }).count()).toBe(0);
  expect(await faults(page)).toEqual([]);
  expect(troubles).toEqual([]);
  await context.close();
}

test.skipIf(OPERATOR === '')(
  'an analysis earns credits, credits buy a day of membership, and what is untouched goes back',
  async () => {
    const token = await newPerson();
    const { id } = (await call(token, 'GET', '/v1/user')).envelope.data as { id: number };
    const context = await signedIn(browser, token);
    const { page, troubles } = await watch(context);

    // Nothing yet, and how the first comes about.
    await page.goto(`${ADDRESS}/credits?tab=changes`);
    await page.getByText('还没有积分记录，完成一次分析即可获得第一笔').waitFor();
    await page.goto(ADDRESS + (await example(token)));
    await page.getByRole('link', { name: '打开报告' }).waitFor();

    await until(async () => {
      const quests = (await call(token, 'GET', '/v1/quests')).envelope.data as unknown as {
        title: string;
        state: number;
      }[];
      return quests.some((quest) => quest.title === '完成首次分析' && quest.state === 1) || undefined;
    });
    await page.getByRole('button', { name: /账号菜单/ }).click();
    await page.getByRole('menuitem', { name: '积分 0' }).click();
    await page.waitForURL('**/credits');
    for (const title of ['完成首次分析', '绑定手机号']) {
      await page.getByRole('button', { name: `领取 20 积分：${title}` }).click();
      await page.getByRole('listitem').filter({ hasText: title }).getByText('已领取 20 积分').waitFor();
    }
    expect(await faults(page)).toEqual([]);
    await picture(page, 'credits-1-tasks');

    await page.getByRole('link', { name: '商城', exact: true }).click();
    const card = page.getByRole('listitem').filter({ hasText: '会员 1 天' });
    await card.getByText('积分不足，还差 40').waitFor();
    await picture(page, 'credits-2-mall');
    await grant(id, '200');

    // A day of membership: bought, at work at once, and given back only by people.
    await page.reload();
    await page.getByRole('button', { name: '兑换会员 1 天' }).click();
    const dialog = page.getByRole('dialog', { name: '确认兑换' });
    await dialog.getByText('160 积分').waitFor();
    expect((await dialog.boundingBox())?.width).toBe(520);
    await dialog.getByRole('button', { name: '确认兑换' }).click();
    const done = page.getByRole('dialog', { name: '兑换成功' });
    await done.getByText('余额 160 积分').waitFor();
    await done.getByRole('button', { name: '完成' }).click();
    await page.getByRole('button', { name: '我的权益' }).waitFor();

    // A coupon, given back untouched.
    await page.getByRole('button', { name: '兑换会员优惠码 5 元' }).click();
    await dialog.getByRole('button', { name: '确认兑换' }).click();
    await done.getByRole('link', { name: '我的兑换' }).click();
    await page.getByText('不能自行退回：会员天数请联系客服退回').waitFor();
    await page.getByRole('button', { name: '申请退回会员优惠码 5 元' }).click();
    await page.getByRole('dialog', { name: '申请退回' }).getByRole('button', { name: '退回' }).click();
    await page.getByRole('listitem').filter({ hasText: '会员优惠码' }).getByText('已退回', { exact: true }).waitFor();
    await picture(page, 'credits-4-exchanges');

    await page.getByRole('link', { name: '积分明细' }).click();
    const amounts = page.getByRole('row').locator('td:nth-child(4)');
    await amounts.first().waitFor();
    expect(await amounts.allTextContents()).toEqual(['+100', '−100', '−80', '+200', '+20', '+20']);
    await page.getByText('使用', { exact: true }).click();
    await page.getByRole('row').filter({ hasText: '任务奖励' }).first().waitFor({ state: 'detached' });
    expect(page.url()).toContain('kind=used');
    expect(await faults(page)).toEqual([]);
    await picture(page, 'credits-5-changes');
    expect(troubles).toEqual([]);
    await context.close();
  },
);

test('who signs in at the credits centre stays there', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/credits`);
  await page.getByRole('heading', { name: '积分规则' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: '登录后查看我的积分' }).click();
  await scan(page, `积分访客${process.pid}`);
  await page.getByText('可用积分').waitFor();
  expect(new URL(page.url()).pathname).toBe('/credits');
  await page.goto(`${ADDRESS}/credits/activity/999999`);
  await page.getByRole('heading', { name: '没有这个活动' }).waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});
