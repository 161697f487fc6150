/** A server for page tests: answers by path, remembers what was asked. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { vi } from 'vitest';

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** What a call answers; an object with `status` and `err_code` is a refusal. */
type Answer = unknown;

/** By method and path: `GET /v1/runs`. */
export type Answers = Record<string, (asked: Asked) => Answer>;

export function serve(answers: Answers): Asked[] {
  const log: Asked[] = [];
  globalThis.fetch = vi.fn<typeof fetch>(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    const asked: Asked = {
      method: init?.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
    };
    log.push(asked);
    const answer = answers[`${asked.method} ${asked.path}`];
    if (answer === undefined)
      return new Response(JSON.stringify({ status_code: 0, err_code: 30093, msg: '未找到该资源' }), { status: 404 });
    const data = answer(asked);
    if (typeof data === 'object' && data !== null && 'err_code' in data && 'status' in data)
      return new Response(JSON.stringify({ status_code: 0, ...data }), { status: Number(data.status) });
    return new Response(JSON.stringify({ status_code: 1, data }));
  });
  return log;
}

function Where() {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <output data-testid="where">{pathname + search}</output>
      <output data-testid="state">{JSON.stringify(state)}</output>
    </>
  );
}

export function open(path: string, address: string, page: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path={path} element={page} />
          <Route path="*" element={<p>另一页</p>} />
        </Routes>
        <Where />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
