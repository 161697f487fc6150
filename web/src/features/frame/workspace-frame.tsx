/** Frame of every page that needs an account: header, page, and what can be called from anywhere by key. */
import { lazy, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';

import { prompts, usePrompts } from '../../lib/prompts.ts';
import { useShortcut } from '../../lib/shortcuts.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Header } from './header.tsx';
import styles from './workspace-frame.module.css';

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }));
const HelpChat = lazy(async () => ({ default: (await import('./help-chat/help-chat.tsx')).HelpChat }));
const Nps = lazy(async () => ({ default: (await import('./nps/nps-card.tsx')).Nps }));
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }));

export function WorkspaceFrame() {
  const palette = usePrompts((state) => state.palette);
  const shortcuts = usePrompts((state) => state.shortcuts);
  const chat = usePrompts((state) => state.chat);
  const isResult = useLocation().pathname.startsWith('/analysis/result/');
  useShortcut('Ctrl+K', prompts.openPalette);
  useShortcut('?', prompts.openShortcuts);
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#main">
        跳到正文
      </a>
      <Header />
      <ConnectionBanner />
      <main id="main" tabIndex={-1} className={styles['main']}>
        <Outlet />
      </main>
      <Suspense fallback={null}>
        {palette ? <Palette /> : null}
        {shortcuts ? <ShortcutSheet /> : null}
        {chat ? <HelpChat /> : null}
        {isResult ? <Nps /> : null}
      </Suspense>
    </div>
  );
}
