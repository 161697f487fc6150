import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, codeFor, launch, newPhone, picture, scan, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

const window = (): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });

/** What a screen reader or a keyboard could not use in the open dialog. */
async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

async function prove(page: Page, phone: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '短信验证' });
  await dialog.getByRole('button', { name: '发送验证码' }).click();
  await dialog.getByRole('button', { name: /重新发送/ }).waitFor();
  await dialog.getByRole('textbox', { name: '验证码' }).fill(await codeFor(phone));
  await dialog.getByRole('button', { name: '确定' }).click();
}

/** One person's life with an account: in by WeChat, a phone bound, everything taken away, left, back again. */
test('from the QR code to leaving and coming back', async () => {
  const context = await window();
  const { page, troubles } = await watch(context);
  const who = `张三${process.pid}`;

  // The first code is a second old when it is asked about: it shows that it has expired and is refreshed.
  let tickets = 0;
  await page.route('**/v1/login/weixin/ticket*', async (route) => {
    tickets += 1;
    const reply = await route.fetch();
    const body = (await reply.json()) as { data: { expire_in: number } };
    if (tickets === 1) body.data.expire_in = 1;
    await route.fulfill({ json: body });
  });
  await page.goto(`${ADDRESS}/mydata/index`);
  await page.getByRole('dialog', { name: '微信登录' }).waitFor();
  await page.getByText('二维码已过期，请刷新').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: '刷新' }).click();
  await page.getByAltText('微信登录二维码').waitFor();
  await picture(page, 'identity-1-wechat');
  await scan(page, who);
  await page.waitForURL('**/mydata/index');
  expect(await page.evaluate(() => localStorage.getItem('spss_token'))).toBeTruthy();

  // Without a phone the analysis page asks for one.
  await page.getByRole('link', { name: '数据分析' }).click();
  const dialog = page.getByRole('dialog', { name: '绑定手机号' });
  await dialog.getByText('根据国家法律法规要求').waitFor();
  expect((await dialog.boundingBox())?.width).toBe(420);
  expect(await faults(page)).toEqual([]);
  const phone = newPhone();
  await dialog.getByRole('textbox', { name: '手机号' }).fill(phone.slice(0, 5));
  await dialog.getByRole('textbox', { name: '验证码' }).focus();
  await dialog.getByText('请输入正确的手机号').waitFor();
  await page.mouse.click(20, 500);
  await dialog.getByRole('textbox', { name: '手机号' }).fill(phone);
  await dialog.getByRole('button', { name: '发送验证码' }).click();
  await dialog.getByRole('button', { name: /重新发送/ }).waitFor();
  const code = await codeFor(phone);
  await dialog.getByRole('textbox', { name: '验证码' }).fill(code === '000000' ? '111111' : '000000');
  await dialog.getByRole('button', { name: '确定' }).click();
  await dialog.getByText('验证码错误').waitFor();
  await dialog.getByRole('textbox', { name: '验证码' }).fill(code);
  await dialog.getByText('验证码错误').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: '确定' }).click();
  await page.getByText('绑定成功').waitFor();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /账号菜单/ }).click();
  for (const item of ['开通会员', /^AI 点数/, /^积分/, '个人中心', '意见反馈', '退出登录'])
    await page.getByRole('menuitem', { name: item }).waitFor();
  await picture(page, 'identity-2-menu');
  await page.getByRole('menuitem', { name: '个人中心' }).click();
  await page.getByText(`${phone.slice(0, 3)}****${phone.slice(-4)}`).waitFor();
  const way = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await way('手机号').getByText('已绑定').waitFor();
  await way('微信').getByText('已绑定').waitFor();

  // A further way in, after a fresh proof; the visit comes back here. And one less.
  await page.getByRole('button', { name: '绑定学术搜索' }).click();
  await prove(page, phone);
  await page.getByRole('heading', { name: /学术搜索登录/ }).waitFor();
  await page.getByLabel('账号').fill(`读者${process.pid}`);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL('**/member?tab=account');
  await way('学术搜索').getByText('已绑定').waitFor();
  await picture(page, 'identity-3-ways');
  await page.getByRole('button', { name: '解绑微信' }).click();
  const gone = page.getByRole('dialog', { name: '解绑微信' });
  expect(await faults(page)).toEqual([]);
  await gone.getByRole('button', { name: '取消' }).click();
  await page.getByRole('button', { name: '解绑学术搜索' }).click();
  await page.getByRole('dialog', { name: '解绑学术搜索' }).getByRole('button', { name: '解绑' }).click();
  await page.getByText('已解除绑定').waitFor();
  await way('学术搜索').getByText('未绑定').waitFor();

  await page.getByRole('link', { name: '隐私与数据' }).click();
  // The proof is good for ten minutes of this session.
  await page.getByRole('button', { name: '打包全部数据' }).click();
  await page.getByRole('button', { name: '下载 zip' }).waitFor();
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载 zip' }).click(),
  ]);
  expect(archive.suggestedFilename()).toMatch(/^衡析账号数据_.*\.zip$/);

  await page.getByRole('button', { name: '注销账号' }).click();
  const leaving = page.getByRole('dialog', { name: '注销账号' });
  await leaving.getByLabel(/以确认/).fill('注销');
  expect(await faults(page)).toEqual([]);
  await leaving.getByRole('button', { name: '注销', exact: true }).click();
  await page.getByText(/账号已注销/).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('spss_token'))).toBeNull();

  await page.getByRole('button', { name: '登录 / 注册' }).click();
  await scan(page, who);
  await page.getByRole('dialog', { name: '恢复账号' }).getByRole('button', { name: '恢复账号' }).click();
  await page.waitForURL('**/analysis/index');
  await page.getByText('登录成功').waitFor();

  // Somebody signs in to the same account elsewhere: this one is told, and stays told until it is closed.
  const other = await call(null, 'GET', '/v1/login/weixin/ticket');
  await fetch(`${ADDRESS}/sandbox/wechat/${String(other.envelope.data.ticket)}`, {
    method: 'POST',
    body: new URLSearchParams({ act: 'confirm', who }),
  });
  await call(null, 'GET', `/v1/login/token?scene=${String(other.envelope.data.scene)}`);
  await page.getByRole('link', { name: '我的数据' }).click();
  await page.getByRole('alert').getByText('当前账号已在其他地方，请重新登录').waitFor();
  await page.getByRole('button', { name: '关闭' }).click();
  await page.waitForURL(`${ADDRESS}/`);
  expect(troubles).toEqual([]);
  await context.close();
});

