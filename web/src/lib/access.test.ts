import { afterEach, describe, expect, it, vi } from 'vitest';

import { asksWhoIsThere, destinationOf, keepsSession, needsSession, whoMay } from './access.ts';
import { guarded, refuse } from './guards.ts';
import { queryClient } from './query-client.ts';
import { endSession, startSession } from './session.ts';
import { useToasts } from './toast.ts';

const request = (path: string) => new Request(`http://x${path}`);
const asPerson = (facts: { identity: 1 | 2 | 3; is_enterprise_admin?: boolean }) => {
  const platform = facts.identity === 2 ? 'co-7' : 'pri';
  startSession(`a.${btoa(JSON.stringify({ oid: 1, platform }))}.c`, null);
  queryClient.setQueryData(['me'], { is_enterprise_admin: false, ...facts });
};

afterEach(() => {
  endSession();
  useToasts.setState({ current: null });
  queryClient.clear();
  vi.unstubAllGlobals();
});

describe('the table of pages', () => {
  it('knows which pages need an account, the more exact path first', () => {
    expect(['/mydata/detail/7', '/member', '/analysis/index', '/enterprise/12'].every(needsSession)).toBe(true);
    const open = [
      '/',
      '/help/frequency/',
      '/s/abc',
      '/enterprise',
      '/enterprise/invite',
      '/credits',
      '/credits/activity/3',
      '/ops',
      '/nowhere',
    ];
    expect(open.some(needsSession)).toBe(false);
    expect(whoMay('/enterprise/:eid')).toBe('session');
    expect(whoMay('/made-up')).toBeNull();
  });

  it('leaves shares, bans, invitations and the desk without asking who is there', () => {
    for (const path of ['/s/abc', '/ban', '/enterprise/invite', '/year-end-report', '/ops', '/ops/users'])
      expect(asksWhoIsThere(path)).toBe(false);
    expect(asksWhoIsThere('/')).toBe(true);
  });

  it('keeps the session on the year-end report, and nowhere else', () => {
    expect(['/year-end-report', '/year-end-report/'].every(keepsSession)).toBe(true);
    expect(['/', '/credits', '/mydata/index', '/s/abc'].some(keepsSession)).toBe(false);
  });

  it('sends each version to its own workspace', () => {
    expect([destinationOf(1), destinationOf(2)]).toEqual(['/analysis/index', '/pro-model/index']);
  });
});

describe('guards', () => {
  it('bring a visitor to the dialog and back', async () => {
    const sent = await refuse('session', request('/mydata/detail/7?x=1'));
    expect(sent?.headers.get('location')).toBe('/?login=1&next=%2Fmydata%2Fdetail%2F7%3Fx%3D1');
    expect(await refuse('visitor', request('/help'))).toBeNull();
  });

  it('let each identity into its own pages', async () => {
    const where = async (who: Parameters<typeof refuse>[0]) => {
      const sent = await refuse(who, request('/x')).catch((thrown: unknown) => thrown);
      return sent instanceof Response ? (sent.headers.get('location') ?? sent.status) : sent;
    };
    for (const identity of [1, 3] as const) {
      asPerson({ identity });
      expect([await where('session'), await where([2]), await where([1, 3]), await where('admin')]).toEqual([
        null,
        '/enterprise-compare',
        null,
        404,
      ]);
      expect(await where([3])).toBe(identity === 3 ? null : '/member?tab=account');
    }
    asPerson({ identity: 2 });
    expect([await where([2]), await where('admin')]).toEqual([null, 404]);
    expect([await where([1, 3]), useToasts.getState().current?.text]).toEqual([
      '/member?tab=account',
      '请切换到个人版后操作',
    ]);
    asPerson({ identity: 2, is_enterprise_admin: true });
    expect(await where('admin')).toBeNull();
  });

  it('refuse to start with a page nobody thought about', () => {
    expect(() => guarded([{ path: '/made-up' }])).toThrow('/made-up has no entry');
    expect(
      guarded([{ children: [{ path: '/mydata/index' }, { path: '/help' }] }])[0]?.children?.map(
        (one) => typeof one.loader,
      ),
    ).toEqual(['function', 'undefined']);
  });
});
