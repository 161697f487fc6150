/**
 * Who may open which page: every path of the router and no other, in one table. A page enters it together with its route,
 * and the router refuses to start with a page that has no entry.
 */

/** 1 ordinary, 2 enterprise member, 3 member. */
export type Identity = 1 | 2 | 3;
export type Who = 'visitor' | 'session' | 'admin' | readonly Identity[];

/** Buying and points belong to the person; the enterprise has a workspace of its own. */
const PERSONAL: Who = [1, 3];
const ENTERPRISE: Who = [2];

/**
 * Exact paths of the router. Pages marked `quiet` do not ask who is there when they open (specification section 6);
 * on those marked `keeps` a refused call ends no session.
 */
const TABLE: Record<string, { who: Who; quiet?: true; keeps?: true }> = {
  '/': { who: 'visitor' },
  '*': { who: 'visitor' },
  '/index': { who: 'visitor' },
  '/mydata': { who: 'session' },
  '/mydata/index': { who: 'session' },
  '/mydata/detail/:vid': { who: 'session' },
  '/dataprocessing': { who: 'session' },
  '/dataprocessing/index': { who: 'session' },
  '/dataprocessing/dispose/:vid': { who: 'session' },
  '/analysis': { who: 'session' },
  '/analysis/index': { who: 'session' },
  '/analysis/selector/:key': { who: 'session' },
  '/analysis/coding': { who: 'session' },
  '/analysis/coding/:cid': { who: 'session' },
  '/analysis/coding/second/:code': { who: 'session' },
  '/analysis/operation/:vid': { who: 'session' },
  '/analysis/result/:vid': { who: 'session' },
  '/analysis/survey/:vid': { who: 'session' },
  '/analysis/survey-report/:pid': { who: 'session' },
  '/pro-analysis': { who: 'session' },
  '/pro-analysis/index': { who: 'session' },
  '/pro-analysis/edit/:pid': { who: 'session' },
  '/pro-analysis/collect/:pid': { who: 'session' },
  '/pro-analysis/report/:pid': { who: 'session' },
  '/pro-analysis/answer/:quescode': { who: 'visitor', quiet: true },
  '/member': { who: 'session' },
  '/member/package': { who: PERSONAL, quiet: true },
  '/member/pay': { who: PERSONAL },
  '/member/aicount': { who: PERSONAL },
  '/member/aipaid': { who: PERSONAL },
  '/member/aidetail': { who: PERSONAL },
  '/pro-model': { who: ENTERPRISE },
  '/pro-model/index': { who: ENTERPRISE },
  // Rules, mall and activities are for everybody; what is one's own is shown by the page to who it belongs to.
  '/credits': { who: 'visitor' },
  '/credits/activity': { who: 'visitor' },
  '/credits/activity/:aid': { who: 'visitor' },
  // Everybody reads; what needs a person says so on the page, which stays where it is after the sign-in.
  '/contest': { who: 'visitor' },
  '/contest_c': { who: 'visitor' },
  '/contest/note': { who: 'visitor' },
  '/contest/answer': { who: 'visitor' },
  '/contest/result': { who: 'visitor' },
  '/contest/judge': { who: 'visitor' },
  // A 401 neither leaves the page nor ends the session (specification section 8).
  '/year-end-report': { who: 'visitor', quiet: true, keeps: true },
  '/enterprise': { who: 'visitor' },
  // The right is the person's role there, on any channel: the server tells, and strangers find nothing.
  '/enterprise/:eid': { who: 'session' },
  '/enterprise/invite': { who: 'visitor', quiet: true },
  '/enterprise/transfer': { who: 'session' },
  '/enterprise-compare': { who: 'visitor' },
  '/s/:shareid': { who: 'visitor', quiet: true },
  '/ban': { who: 'visitor', quiet: true },
  '/oauth/login': { who: 'visitor', quiet: true },
  '/privacy': { who: 'visitor' },
  '/terms': { who: 'visitor' },
  '/agreement': { who: 'visitor' },
  '/help/:slug': { who: 'visitor' },
  // Written at the build, and nobody is asked who they are.
  '/solution': { who: 'visitor', quiet: true },
  '/solution/industry': { who: 'visitor', quiet: true },
  '/solution/edu': { who: 'visitor', quiet: true },
  '/introduction': { who: 'visitor', quiet: true },
  '/price': { who: 'visitor', quiet: true },
  '/promo': { who: 'visitor', quiet: true },
  '/client': { who: 'visitor', quiet: true },
  '/business-cooperation': { who: 'visitor', quiet: true },
  '/about': { who: 'visitor', quiet: true },
  '/plagdet': { who: 'visitor', quiet: true },
  // Whoever chooses a file is asked to sign in, and the file stays.
  '/plagdet/checks': { who: 'visitor' },
  '/plagdet/checks/:id': { who: 'session' },
  '/help': { who: 'visitor', quiet: true },
  '/dochelpempty': { who: 'visitor' },
  // The desk asks the server itself and shows nothing to others.
  '/ops/*': { who: 'visitor', quiet: true },
};

/** All paths of the table. */
export const GUARDED_PATHS: readonly string[] = Object.keys(TABLE);

/** The rule of a route by its path pattern; null for a path nobody has thought of. */
export function whoMay(pattern: string): Who | null {
  return TABLE[pattern]?.who ?? null;
}

const PATTERNS = Object.entries(TABLE)
  .filter(([path]) => path !== '*')
  .map(([path, rule]) => ({
    rule,
    // Words before parameters: /enterprise/invite is no eid.
    weight: path.split(':').length + (path.includes('*') ? 10 : 0),
    test: new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+').replace('/*', '(?:/.*)?')}/?$`),
  }))
  .sort((a, b) => a.weight - b.weight);

function ruleOf(pathname: string) {
  return PATTERNS.find(({ test }) => test.test(pathname))?.rule ?? null;
}

/** Pages that need an account: there a lost session leads home; elsewhere it ends silently. */
export function needsSession(pathname: string): boolean {
  const rule = ruleOf(pathname);
  return rule !== null && rule.who !== 'visitor';
}

/** Whether the page asks for the signed-in person when it opens. */
export function asksWhoIsThere(pathname: string): boolean {
  return ruleOf(pathname)?.quiet !== true;
}

/** Whether a 401 leaves the session as it is: the page itself says that one has to sign in anew. */
export function keepsSession(pathname: string): boolean {
  return ruleOf(pathname)?.keeps === true;
}

/** After a sign-in: the workspace of the version chosen (1 personal, 2 enterprise). */
export function destinationOf(version: 1 | 2): string {
  return version === 1 ? '/analysis/index' : '/pro-model/index';
}
