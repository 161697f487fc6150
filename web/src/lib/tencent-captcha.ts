/** Tencent's captcha, where the installation uses it. Its script is loaded when it is first needed. */
import type { CaptchaTicket } from '@hengxi/server/accounts/schema';

const SCRIPT = 'https://turing.captcha.qcloud.com/TCaptcha.js';
const LOAD_MS = 10_000;

interface Result {
  /** 0 solved, 2 closed by the person. */
  ret: number;
  ticket?: string;
  randstr?: string;
}
type Captcha = new (app: string, callback: (result: Result) => void) => { show: () => void };

declare global {
  interface Window {
    TencentCaptcha?: Captcha;
  }
}

/** A ticket; 'closed' when the person gave up; null when it could not be loaded, which the server counts and limits. */
export async function solveTencent(app: string): Promise<CaptchaTicket | 'closed' | null> {
  const loaded = window.TencentCaptcha ?? (await load());
  if (!loaded) return null;
  return new Promise((resolve) => {
    try {
      new loaded(app, ({ ret, ticket, randstr }) => {
        if (ret !== 0) resolve('closed');
        else resolve(ticket ? { ticket, rand: randstr ?? '' } : null);
      }).show();
    } catch {
      resolve(null);
    }
  });
}

function load(): Promise<Captcha | null> {
  return new Promise((resolve) => {
    const script = document.createElement('script');
    const timer = setTimeout(() => resolve(null), LOAD_MS);
    const end = (captcha: Captcha | null) => {
      clearTimeout(timer);
      if (!captcha) script.remove();
      resolve(captcha);
    };
    script.addEventListener('load', () => end(window.TencentCaptcha ?? null));
    script.addEventListener('error', () => end(null));
    script.src = SCRIPT;
    document.head.append(script);
  });
}
