/** How a session ends (specification section 8): 401, 20021 signed in elsewhere, 20023 banned; and the upgrade box of 20002. */
import { keepsSession } from './access.ts';
import { navigateTo } from './navigate.ts';
import { prompts } from './prompts.ts';
import { currentToken, endSession, isWorkspace } from './session.ts';
import { toast } from './toast.ts';

const HOME_AFTER_MS = 800;
const SIGNED_IN_ELSEWHERE = '当前账号已在其他地方，请重新登录';

/** The first 401 acts; those of the calls still under way at that moment are the same event. */
let ending = false;

export function sessionLost(code: number, message: string | null, token: string | null): void {
  // A call sent with a token that has been replaced since says nothing about the present session.
  if (ending || token !== currentToken() || keepsSession(location.pathname)) return;
  if (!isWorkspace(location.pathname)) {
    endSession();
    return;
  }
  ending = true;
  if (code === 20021) signedInElsewhere();
  else {
    toast.warn(message || '请先登录');
    setTimeout(askToSignIn, HOME_AFTER_MS);
  }
}

function signedInElsewhere(): void {
  toast.close();
  toast.warn(SIGNED_IN_ELSEWHERE, {
    ms: null,
    onClose: leave,
    action: { text: '重新登录', run: () => prompts.openLogin() },
  });
}

/** Home with the sign-in open; whoever signs in again is back on the page the session ended on. */
function askToSignIn(): void {
  const place = location.pathname + location.search;
  ending = false;
  endSession();
  navigateTo(`/?login=1&next=${encodeURIComponent(place)}`);
}

function leave(): void {
  ending = false;
  endSession();
  navigateTo('/');
}

export interface BanFacts {
  reason: string | null;
  until: string | null;
}

const BAN = 'hx_ban';

/** Kept for this tab, so that a reload of /ban still says why and until when. */
export function banFacts(): BanFacts | null {
  try {
    const facts: BanFacts | null = JSON.parse(sessionStorage.getItem(BAN) ?? 'null');
    return facts;
  } catch {
    return null;
  }
}

export function showBan(data: unknown): void {
  const facts: Partial<BanFacts> = typeof data === 'object' && data !== null ? data : {};
  const ban: BanFacts = { reason: facts.reason ?? null, until: facts.until ?? null };
  try {
    sessionStorage.setItem(BAN, JSON.stringify(ban));
  } catch {
    // Without storage the page says the fact without its reason.
  }
  endSession();
  // Who was just signing in is told on the page, not beneath the dialog.
  prompts.closeLogin();
  navigateTo('/ban');
}

export function showUpgrade(text: string): void {
  prompts.openUpgrade(text);
}
