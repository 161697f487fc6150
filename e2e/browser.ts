import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

const ROOT = dirname(import.meta.dirname);

/** Where the product under test listens. */
export const ADDRESS = process.env.HENGXI_ADDRESS ?? '';

let folder = '';
/** A file made for the journeys (see make_files.py), by its name. */
export function file(name: string): string {
  if (folder === '') {
    folder = mkdtempSync(join(tmpdir(), 'hengxi-files-'));
    execFileSync(join(ROOT, 'engine/.venv/bin/python'), [join(ROOT, 'e2e/make_files.py'), folder]);
  }
  return join(folder, name);
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.HENGXI_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
}

/** What a page must not do: throw, log an error, break the content security policy. */
export interface Watched {
  page: Page;
  troubles: string[];
}

export async function watch(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    // A refused call is told by the product itself; the browser's own line about its status is no fault.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      troubles.push(message.text());
  });
  return { page, troubles };
}

interface Envelope {
  status_code: number;
  data: Record<string, unknown>;
}

/** One call as a script would make it; the answer's envelope and status. */
export async function call(
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; envelope: Envelope & { err_code?: number; msg?: string } }> {
  const isBinary = Buffer.isBuffer(body);
  const reply = await fetch(ADDRESS + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': isBinary ? 'application/octet-stream' : 'application/json' }),
    },
    body: body === undefined ? undefined : isBinary ? new Uint8Array(body) : JSON.stringify(body),
  });
  return { status: reply.status, envelope: (await reply.json()) as Envelope };
}

let people = 0;
/** A phone number nobody used yet. */
export function newPhone(): string {
  people += 1;
  return `139${String(process.pid % 10_000).padStart(4, '0')}${String(people).padStart(4, '0')}`;
}

/** The newest code sent to a phone, from the sandbox inbox. */
export async function codeFor(phone: string): Promise<string> {
  const reply = await fetch(`${ADDRESS}/sandbox/sms?phone=${phone}`, { headers: { accept: 'application/json' } });
  const code = /\b\d{6}\b/.exec(JSON.stringify(((await reply.json()) as Envelope).data));
  if (!code) throw new Error(`no code was sent to ${phone}`);
  return code[0];
}

/** Signs a new person in by calls; for journeys that are not about signing in. */
export async function newPerson(phone = newPhone()): Promise<string> {
  await call(null, 'POST', '/v1/login/phone/captcha', { phone, ticket: 'sandbox', rand: 'x' });
  const sent = await call(null, 'POST', '/v1/login/phone/verify-code', { phone });
  const code = await codeFor(phone);
  const signed = await call(null, 'POST', '/v1/login/phone', {
    phone,
    verify_code: code,
    verify_key: sent.envelope.data.verify_key,
  });
  return String(signed.envelope.data.token);
}

/** Confirms the code that is shown on the page, as a WeChat user of this name. */
export async function scan(page: Page, who: string): Promise<void> {
  const link = page.getByRole('link', { name: '在浏览器里打开扫码页' });
  const phone = await page.context().newPage();
  await phone.goto(String(await link.getAttribute('href')));
  await phone.getByLabel('以哪个微信用户登录').fill(who);
  await page.getByText('已扫码，请在手机上确认登录').waitFor();
  await phone.getByRole('button', { name: '确认登录' }).click();
  await phone.getByRole('heading', { name: '已确认登录' }).waitFor();
  await phone.close();
}

/** A browser window of a signed-in person. */
export async function signedIn(
  browser: Browser,
  token: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ADDRESS });
  // A frame that runs nothing has no storage either.
  await context.addInitScript((value) => {
    if (window === window.top) localStorage.setItem('spss_token', value);
  }, token);
  return context;
}

/** A picture for a person to look at, when HENGXI_E2E_SHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const shots = process.env.HENGXI_E2E_SHOTS;
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Drags with the mouse as a person does: press, move in steps, let go in the middle of the target. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await from.boundingBox();
  const end = await to.boundingBox();
  if (!start || !end) throw new Error('what is dragged, or where to, is not on the screen');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 12 });
  await page.mouse.up();
}
