/** Every address of the web application: path, page (loaded when visited), title, guard. In the specification's order. */
import { createBrowserRouter, redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router';

import { App } from './app.tsx';
import { EitherFrame } from './features/frame/either-frame.tsx';
import { PublicFrame } from './features/frame/public-frame.tsx';
import { RouteFailure } from './features/frame/route-failure.tsx';
import { HomePage } from './features/home/home-page.tsx';
import { destinationOf } from './lib/access.ts';
import { guarded, leaveForPage } from './lib/guards.ts';
import { currentToken } from './lib/session.ts';
import { versionOf } from './lib/sign-in.ts';
import { WRITTEN_PAGES } from './lib/site-menu.ts';
import { STORAGE, writeStored } from './lib/storage.ts';
import { PageSkeleton } from './ui/skeleton.tsx';

/** Read by app.tsx; `full` overrides the name with its site suffix. */
export interface RouteMeta {
  title: string | null;
  full?: string;
}

function meta(title: string | null, full?: string): RouteMeta {
  return full === undefined ? { title } : { title, full };
}

/** Hands a path parameter that is no number to the not-found page instead of a page about nothing. */
function requireNumber(name: string, form = /^[1-9]\d{0,9}$/) {
  return ({ params }: LoaderFunctionArgs): null => {
    if (!form.test(params[name] ?? '')) throw new Response(null, { status: 404 });
    return null;
  };
}
const requireId = requireNumber('vid');
/** 0 stands for no version: a method without data, or a report whose data were deleted. */
const requireIdOrNone = requireNumber('vid', /^(?:0|[1-9]\d{0,9})$/);

/** 企业管理: numbers only; remembers the way back, unless one comes from another page of enterprises. */
function enterManagement(args: LoaderFunctionArgs) {
  requireNumber('eid')(args);
  const { pathname, search } = location;
  if (!/^\/enterprise(?:\/|$)/.test(pathname)) writeStored(STORAGE.enterpriseBefore, pathname + search);
  return null;
}

const workspace: RouteObject = {
  lazy: async () => ({ Component: (await import('./features/frame/workspace-frame.tsx')).WorkspaceFrame }),
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
      path: '/analysis/selector/:key',
      handle: meta('选检验'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/analysis/selector-page.tsx')).SelectorPage }),
    },
    {
      path: '/analysis/coding',
      handle: meta('文本编码'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/text-coding/index-page.tsx')).CodingIndexPage }),
    },
    {
      path: '/analysis/coding/:cid',
      handle: meta('文本编码'),
      loader: requireNumber('cid'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/text-coding/coding-page.tsx')).CodingPage }),
    },
    {
      path: '/analysis/coding/second/:code',
      handle: meta('双人编码'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/text-coding/second-page.tsx')).SecondCodingPage }),
    },
    {
      path: '/analysis/operation/:vid',
      handle: meta('分析'),
      loader: requireIdOrNone,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/analysis/operation-page.tsx')).OperationPage }),
    },
    {
      path: '/analysis/result/:vid',
      handle: meta('分析结果'),
      loader: requireIdOrNone,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/result/result-page.tsx')).ResultPage }),
    },
    {
      path: '/analysis/survey/:vid',
      handle: meta('整卷报告'),
      loader: requireId,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/result/survey-plan-page.tsx')).SurveyPlanPage }),
    },
    {
      path: '/analysis/survey-report/:pid',
      handle: meta('整卷报告'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/result/survey-page.tsx')).SurveyPage }),
    },
    { path: '/pro-analysis', loader: () => redirect('/pro-analysis/index') },
    {
      path: '/pro-analysis/index',
      handle: meta('专家问卷'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({
        Component: (await import('./features/expert-questionnaires/index-page.tsx')).ProAnalysisIndexPage,
      }),
    },
    {
      path: '/pro-analysis/edit/:pid',
      handle: meta('编辑问卷'),
      loader: requireNumber('pid'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/expert-questionnaires/edit-page.tsx')).EditPage }),
    },
    {
      path: '/pro-analysis/collect/:pid',
      handle: meta('收集答卷'),
      loader: requireNumber('pid'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({
        Component: (await import('./features/expert-questionnaires/collect-page.tsx')).CollectPage,
      }),
    },
    {
      path: '/pro-analysis/report/:pid',
      handle: meta('问卷结果'),
      loader: requireNumber('pid'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/expert-questionnaires/report-page.tsx')).ReportPage }),
    },
    {
      path: '/enterprise/:eid',
      handle: meta('企业管理'),
      loader: enterManagement,
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/enterprise/manage-page.tsx')).ManagePage }),
    },
    {
      path: '/enterprise/transfer',
      handle: meta('接任企业所有者'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/enterprise/transfer-page.tsx')).TransferPage }),
    },
    { path: '/pro-model', loader: () => redirect('/pro-model/index') },
    {
      path: '/pro-model/index',
      handle: meta('企业工作台'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/enterprise/workspace-page.tsx')).WorkspacePage }),
    },
    {
      path: '/member',
      handle: meta('个人中心'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/member/member-page.tsx')).MemberPage }),
    },
    {
      path: '/member/package',
      handle: meta('会员套餐'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/member/package-page.tsx')).PackagePage }),
    },
    {
      path: '/member/pay',
      handle: meta('支付订单'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/member/pay-page.tsx')).PayPage }),
    },
    {
      path: '/member/aicount',
      handle: meta('AI 点数'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/member/ai-pages.tsx')).AiCountPage }),
    },
    {
      path: '/member/aipaid',
      handle: meta('购买 AI 点数'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/member/ai-pages.tsx')).AiPaidPage }),
    },
    {
      path: '/member/aidetail',
      handle: meta('AI 点数明细'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/member/ai-pages.tsx')).AiDetailPage }),
    },
  ],
};

const publicPages: RouteObject = {
  element: <PublicFrame />,
  ErrorBoundary: RouteFailure,
  children: [
    { path: '/', handle: meta(null, '在线统计分析平台 - 衡析'), element: <HomePage /> },
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
      path: '/enterprise',
      handle: meta('企业版'),
      lazy: async () => ({ Component: (await import('./features/enterprise/enterprise-page.tsx')).EnterprisePage }),
    },
    {
      path: '/enterprise/invite',
      handle: meta('企业邀请'),
      lazy: async () => ({ Component: (await import('./features/enterprise/invite-page.tsx')).InvitePage }),
    },
    {
      path: '/enterprise-compare',
      handle: meta('各版本对比'),
      lazy: async () => ({ Component: (await import('./features/enterprise/compare-page.tsx')).ComparePage }),
    },
    {
      path: '/year-end-report',
      handle: meta('年终报告'),
      lazy: async () => ({ Component: (await import('./features/year-end/year-end-page.tsx')).YearEndPage }),
    },
    {
      path: '/ban',
      handle: meta('账号已被封禁'),
      lazy: async () => ({ Component: (await import('./features/login/ban-page.tsx')).BanPage }),
    },
    {
      path: '/oauth/login',
      handle: meta('登录'),
      lazy: async () => ({ Component: (await import('./features/login/oauth-page.tsx')).OauthPage }),
    },
    {
      path: '*',
      handle: meta('没有这个页面'),
      lazy: async () => ({ Component: (await import('./features/not-found/not-found-page.tsx')).NotFoundPage }),
    },
  ],
};

const eitherPages: RouteObject = {
  element: <EitherFrame />,
  ErrorBoundary: RouteFailure,
  children: [
    {
      path: '/credits',
      handle: meta('积分中心'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/credits/credits-page.tsx')).CreditsPage }),
    },
    {
      path: '/credits/activity',
      handle: meta('积分活动'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/credits/activities-page.tsx')).ActivitiesPage }),
    },
    {
      path: '/credits/activity/:aid',
      handle: meta('积分活动'),
      loader: requireNumber('aid'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/credits/activity-page.tsx')).ActivityPage }),
    },
    {
      path: '/plagdet/checks',
      handle: meta('文本查重'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/plagdet/checks-page.tsx')).ChecksPage }),
    },
    {
      path: '/plagdet/checks/:id',
      handle: meta('查重结果'),
      loader: requireNumber('id'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/plagdet/report-page.tsx')).ReportPage }),
    },
    {
      path: '/contest',
      handle: meta('数据分析大赛'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/contest/contest-page.tsx')).ContestPage }),
    },
    { path: '/contest_c', loader: ({ request }) => redirect('/contest' + new URL(request.url).search) },
    {
      path: '/contest/note',
      handle: meta('大赛规则与赛题'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/contest/note-page.tsx')).NotePage }),
    },
    {
      path: '/contest/answer',
      handle: meta('大赛队伍与提交'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/contest/answer-page.tsx')).AnswerPage }),
    },
    {
      path: '/contest/result',
      handle: meta('大赛结果与证书'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/contest/result-page.tsx')).ResultPage }),
    },
    {
      path: '/contest/judge',
      handle: meta('大赛评审'),
      ErrorBoundary: RouteFailure,
      lazy: async () => ({ Component: (await import('./features/contest/judge-page.tsx')).JudgePage }),
    },
  ],
};

/** Not drawn here: web/src/written.tsx writes them at the build, the server sends them. */
const writtenPages: RouteObject[] = WRITTEN_PAGES.map((path) => ({ path, loader: leaveForPage, element: null }));

/** The workspace of the version one is signed in to; a visitor's is the home page. */
function toWorkspace() {
  const token = currentToken();
  return redirect(token === null ? '/' : destinationOf(versionOf(token)));
}

export const routes: RouteObject[] = [
  {
    element: <App />,
    HydrateFallback: PageSkeleton,
    ErrorBoundary: RouteFailure,
    children: [
      { path: '/index', loader: toWorkspace },
      workspace,
      eitherPages,
      ...writtenPages,
      {
        path: '/s/:shareid',
        handle: meta('分享的报告'),
        ErrorBoundary: RouteFailure,
        lazy: async () => ({ Component: (await import('./features/share/share-page.tsx')).SharePage }),
      },
      {
        path: '/pro-analysis/answer/:quescode',
        handle: meta('专家问卷'),
        ErrorBoundary: RouteFailure,
        lazy: async () => ({
          Component: (await import('./features/expert-questionnaires/answer-page.tsx')).AnswerPage,
        }),
      },
      {
        path: '/ops/*',
        handle: meta('运营后台'),
        ErrorBoundary: RouteFailure,
        lazy: async () => ({ Component: (await import('./features/ops/ops-page.tsx')).OpsPage }),
      },
      publicPages,
    ],
  },
];

export function createRouter() {
  // Who may open which page stands in lib/access.ts; a path without an entry there does not start.
  return createBrowserRouter(guarded(routes));
}
