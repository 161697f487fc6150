/** What surrounds every page: theme, toasts, titles, and the dialogs that any page may call for. */
import { QueryClientProvider } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore } from 'react';
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigate } from 'react-router';

import { useAppearance } from './lib/appearance.ts';
import { asksWhoIsThere } from './lib/access.ts';
import { queryWithSource } from './lib/campaign-source.ts';
import { chunk } from './lib/chunk.ts';
import { useEvents } from './lib/events.ts';
import { pageStands } from './lib/guards.ts';
import { useHeadingFocus } from './lib/heading-focus.ts';
import { meQuery } from './lib/me.ts';
import { usePrompts } from './lib/prompts.ts';
import { queryClient } from './lib/query-client.ts';
import { rememberUser, useSession, watchOtherTabs } from './lib/session.ts';
import { askToBind, isFlowOpen, useSignIn } from './lib/sign-in.ts';
import { readStored, STORAGE } from './lib/storage.ts';
import { pageTitle } from './lib/title.ts';
import { ChunkBoundary } from './ui/chunk-boundary.tsx';
import { antdTheme } from './ui/theme.ts';
import { Toaster } from './ui/toaster.tsx';

const LoginDialog = lazy(() =>
  chunk(async () => ({ default: (await import('./features/login/login-dialog.tsx')).LoginDialog })),
);
const SignInFlow = lazy(() =>
  chunk(async () => ({ default: (await import('./features/login/sign-in-flow.tsx')).SignInFlow })),
);
const BindForm = lazy(() =>
  chunk(async () => ({ default: (await import('./features/login/bind-form.tsx')).BindForm })),
);
const PurchaseDialog = lazy(() =>
  chunk(async () => ({ default: (await import('./features/member/purchase/purchase-dialog.tsx')).PurchaseDialog })),
);
const UnlockDialog = lazy(() =>
  chunk(async () => ({ default: (await import('./features/credits/unlock-dialog.tsx')).UnlockDialog })),
);
const CopyDialog = lazy(() =>
  chunk(async () => ({ default: (await import('./features/enterprise/copy-dialog.tsx')).CopyDialog })),
);
const Notices = lazy(() => chunk(async () => ({ default: (await import('./features/frame/notices.tsx')).Notices })));

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

/** The deepest route that has a title names the page; the heading gets a lost focus, so that readers hear where they are. */
function useRouteTitle(): void {
  const matches = useMatches();
  const { pathname } = useLocation();
  const handle = matches.map((match) => match.handle).findLast(isMeta);
  useEffect(() => {
    document.title = pageTitle(handle?.title ?? null, handle?.full ?? null);
  }, [handle, pathname]);
  useHeadingFocus(pathname);
}

/** `utm_source` of a visit is added again where a link left it out. */
function useCampaignSource(): void {
  const navigate = useNavigate();
  const { pathname, search, hash, state } = useLocation();
  useEffect(() => {
    const query = queryWithSource(search);
    if (query !== null)
      void navigate({ pathname, search: query, hash }, { replace: true, state, preventScrollReset: true });
  }, [navigate, pathname, search, hash, state]);
}

/** Who is there is asked once at the start, on the pages that want to know. */
function useUserAtStart(): void {
  const { pathname } = useLocation();
  const token = useSession((state) => state.token);
  const wanted = token !== null && asksWhoIsThere(pathname);
  useEffect(() => {
    if (wanted) queryClient.ensureQueryData(meQuery).then(rememberUser, () => undefined);
  }, [wanted, token]);
}

/** Asks for a phone on the analysis and flow-modelling pages, once after each sign-in. */
function useBindPrompt(): void {
  const { pathname } = useLocation();
  const user = useSession((state) => state.user);
  const wanted = user !== null && user.phone === null && !user.demo && /^\/(?:analysis|pro-model)\//.test(pathname);
  useEffect(() => {
    if (wanted && readStored(STORAGE.systemDialog) === null) askToBind();
  }, [wanted]);
}

export function App() {
  const appearance = useAppearance((state) => state.shown);
  const reduced = useReducedMotion();
  const theme = useMemo(() => antdTheme(appearance, reduced), [appearance, reduced]);
  const loginOpen = usePrompts((state) => state.login);
  const upgrade = usePrompts((state) => state.upgrade);
  const purchase = usePrompts((state) => state.purchase);
  const unlock = usePrompts((state) => state.unlock);
  const copy = usePrompts((state) => state.copy);
  const foreign = useSession((state) => state.foreign);
  const flow = useSignIn(isFlowOpen);
  useEffect(() => watchOtherTabs(), []);
  useEffect(() => pageStands(), []);
  useRouteTitle();
  useCampaignSource();
  useUserAtStart();
  useBindPrompt();
  useEvents();
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider theme={theme} locale={zhCN} button={{ autoInsertSpace: false }} wave={{ disabled: true }}>
        <Outlet />
        <ChunkBoundary>
          <Suspense fallback={null}>
            {loginOpen ? <LoginDialog /> : null}
            {/* Another account is at work: nobody shall pay for the one before by its code. */}
            {purchase === null || foreign ? null : <PurchaseDialog bind={<BindForm onBound={() => undefined} />} />}
            {unlock === null || foreign ? null : <UnlockDialog method={unlock} />}
            {copy === null ? null : <CopyDialog asked={copy} />}
            {flow ? <SignInFlow /> : null}
            {upgrade !== null || foreign ? <Notices /> : null}
          </Suspense>
        </ChunkBoundary>
        <Toaster />
        <ScrollRestoration />
      </ConfigProvider>
    </QueryClientProvider>
  );
}
