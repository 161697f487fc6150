/** When the question is shown: a result has stood open for 20 seconds, and nothing is being written, run or paid. */
import type { Popup } from '@hengxi/server/nps/schema';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

import { api } from '../../../lib/api.ts';
import { draftKeys } from '../../../lib/drafts.ts';
import { usePrompts } from '../../../lib/prompts.ts';
import { useSession } from '../../../lib/session.ts';

export interface Card {
  survey: string;
  token: string;
}

const RESULT = /^\/analysis\/result\//;
/** Not on phones and tablets. */
const DESKTOP = '(min-width: 768px) and (pointer: fine)';
const TICK_MS = 1000;

/** Whether somebody is in the middle of something the card would come in the way of. */
export function isBusy(): boolean {
  const { login, upgrade, purchase, unlock, copy, palette, shortcuts } = usePrompts.getState();
  if (login || upgrade !== null || purchase !== null || unlock !== null || copy !== null || palette || shortcuts)
    return true;
  if (useSession.getState().foreign || document.visibilityState !== 'visible') return true;
  // Notes that were begun and are not saved.
  if (draftKeys('hx_draft:note:').length > 0) return true;
  // Dialogs and drawers, whoever opened them; what is loading; a field somebody is in.
  const open = '[role="dialog"], [role="alertdialog"], [aria-busy="true"]';
  return document.querySelector(open) !== null || document.activeElement?.matches('input, textarea, select') === true;
}

const ask = (openMs: number): Promise<Popup> =>
  api.get<Popup>('/v1/statistics/nps/popup', { quiet: true, query: { open_ms: Math.round(openMs) } });

/** The card to show, and what takes it away. */
export function useNps(): [Card | null, () => void] {
  const { pathname, search } = useLocation();
  const [card, setCard] = useState<Card | null>(null);
  /** Without a report the page is a list of them. */
  const report = RESULT.test(pathname) ? new URLSearchParams(search).get('report_id') : null;
  useEffect(() => {
    if (report === null || !matchMedia(DESKTOP).matches) return undefined;
    let isGone = false;
    let timer: ReturnType<typeof setInterval> | undefined;
    /** Time with the page in sight and nothing else going on. */
    let open = 0;
    let isAsking = false;
    const tick = async (wanted: number) => {
      if (isBusy() || isAsking) return;
      open += TICK_MS;
      if (open < wanted) return;
      isAsking = true;
      clearInterval(timer);
      const { show, survey_id: survey, token } = await ask(open);
      if (!isGone && show && survey !== null && token !== null) setCard({ survey, token });
    };
    // Who is not to be asked at all is left alone after the first call; what fails is not tried again.
    ask(0).then(
      ({ delay_ms: delay }) => {
        if (isGone || delay === null || delay <= 0) return;
        timer = setInterval(() => void tick(delay).catch(() => undefined), TICK_MS);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      clearInterval(timer);
      setCard(null);
    };
  }, [report]);
  return [card, () => setCard(null)];
}
