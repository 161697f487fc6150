import { afterEach, describe, expect, it } from 'vitest';

import { writeDraft } from './drafts.ts';
import {
  currentToken,
  endSession,
  forgetTraces,
  isWorkspace,
  ownerOf,
  startSession,
  takeStoredToken,
  useSession,
} from './session.ts';

/** A token with this payload; only its middle part is ever looked at. */
function tokenOf(oid: number, platform = 'pri'): string {
  return `h.${btoa(JSON.stringify({ oid, platform }))}.s${Math.random()}`;
}

afterEach(() => {
  endSession();
  localStorage.clear();
});

describe('the session', () => {
  it('starts under the keys of the specification and clears the campaign source', () => {
    localStorage.setItem('utm_source', 'x');
    localStorage.setItem('has_system_dialog', '1');
    startSession('t', 1);
    expect(localStorage.getItem('spss_token')).toBe('t');
    expect(localStorage.getItem('lucky_flag')).toBe('1');
    expect(localStorage.getItem('utm_source')).toBeNull();
    expect(localStorage.getItem('has_system_dialog')).toBeNull();
  });

  it('ends with token and user info gone', () => {
    startSession('t', null);
    localStorage.setItem('user_info', '{}');
    endSession();
    expect([localStorage.getItem('spss_token'), localStorage.getItem('user_info')]).toEqual([null, null]);
  });

  it('leaves nothing of the work in the browser after a log-out', () => {
    for (const key of ['hx_recent', 'hx_current', 'hx_underway']) localStorage.setItem(key, '1');
    localStorage.setItem('hx_appearance', 'dark');
    writeDraft('hx_draft:cells:7/:1:2', { number: 1, cells: [[0, 'c1', 1, 2]] });
    forgetTraces();
    expect(Object.keys(localStorage).toSorted()).toEqual(['hx_appearance', 'hx_drafts']);
    expect(localStorage.getItem('hx_drafts')).toBe('[]');
  });

  it('goes on with a new token of the same account from another tab', () => {
    startSession(tokenOf(1), null);
    const next = tokenOf(1);
    takeStoredToken(next);
    expect(currentToken()).toBe(next);
    expect(useSession.getState().foreign).toBe(false);
  });

  it('stops when another tab signed in another account, or another channel', () => {
    startSession(tokenOf(1), null);
    takeStoredToken(tokenOf(2));
    expect(useSession.getState().foreign).toBe(true);
    startSession(tokenOf(1), null);
    takeStoredToken(tokenOf(1, 'co-7'));
    expect(useSession.getState().foreign).toBe(true);
  });

  it('ends when another tab signed out', () => {
    startSession(tokenOf(1), null);
    takeStoredToken(null);
    expect(currentToken()).toBeNull();
  });

  it('reads the owner of a token and nothing from what is none', () => {
    expect(ownerOf(tokenOf(5))).toBe('5/pri');
    expect(ownerOf('rubbish')).toBeNull();
    expect(ownerOf('a.%%%.c')).toBeNull();
    expect(ownerOf(null)).toBeNull();
  });

  it('knows the pages that need an account', () => {
    expect(['/mydata', '/dataprocessing/index', '/analysis/operation/1', '/member'].every(isWorkspace)).toBe(true);
    expect(['/', '/s/x', '/help/frequency/', '/terms', '/analysisx'].some(isWorkspace)).toBe(false);
  });
});