test('by the research platform and academic search, and not by what an address merely claims', async () => {
  const context = await window();
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/?login=1&next=%2Fmember`);
  await page.getByRole('button', { name: '科研平台' }).click();
  await page.getByRole('heading', { name: /科研平台登录/ }).waitFor();
  await page.getByLabel('姓名').fill('研究者甲');
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL('**/member');
  await page.getByText('研究者甲').first().waitFor();

  await page.evaluate(() => localStorage.clear());
  await page.goto(`${ADDRESS}/?login=1`);
  await page.getByRole('button', { name: '学术搜索' }).click();
  await page.getByRole('button', { name: '取消' }).click();
  await page.waitForURL('**/oauth/login');
  await page.getByText('已取消登录').waitFor();
  await page.getByRole('button', { name: '重新登录' }).click();
  await page.getByRole('button', { name: '学术搜索' }).click();
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL('**/analysis/index');

  await page.evaluate(() => localStorage.clear());
  await page.goto(`${ADDRESS}/?openId=anybody&utm_source=x`);
  await page.getByRole('button', { name: '登录 / 注册' }).waitFor();
  expect(new URL(page.url()).search).toBe('?utm_source=x');
  expect(await page.evaluate(() => [localStorage.getItem('spss_token'), localStorage.getItem('utm_source')])).toEqual([
    null,
    'x',
  ]);
  expect(troubles).toEqual([]);
  await context.close();
});
