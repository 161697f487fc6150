import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { writeDraft } from '../../../lib/drafts.ts';
import { prompts } from '../../../lib/prompts.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { serve } from '../../../report/testing/server.tsx';
import { Nps, NpsCard } from './nps-card.tsx';

const NOT = { show: false, survey_id: null, token: null, delay_ms: null };
const CARD = { survey: '2026Q4', token: 'token-1' };
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let asked: string[] = [];
let told: unknown[] = [];
beforeEach(() => {
  asked = [];
  told = [];
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined }));
  serve({
    'GET /v1/statistics/nps/popup': ({ query }) => {
      asked.push(query.get('open_ms') ?? '');
      return Number(query.get('open_ms')) < 20_000
        ? { ...NOT, delay_ms: 20_000 }
        : { show: true, survey_id: CARD.survey, token: CARD.token, delay_ms: 0 };
    },
    'POST /v1/statistics/nps/answers': ({ body }) => {
      told.push(body);
      return null;
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  prompts.closePurchase();
});

function show(path = '/analysis/result/7?project_id=1&report_id=2') {
  return render(
    <MemoryRouter initialEntries={[path]}>
      <QueryClientProvider client={queryClient}>
        <main>
          <textarea aria-label="附注" />
        </main>
        <Nps />
      </QueryClientProvider>
    </MemoryRouter>,
  );
}
const question = () => screen.queryByText('您有多大可能向同事或同学推荐衡析？');

describe('the question', () => {
  it('waits while something is being written or paid, then for twenty seconds of reading', async () => {
    vi.useFakeTimers();
    writeDraft('hx_draft:note:7:text', '没写完');
    show();
    await wait(60_000);
    expect(question()).toBeNull();
    writeDraft('hx_draft:note:7:text', null);
    screen.getByLabelText('附注').focus();
    await wait(60_000);
    expect(question()).toBeNull();
    screen.getByLabelText('附注').blur();
    prompts.openPurchase();
    await wait(60_000);
    expect(question()).toBeNull();
    prompts.closePurchase();
    await wait(19_000);
    expect(question()).toBeNull();
    await wait(1000);
    expect(question()).not.toBeNull();
    expect(asked).toEqual(['0', '20000']);
  });

  it('is asked for on results alone', async () => {
    vi.useFakeTimers();
    for (const path of ['/analysis/operation/7', '/analysis/result/7?project_id=1']) {
      show(path);
      await wait(60_000);
    }
    expect(asked).toEqual([]);
  });
});

describe('the card', () => {
  const put = () => {
    const onClose = vi.fn<() => void>();
    render(
      <QueryClientProvider client={queryClient}>
        <NpsCard card={CARD} onClose={onClose} />
      </QueryClientProvider>,
    );
    return onClose;
  };

  it('has no score chosen, asks everybody why, and sends what was said', async () => {
    put();
    expect(screen.getAllByRole('radio').filter((radio) => (radio as HTMLInputElement).checked)).toEqual([]);
    expect(screen.getByRole('button', { name: /提\s*交/ })).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('radio', { name: '3' }));
    fireEvent.change(screen.getByLabelText('主要原因是什么？（选填）'), { target: { value: '图不够用' } });
    expect(screen.getByRole('checkbox')).toHaveProperty('checked', false);
    fireEvent.click(screen.getByRole('button', { name: /提\s*交/ }));
    await screen.findByText('谢谢，已记下。');
    expect(told).toMatchObject([
      { survey_id: '2026Q4', token: 'token-1', action: 'answer', score: 3, comment: '图不够用', contact_ok: false },
    ]);
  });

  it.each([
    ['以后再说', 'later'],
    ['不再询问', 'never'],
    ['关闭', 'close'],
  ])('%s is told as %s and nothing else with it', async (name, action) => {
    const onClose = put();
    fireEvent.click(screen.getByRole('radio', { name: '3' }));
    fireEvent.click(screen.getByRole('button', { name }));
    expect(onClose).toHaveBeenCalled();
    await vi.waitFor(() => expect(told).toMatchObject([{ action, comment: '' }]));
    expect(told[0]).not.toHaveProperty('score');
  });

  it('goes with Esc', async () => {
    const onClose = put();
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(onClose).toHaveBeenCalled();
    await vi.waitFor(() => expect(told).toMatchObject([{ action: 'close' }]));
  });
});
