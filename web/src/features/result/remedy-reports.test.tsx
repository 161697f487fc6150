import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import type { LeadElement } from '@hengxi/contracts/contract';
import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { claim, column, estimates, report, table } from '@hengxi/contracts/testing/reports';
import { open, serve } from '../../report/testing/server.tsx';
import { ResultPage } from './result-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const PATH = 'statistical/linear_regression';
const BASE = '/v1/analysis/projects/2/reports';
const remedy = { title: '改用 HC3 标准误', set: { se_type: 'hc3' } };
const check = { ...ELEMENTS.check, title: '异方差', remedies: [remedy] };
const ci = column('ci', 'interval', { parts: ['low', 'high'], part_format: 'num' });
const coefficients = (p: number) =>
  table(
    'coefficients',
    [column('name', 'text'), column('b'), column('se'), column('p', 'pvalue'), ci],
    [['年龄', 1.5, 0.5, p, [0.5, 2.5]]],
    { claim: claim('coefficient', [], { outcome: 'y', estimates: estimates(false) }) },
  );
const lead = (text: string): LeadElement => ({
  type: 'lead',
  id: 'lead',
  place: 'lead',
  at: null,
  text,
  facts: {},
  figures: [],
});
const detail = (rid: number, title: string, p: number, conclusion: string) => ({
  rid,
  project_id: 2,
  vid: 3,
  fid: 1,
  file_name: '收入',
  path: PATH,
  method: '线性回归',
  title,
  pinned: false,
  note: '',
  frozen: false,
  rev: 1,
  revs: 1,
  key: `k${rid}`,
  shared: false,
  created_at: '2026-11-21T06:00:00Z',
  updated_at: '2026-11-21T06:00:00Z',
  deleted_at: null,
  form: { y: 'c1', x: ['c2'] },
  filter: null,
  weight: null,
  split: null,
  document: report([lead(conclusion), coefficients(p), check]),
  made_at: '2026-11-21T06:00:00Z',
  history: [{ rev: 1, key: `k${rid}`, made_at: '2026-11-21T06:00:00Z' }],
});
const FIRST = detail(5, '收入的回归', 0.01, '年龄与收入有关联。');
const SECOND = detail(9, '收入的回归（改用 HC3 标准误）', 0.07, '未发现年龄与收入有关联的证据。');

test('a remedy adds a second result beside the first, which says whether the judgement is the same, and is kept', async () => {
  let kept: unknown = {};
  const log = serve({
    [`GET ${BASE}/5`]: () => FIRST,
    [`GET ${BASE}/9`]: () => SECOND,
    [`POST ${BASE}/9`]: () => SECOND,
    [`GET ${BASE}/5/config`]: () => ({ report_type: 'analysis', presentation: kept, form: null, updated_at: null }),
    [`POST ${BASE}/5/config`]: ({ body }) => {
      kept = (body as { presentation: unknown }).presentation;
      return { report_type: 'analysis', presentation: kept, form: null, updated_at: null };
    },
    [`POST /algorithm/${PATH}`]: ({ query }) =>
      query.has('draft')
        ? { resolved: {}, fields: [], seconds: 0.1, key: 'k5' }
        : { run_id: null, state: 'done', project_id: 2, report_id: 9, rev: 1, cached: false, error: null, report: {} },
    'GET /v1/user/file/1': () => ({ fid: 1, history: [] }),
  });
  open('/analysis/result/:vid', '/analysis/result/3?project_id=2&report_id=5', <ResultPage />);
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined);
  fireEvent.click(await screen.findByRole('button', { name: remedy.title, hidden: true }));

  const second = await screen.findByRole('article', { name: remedy.title });
  await within(second).findByText('未发现年龄与收入有关联的证据。');
  await waitFor(() => expect(scroll.mock.contexts).toContain(second));
  scroll.mockRestore();
  expect(second.textContent).toContain('1 项检验里有 1 项的判断与本报告不同：“年龄 · b”原来 p = .010，现在 p = .070');
  expect(within(second).getByRole('link').getAttribute('href')).toBe('/analysis/result/3?project_id=2&report_id=9');
  const run = log.find(({ method, path, query }) => method === 'POST' && path.endsWith(PATH) && !query.has('draft'));
  expect(run?.body).toEqual({ y: 'c1', x: ['c2'], se_type: 'hc3' });
  // A report of its own: the first keeps its number and its revision.
  expect([run?.query.get('project_id'), run?.query.has('report_id')]).toEqual(['2', false]);
  expect(log.find(({ method, path }) => method === 'POST' && path === `${BASE}/9`)?.body).toEqual({
    name: SECOND.title,
  });
  await waitFor(() => expect(kept).toMatchObject({ beside: [{ rid: 9, title: remedy.title }] }));

  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  expect(screen.queryByRole('article', { name: remedy.title })).toBeNull();
});
