import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
let token: string;
let screens: [name: string, address: string][];
beforeAll(async () => {
  browser = await launch();
  token = await newPerson();
  const example = await call(token, 'POST', '/v1/user/file/example', { path: 'hypothesis_test/independent_t_test' });
  const run = example.envelope.data.run_id;
  let vid = example.envelope.data.vid as number | undefined;
  for (let tries = 0; tries < 300 && vid === undefined; tries += 1) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(run)}`);
    if (envelope.data.state === 'done') ({ vid } = envelope.data.result as { vid: number });
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const version = await call(token, 'GET', `/v1/user/file/versions/${vid}`);
  const columns = version.envelope.data.columns as { id: string; name: string }[];
  const id = (name: string) => columns.find((column) => column.name === name)?.id;
  // A question as questionnaires ask it: longer than a line of a phone, and than what a line of a check leaves.
  const label =
    '在过去一年之中您平均每个星期用于参加体育锻炼以及其他有组织的户外活动的总时间（单位：小时，含往返路程所花费的时间在内）';
  const edited = await call(token, 'POST', `/v1/user/file/versions/${vid}/edits`, {
    columns: [{ id: id('牙长'), label }],
  });
  const named = Number(edited.envelope.data.vid);
  const form = { group: id('补充方式'), variables: [id('牙长')] };
  const done = await call(token, 'POST', `/algorithm/hypothesis_test/independent_t_test?vid=${named}`, form);
  const { project_id: pid, report_id: rid } = done.envelope.data as { project_id: number; report_id: number };
  const share = await call(token, 'POST', `/v1/analysis/report/share?rid=${rid}&pid=${pid}`, {
    days: 7,
    blocks: null,
    hide_small: false,
  });
  screens = [
    ['home', '/'],
    ['mydata', '/mydata/index'],
    ['detail', `/mydata/detail/${vid}`],
    ['processing', '/dataprocessing/index'],
    ['dispose', `/dataprocessing/dispose/${vid}?method=data_processing/value_coding`],
    ['methods', '/analysis/index'],
    [
      'operation',
      `/analysis/operation/${vid}?method=hypothesis_test/independent_t_test&project_id=${pid}&report_id=${rid}`,
    ],
    ['result', `/analysis/result/${named}?project_id=${pid}&report_id=${rid}`],
    ['share', `/s/${String(share.envelope.data.code)}`],
    ['credits', '/credits'],
    ['mall', '/credits?tab=mall'],
    ['activities', '/credits/activity'],
    ['help', '/help/independent-t-test/'],
    ['absent', '/no-such-page'],
  ];
});
afterAll(async () => browser.close());

for (const [size, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`every screen can be used by everybody: ${size}, ${colorScheme}`, async () => {
      const context = await signedIn(browser, token, { viewport, colorScheme });
      const { page, troubles } = await watch(context);
      const messages: string[] = [];
      for (const [name, address] of screens) {
        await page.goto(ADDRESS + address, { waitUntil: 'networkidle' });
        await picture(page, `looks-${name}-${size}-${colorScheme}`);
        const { violations } = await new AxeBuilder({ page })
          .options({
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
            // Who speaks what is written on a control must hit it (WCAG 2.5.3); experimental rules are off unless named.
            rules: { 'label-content-name-mismatch': { enabled: true } },
          })
          // The words inside a picture do not name the button that opens its editor.
          .exclude('[role=button][aria-label^="编辑图"]')
          .analyze();
        messages.push(
          ...violations.map(
            ({ id, nodes }) =>
              `${name}: ${id} ${nodes
                .map((node) => node.target.join(' '))
                .slice(0, 3)
                .join(', ')}`,
          ),
        );
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) messages.push(`${name}: ${over} px wider than the screen`);
      }
      expect([...messages, ...troubles]).toEqual([]);
      await context.close();
    });
  }
}
