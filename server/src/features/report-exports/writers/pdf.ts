/**
 * PDF through an installed Chromium: scripts are off, no address is reached, and where the server may, the browser runs
 * as nobody. The text stays text, headings become the outline.
 */
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { fontVariables } from './fonts.ts';
import { Refused } from './job.ts';
import { withTypedText } from './pdf-text.ts';

const NOBODY = 65534;
const PRINT_MS = 90_000;
/** Changes the user and becomes the browser; part of util-linux. */
const SETPRIV = '/usr/bin/setpriv';

const SWITCHES = [
  '--headless',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-component-update',
  '--no-first-run',
  '--no-startup-window',
  '--remote-debugging-pipe',
  // Nothing listens there.
  '--proxy-server=127.0.0.1:9',
  '--force-color-profile=srgb',
];

export const NO_BROWSER =
  '导出 PDF 需要服务器上有 Chromium 和中文字体。Debian/Ubuntu：apt-get install chromium fonts-noto-cjk；其他系统请安装后用 HENGXI_CHROMIUM 指明路径。也可以先导出 Word 或网页，再另存为 PDF。';

/** One browser for all pages of a job. */
export async function withPrinter<T>(
  job: { browser: string | null; scratch: string },
  work: (print: (html: string) => Promise<Uint8Array>) => Promise<T>,
): Promise<T> {
  const browser = await launch(job);
  try {
    return await work((html) => print(browser, html));
  } finally {
    await browser.close();
  }
}

async function launch({ browser, scratch }: { browser: string | null; scratch: string }): Promise<Browser> {
  if (browser === null) throw new Refused('export.browser', NO_BROWSER);
  const home = join(scratch, 'browser');
  await mkdir(home, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  const asNobody = isRoot && existsSync(SETPRIV);
  if (asNobody) {
    await chmod(scratch, 0o711);
    await chown(home, NOBODY, NOBODY);
  }
  // Namespaces of its own are not to be had for root, nor inside many containers.
  const args = [...SWITCHES, ...(isRoot ? ['--no-sandbox'] : []), `--user-data-dir=${join(home, 'profile')}`];
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs', '--pdeathsig=KILL', '--'];
  return chromium.launch({
    executablePath: asNobody ? SETPRIV : browser,
    ignoreDefaultArgs: true,
    args: asNobody ? [...user, browser, ...args] : args,
    env: {
      ...(await fontVariables(scratch)),
      HOME: home,
      TMPDIR: home,
      PATH: process.env['PATH'] ?? '',
      TZ: process.env['TZ'] ?? '',
    },
    timeout: PRINT_MS,
  });
}

async function print(browser: Browser, html: string): Promise<Uint8Array> {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  try {
    await context.route('**', (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(PRINT_MS);
    await page.setContent(html, { waitUntil: 'load' });
    const pdf = await page.pdf({ outline: true, tagged: true, preferCSSPageSize: true, printBackground: true });
    return withTypedText(new Uint8Array(pdf));
  } finally {
    await context.close();
  }
}
