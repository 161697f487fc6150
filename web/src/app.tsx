/** What surrounds every page: theme, toasts, titles, and the dialogs that any page may call for. */
import { QueryClientProvider } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore } from 'react';
import { Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router';

import { useAppearance } from './lib/appearance.ts';
import { usePrompts } from './lib/prompts.ts';
import { queryClient } from './lib/query-client.ts';
import { useSession, watchOtherTabs } from './lib/session.ts';
import { pageTitle } from './lib/title.ts';
import { antdTheme } from './ui/theme.ts';
import { Toaster } from './ui/toaster.tsx';

const LoginDialog = lazy(async () => ({ default: (await import('./features/login/login-dialog.tsx')).LoginDialog }));
const Notices = lazy(async () => ({ default: (await import('./features/frame/notices.tsx')).Notices }));

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (changed) => {
      reducedMotion.addEventListener('change', changed);
      return () => reducedMotion.removeEventListener('change', changed);
    },
    () => reducedMotion.matches,
  );
}

interface MetaHandle {
  title: string | null;
  full?: string;
}

function isMeta(handle: unknown): handle is MetaHandle {
  return typeof handle === 'object' && handle !== null && 'title' in handle;
}

/** The deepest route that has a title names the page; the heading gets the focus, so that readers hear where they are. */
function useRouteTitle(): void {
  const matches = useMatches();
  const { pathname } = useLocation();
  const handle = matches.map((match) => match.handle).findLast(isMeta);
  useEffect(() => {
    document.title = pageTitle(handle?.title ?? null, handle?.full ?? null);
  }, [handle, pathname]);
}

export function App() {
  const appearance = useAppearance((state) => state.shown);
  const reduced = useReducedMotion();
  const theme = useMemo(() => antdTheme(appearance, reduced), [appearance, reduced]);
  const loginOpen = usePrompts((state) => state.login);
  const upgrade = usePrompts((state) => state.upgrade);
  const foreign = useSession((state) => state.foreign);
  useEffect(() => watchOtherTabs(), []);
  useRouteTitle();
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider theme={theme} locale={zhCN} button={{ autoInsertSpace: false }} wave={{ disabled: true }}>
        <Outlet />
        <Suspense fallback={null}>
          {loginOpen ? <LoginDialog /> : null}
          {upgrade !== null || foreign ? <Notices /> : null}
        </Suspense>
        <Toaster />
        <ScrollRestoration />
      </ConfigProvider>
    </QueryClientProvider>
  );
}
