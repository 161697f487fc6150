/** The Chromium that prints PDF: HENGXI_CHROMIUM, or where systems put it. */
import { existsSync } from 'node:fs';

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Null where there is none. */
export function findBrowser(wanted: string | null): string | null {
  const list = wanted === null ? USUAL : [wanted];
  return list.find((path) => existsSync(path)) ?? null;
}
