import { afterEach, expect, it, vi } from 'vitest';

import { noteEvent } from './events.ts';
import { type SessionUser, useSession } from './session.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  useSession.setState({ user: null });
});

it('tells which page was opened without the code in its address, and nothing without consent', async () => {
  vi.useFakeTimers();
  const sent = vi.fn<(url: string, call: { body: string }) => Promise<Response>>(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', sent);
  const agreed = (analytics: 0 | 1) =>
    useSession.setState({ user: { config: { analytics, fill_nan_adjusted: 0 } } as SessionUser });
  agreed(0);
  noteEvent('page', '/mydata/index');
  agreed(1);
  noteEvent('page', '/s/kJ3secret');
  noteEvent('page', '/mydata/detail/7');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveBeenCalledOnce();
  expect(JSON.parse(sent.mock.calls[0]?.[1].body ?? '')).toEqual({
    events: [
      { name: 'page', path: '/s/' },
      { name: 'page', path: '/mydata/detail/7' },
    ],
  });
});
