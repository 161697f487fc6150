import { createHash } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADDRESS, call, codeFor, launch, newPerson, picture, scan, signedIn, watch } from './browser.ts';

/** Given by the start of the product; absent where a product runs that others started. */
const OPERATOR = process.env.HENGXI_E2E_CONTEST_OPERATOR ?? '';
const HOUR = 3_600_000;
const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

let browser: Browser;
/** Seasons by their numbers: one that takes registrations, one that takes works. */
let signup = 0;
let answer = 0;
/** Who has a team in the one that takes works. */
let author = '';
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

/** A screen in both sizes and both colours: a picture, axe, and nothing beyond the edge. */
async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
      await picture(page, `contest-${name}-${size}-${colorScheme}`);
      expect([name, size, colorScheme, await faults(page)]).toEqual([name, size, colorScheme, []]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, size, width <= viewport.width]).toEqual([name, size, true]);
    }
  await page.setViewportSize(SIZES.desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** As the field of a form wants it: the clock of Beijing, to the minute. */
const minute = (at: number): string => new Date(at + 8 * HOUR).toISOString().slice(0, 16);

function pdf(pages: number, mark: string): Buffer {
  const kids = Array.from({ length: pages }, (_, page) => `${page + 3} 0 R`).join(' ');
  const leaves = Array.from(
    { length: pages },
    (_, page) => `${page + 3} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Tag (${mark}) >>\nendobj\n`,
  );
  return Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${pages} >>\nendobj\n${leaves.join('')}trailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`,
  );
}

async function enterDesk(): Promise<{ context: BrowserContext; page: Page; token: string; troubles: string[] }> {
  const token = await newPerson(OPERATOR);
  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/ops/contests`);
  await page.getByRole('button', { name: '发送验证码' }).click();
  await page.getByRole('button', { name: '重新发送' }).waitFor();
  await page.getByRole('textbox', { name: '验证码' }).fill(await codeFor(OPERATOR));
  await page.getByRole('button', { name: '进入', exact: true }).click();
  return { context, page, token, troubles };
}

