/** Every address of the web application: path, page (loaded when visited), title, guard. In the specification's order. */
import { createBrowserRouter, redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router';

import { App } from './app.tsx';
import { PublicFrame } from './features/frame/public-frame.tsx';
import { RouteFailure } from './features/frame/route-failure.tsx';
import { HomePage } from './features/home/home-page.tsx';
import { isSignedIn } from './lib/session.ts';
import { PageSkeleton } from './ui/skeleton.tsx';

/** Read by app.tsx; `full` overrides the name with its site suffix. */
export interface RouteMeta {
  title: string | null;
  full?: string;
}

function meta(title: string | null, full?: string): RouteMeta {
  return full === undefined ? { title } : { title, full };
}

/** Pages that need an account send a visitor to the sign-in dialog and bring him back afterwards. */
function requireSession({ request }: LoaderFunctionArgs) {
  if (isSignedIn()) return null;
  const url = new URL(request.url);
  const next = encodeURIComponent(url.pathname + url.search);
  return redirect(`/?login=1&next=${next}`);
}

/** Hands a missing path parameter to the not-found page instead of a page about nothing. */
function requireId({ params }: LoaderFunctionArgs) {
  if (!/^[1-9]\d{0,9}$/.test(params['vid'] ?? '')) throw new Response(null, { status: 404 });
  return null;
}

const workspace: RouteObject = {
  lazy: async () => ({ Component: (await import('./features/frame/workspace-frame.tsx')).WorkspaceFrame }),
  loader: requireSession,
  HydrateFallback: PageSkeleton,
  ErrorBoundary: RouteFailure,
  children: [
    { path: '/mydata', loader: () => redirect('/mydata/index') },
    {
      path: '/mydata/index',
      handle: meta('我的数据'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/mydata/index-page.tsx')).MyDataPage }),
    },
    {
      path: '/mydata/detail/:vid',
      handle: meta('数据详情'),
      loader: requireId,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/mydata/detail-page.tsx')).DataDetailPage }),
    },
    { path: '/dataprocessing', loader: () => redirect('/dataprocessing/index') },
    {
      path: '/dataprocessing/index',
      handle: meta('数据处理'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/processing/index-page.tsx')).ProcessingIndexPage }),
    },
    {
      path: '/dataprocessing/dispose/:vid',
      handle: meta('数据处理'),
      loader: requireId,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/processing/dispose-page.tsx')).DisposePage }),
    },
    { path: '/analysis', loader: () => redirect('/analysis/index') },
    {
      path: '/analysis/index',
      handle: meta('数据分析'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/analysis/index-page.tsx')).AnalysisIndexPage }),
    },
    {
      path: '/analysis/operation/:vid',
      handle: meta('分析'),
      loader: requireId,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/analysis/operation-page.tsx')).OperationPage }),
    },
    {
      path: '/analysis/result/:vid',
      handle: meta('分析结果'),
      loader: requireId,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/result/result-page.tsx')).ResultPage }),
    },
    {
      path: '/member',
      handle: meta('个人中心'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/frame/member-page.tsx')).MemberPage }),
    },
  ],
};

const publicPages: RouteObject = {
  element: <PublicFrame />,
  ErrorBoundary: RouteFailure,
  children: [
    { path: '/', handle: meta(null, '在线统计分析平台 - 衡析'), element: <HomePage /> },
    {
      path: '/help',
      handle: meta('帮助中心'),
      lazy: async () => ({ Component: (await import('./features/help/help-index-page.tsx')).HelpIndexPage }),
    },
    {
      path: '/help/:slug',
      handle: meta('帮助'),
      lazy: async () => ({ Component: (await import('./features/help/help-page.tsx')).HelpPage }),
    },
    {
      path: '/dochelpempty',
      handle: meta('暂无文档'),
      lazy: async () => ({ Component: (await import('./features/help/help-empty-page.tsx')).HelpEmptyPage }),
    },
    {
      path: '/terms',
      handle: meta('用户协议'),
      lazy: async () => ({ Component: (await import('./features/help/legal-page.tsx')).TermsPage }),
    },
    {
      path: '/privacy',
      handle: meta('隐私协议'),
      lazy: async () => ({ Component: (await import('./features/help/legal-page.tsx')).PrivacyPage }),
    },
    {
      path: '/agreement',
      handle: meta('会员与付费服务协议'),
      lazy: async () => ({ Component: (await import('./features/help/legal-page.tsx')).AgreementPage }),
    },
    {
      path: '/ban',
      handle: meta('账号已被封禁'),
      lazy: async () => ({ Component: (await import('./features/login/ban-page.tsx')).BanPage }),
    },
    {
      path: '*',
      handle: meta('没有这个页面'),
      lazy: async () => ({ Component: (await import('./features/not-found/not-found-page.tsx')).NotFoundPage }),
    },
  ],
};

const routes: RouteObject[] = [
  {
    element: <App />,
    HydrateFallback: PageSkeleton,
    ErrorBoundary: RouteFailure,
    children: [
      { path: '/index', loader: () => redirect(isSignedIn() ? '/analysis/index' : '/') },
      workspace,
      {
        path: '/s/:shareid',
        handle: meta('分享的报告'),
        ErrorBoundary: RouteFailure,
        lazy: async () => ({ Component: (await import('./features/share/share-page.tsx')).SharePage }),
      },
      publicPages,
    ],
  },
];

export function createRouter() {
  return createBrowserRouter(routes);
}