describe.skipIf(OPERATOR === '')('the contest', () => {
  test('the desk makes seasons and opens them', async () => {
    const { context, page, token, troubles } = await enterDesk();
    await page.getByRole('button', { name: '新建大赛' }).click();
    const dialog = page.getByRole('dialog', { name: '新建大赛' });
    const now = Date.now();
    const code = `E${String.fromCharCode(65 + (Math.floor(now / 1000) % 26))}${String(Math.floor(now / 26_000) % 100).padStart(2, '0')}`;
    await dialog.getByLabel('编号').fill(code);
    await dialog.getByLabel('名称').fill('2026 衡析数据分析大赛');
    await dialog.getByLabel('简介').fill('用一份真实数据，把一个问题说清楚。');
    await dialog
      .getByLabel('规则')
      .fill('### 参赛\n\n- 每队 1 至 3 人，每人只能在一支队伍。\n- 报告里不写姓名、学校和电话。');
    await dialog.getByLabel('赛题（选填）').fill('### 赛题\n\n哪些因素影响满意度？');
    await dialog.getByLabel('奖项').fill('一等奖,3,积分,500\n二等奖,6,会员天数,30\n三等奖,12,仅证书,0');
    const times = { 报名开始: -1, 报名截止: 24, 赛题发布: 25, 提交截止: 240, 计划公布: 480 };
    for (const [label, hours] of Object.entries(times)) await dialog.getByLabel(label).fill(minute(now + hours * HOUR));
    await picture(page, 'contest-desk');
    await dialog.getByRole('button', { name: '新建大赛' }).click();
    await page.getByRole('cell', { name: code, exact: true }).waitFor();

    // The rest by calls of the same session at the desk: the second season opens its problems in a few seconds.
    const act = async (body: Record<string, unknown>): Promise<void> => {
      const reply = await context.request.post(`${ADDRESS}/v1/ops/acts`, {
        data: { reason: '端到端测试用的一届', ...body },
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await reply.json()).toMatchObject({ status_code: 1 });
    };
    const rows = async () => {
      const reply = await context.request.get(`${ADDRESS}/v1/ops/contests?page_size=50`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return ((await reply.json()) as { data: { list: { id: string; version: number; cells: { code: string } }[] } })
        .data.list;
    };
    const second = `F${code.slice(1)}`;
    const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
    await act({
      act: 'contest.make',
      payload: {
        code: second,
        title: '2026 衡析数据分析大赛',
        summary: '用一份真实数据，把一个问题说清楚。',
        rules: '每队 1 至 3 人。',
        problems: '### 赛题 A\n\n哪些因素影响满意度？',
        prizes: '一等奖,3,积分,500',
        signup_from: soon(-HOUR),
        signup_to: soon(8000),
        answer_from: soon(8000),
        answer_to: soon(24 * HOUR),
        results_at: soon(48 * HOUR),
      },
    });
    const made = (name: string) => rows().then((list) => list.find(({ cells }) => cells.code === name));
    const [first, later] = [await made(code), await made(second)];
    signup = Number(first?.id);
    answer = Number(later?.id);
    await act({
      act: 'contest.file',
      target: later?.id,
      version: later?.version,
      payload: { name: 'data.csv', text: 'a,b\n1,2\n' },
    });
    await act({ act: 'contest.open', target: later?.id, version: later?.version, payload: {} });
    // Its registration is over in a moment.
    author = await newPerson();
    const form = { real_name: '张晓明', school: '甲大学', consent: true };
    const at = `/v1/contest/${answer}`;
    expect((await call(author, 'POST', `${at}/register`, form)).envelope).toMatchObject({ status_code: 1 });
    expect((await call(author, 'POST', `${at}/teams`, { name: '稳健队' })).envelope).toMatchObject({ status_code: 1 });
    await act({ act: 'contest.open', target: first?.id, version: first?.version, payload: {} });
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('a visitor reads everything; the address tells where they came from; the button asks for a sign-in', async () => {
    const context = await browser.newContext({ viewport: SIZES.desktop, reducedMotion: 'reduce' });
    const { page, troubles } = await watch(context);
    await page.goto(`${ADDRESS}/contest_c`);
    await page.waitForURL(`${ADDRESS}/contest?utm_source=contest`);
    await page.goto(`${ADDRESS}/contest?cid=${signup}&utm_source=${'x'.repeat(10_240)}`);
    await page.getByRole('heading', { name: '数据分析大赛' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('utm_source')?.length)).toBe(100);
    await page.getByText('报名中').waitFor();
    await look(page, 'home');
    await page.getByRole('button', { name: '登录报名' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${ADDRESS}/contest/note?cid=${signup}`);
    await page.getByText('每人只能在一支队伍').waitFor();
    await look(page, 'note');
    await page.goto(`${ADDRESS}/contest/answer?cid=${signup}`);
    await page.getByText('登录后报名、组队和提交作品').waitFor();
    await page.goto(`${ADDRESS}/contest/result?cid=${signup}&verify=HX26-AAAAA-AAAAAA`);
    await page.getByText('未找到该证书').waitFor();
    await look(page, 'result-early');
    // Signed in, the step that was meant is open, and nothing has been sent.
    await page.goto(`${ADDRESS}/contest?cid=${signup}`);
    await page.getByRole('button', { name: '登录报名' }).click();
    await scan(page, `大赛访客${Date.now()}`);
    await page.waitForURL(`**/contest/answer?cid=${signup}**`);
    await page.getByRole('button', { name: '报名' }).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('somebody registers and makes a team; another joins by the code and leaves again', async () => {
    const captain = await signedIn(browser, await newPerson());
    const { page, troubles } = await watch(captain);
    await page.goto(`${ADDRESS}/contest/answer?cid=${signup}`);
    await page.getByRole('button', { name: '报名' }).click();
    await page.getByText('请填写姓名，证书上用这个名字').waitFor();
    await page.getByLabel('姓名', { exact: true }).fill('张晓明');
    await page.getByLabel('学校或单位').fill('甲大学');
    await page.getByRole('checkbox').check();
    await look(page, 'register');
    await page.getByRole('button', { name: '报名' }).click();
    await page.getByRole('heading', { name: '创建队伍' }).waitFor();
    await look(page, 'find-team');
    await page.getByLabel('队名').fill(`稳健${Date.now() % 100_000}`);
    await page.getByLabel('指导教师（选填）').fill('李老师');
    await page.getByRole('button', { name: '创建队伍' }).click();
    await page.getByText('还可加入 2 人').waitFor();
    const [code] = /[2-9A-HJ-NP-Z]{8}/.exec(await page.getByRole('definition').last().innerText()) ?? [''];

    const mate = await signedIn(browser, await newPerson());
    const other = await watch(mate);
    await other.page.goto(`${ADDRESS}/contest/answer?cid=${signup}`);
    await other.page.getByLabel('姓名', { exact: true }).fill('王小红');
    await other.page.getByLabel('学校或单位').fill('乙大学');
    await other.page.getByRole('checkbox').check();
    await other.page.getByRole('button', { name: '报名' }).click();
    await other.page.getByLabel('队长给的邀请码').fill('AAAA2222');
    await other.page.getByRole('button', { name: '加入' }).click();
    await other.page.getByText('邀请码无效，请向队长核对').waitFor();
    await other.page.getByLabel('队长给的邀请码').fill(code);
    await other.page.getByRole('button', { name: '加入' }).click();
    await other.page.getByText('张晓明').waitFor();
    await page.reload();
    await page.getByRole('button', { name: '移交队长给王小红' }).waitFor();
    await look(page, 'team');
    await other.page.getByRole('button', { name: '退出队伍' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: '退出' }).click();
    await other.page.getByRole('heading', { name: '创建队伍' }).waitFor();
    expect([...troubles, ...other.troubles]).toEqual([]);
    await captain.close();
    await mate.close();
  });

  test('a work is sent, judged by its bytes, and gets a receipt', async () => {
    const context = await signedIn(browser, author);
    const { page, troubles } = await watch(context);
    await page.goto(`${ADDRESS}/contest/answer?cid=${answer}`);
    // Where the journey was quicker than the registration, the page notices by itself that the phase has changed.
    await page.getByRole('button', { name: '提交作品' }).waitFor();
    await page.getByRole('button', { name: '提交作品' }).click();
    await page.getByText('请选择报告').waitFor();
    const work = pdf(3, String(Date.now()));
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('报告（PDF）', { exact: true }).setInputFiles({ name, mimeType: 'application/pdf', buffer });
    await choose('报告.docx', work);
    await page.getByText('报告应是 PDF 文件').waitFor();
    await choose('图片.pdf', Buffer.from('\u0089PNG, nothing of a PDF'));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: '提交作品' }).click();
    await page.getByText('报告不是 PDF 文件').first().waitFor();
    await choose('报告.pdf', work);
    await page.getByRole('button', { name: '提交作品' }).click();
    await page.getByText('计入评审').waitFor();
    await page.getByText(createHash('sha256').update(work).digest('hex')).waitFor();
    await page.getByText('，3 页').waitFor();
    await look(page, 'answer');
    await page.goto(`${ADDRESS}/contest/note?cid=${answer}`);
    await page.getByText('data.csv').waitFor();
    await page.goto(`${ADDRESS}/contest?cid=${answer}`);
    await page.getByRole('button', { name: '提交作品' }).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  /** Weeks later than any journey: the server's part is tested there, this is what the pages make of it. */
  test('results, the own sheet, appeals and certificates', async () => {
    const context = await signedIn(browser, await newPerson());
    const { page, troubles } = await watch(context);
    const parts = { question: 12, data: 15, method: 24, result: 20, writing: 8 };
    const comment = '问题明确，数据处理有交代，方法的前提逐条检查过，结论与数字一致，建议补充稳健性。';
    const published = new Date(Date.now() - HOUR).toISOString();
    const answers: Record<string, unknown> = {
      results: {
        published_at: published,
        results_at: published,
        method: 'model',
        papers: 60,
        list: [
          { rank: 1, team: '稳健队', award: '一等奖', corrected: false },
          { rank: 2, team: '显著队', award: '二等奖', corrected: true },
        ],
      },
      own: {
        sheet: {
          receipt: 'HX26-0137-04',
          rank: 1,
          papers: 60,
          award: '一等奖',
          corrected: false,
          disqualified: false,
          raw: 79.333_333,
          adjusted: 81.274,
          se: 2.91,
          method: 'model',
          reviews: [1.4, -3.2, -4.02].map((effect) => ({ parts, total: 79, judge_effect: effect, comment })),
        },
        appeals: [
          {
            id: 1,
            kind: 'score',
            text: '第二位评委的合计与分项不符。',
            state: 'rejected',
            answer: '经核对，计分无误。',
            created_at: published,
            decided_at: published,
          },
        ],
        certificates: [{ id: 1, code: 'HX26-7K3QF-9M2DAX', award: '一等奖', state: 'valid', issued_at: published }],
        prize: { award: '一等奖', kind: 'credits', value: 500 },
      },
    };
    await page.route(/\/v1\/contest(?:\/\d+\/(?:results|own))?\?/, async (route) => {
      const key = /\/(results|own)\?/.exec(route.request().url())?.[1];
      if (key !== undefined) return route.fulfill({ json: { status_code: 1, data: answers[key] } });
      const reply = await route.fetch();
      const body = (await reply.json()) as { data: { contest: Record<string, any> } };
      const { contest } = body.data;
      contest.phase = 'notice';
      Object.assign(contest.phases, {
        published_at: published,
        appeals_to: new Date(Date.now() + 96 * HOUR).toISOString(),
      });
      return route.fulfill({ json: body });
    });
    await page.goto(`${ADDRESS}/contest/result?cid=${answer}`);
    await page.getByText('81.27，标准误 2.91').waitFor();
    await look(page, 'result');
    await page.getByRole('button', { name: '提交申诉' }).click();
    await page.getByText('申诉理由至少 10 个字').waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('a judge scores by number, and locks only what is whole', async () => {
    const context = await signedIn(browser, await newPerson());
    const { page, troubles } = await watch(context);
    const blank = { pages: 12, parts: null, comment: '', total: null, locked_at: null };
    const list = [
      { ...blank, id: 1, paper: 'A-0012', is_calibration: true, is_open: true },
      { ...blank, id: 2, paper: 'A-0031', is_calibration: false, is_open: false },
    ];
    const told: unknown[] = [];
    await page.route('**/v1/contest/judge/**', async (route) => {
      if (route.request().method() === 'PUT') {
        told.push(route.request().postDataJSON());
        return route.fulfill({ json: { status_code: 1, data: null } });
      }
      return route.fulfill({
        json: { status_code: 1, data: [{ contest: '2026 衡析数据分析大赛', is_open: true, list }] },
      });
    });
    await page.goto(`${ADDRESS}/contest/judge`);
    await page.getByRole('button', { name: '评分 A-0012' }).click();
    await page.getByRole('button', { name: '锁定评分' }).click();
    await page.getByText('请给“问题理解”打分').waitFor();
    const given = { 问题理解: '12', 数据处理: '15', 方法与假设: '24', 结果与解释: '20', 表达与可复现: '8' };
    for (const [title, points] of Object.entries(given)) await page.getByLabel(`${title}得分`).fill(points);
    await page.getByLabel('评语').fill('太短');
    await page.getByRole('button', { name: '锁定评分' }).click();
    await page.getByText('评语至少 30 个字').waitFor();
    await look(page, 'judge');
    await page
      .getByLabel('评语')
      .fill('问题明确，数据处理有交代，方法的前提逐条检查过，结论与数字一致，建议补充稳健性。');
    await page.getByRole('button', { name: '锁定评分' }).click();
    await page.getByText('合计 79 分。锁定后不能修改。').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: '锁定' }).click();
    await page.getByRole('button', { name: '评分 A-0012' }).waitFor();
    expect(told).toMatchObject([{ parts: { question: 12, method: 24, writing: 8 }, lock: true }]);
    expect(troubles).toEqual([]);
    await context.close();
  });
});
