/** A report of an independent t test, its page, and a server that answers what the page asks. */
import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { type Answers, open } from '../../../report/testing/server.tsx';
import { ResultPage } from '../result-page.tsx';

export const ROW = {
  rid: 5,
  project_id: 2,
  vid: 3,
  fid: 1,
  file_name: '运动调查',
  path: 'hypothesis_test/independent_t_test',
  method: '独立样本t检验',
  title: '运动时长',
  pinned: false,
  note: '',
  frozen: false,
  rev: 2,
  revs: 2,
  key: 'k2',
  shared: false,
  created_at: '2026-11-21T06:00:00Z',
  updated_at: '2026-11-21T06:03:00Z',
  deleted_at: null,
};
export const DETAIL = {
  ...ROW,
  form: { group: 'c1', variables: ['c2'] },
  filter: null,
  weight: null,
  split: null,
  document: report([ELEMENTS.lead, MAIN, ELEMENTS.check]),
  made_at: '2026-11-21T06:03:00Z',
  history: [
    { rev: 1, key: 'k1', made_at: '2026-11-21T06:00:00Z' },
    { rev: 2, key: 'k2', made_at: '2026-11-21T06:03:00Z' },
  ],
};
export const version = (vid: number, is_head: boolean) => ({
  vid,
  parent: null,
  rows: 326,
  columns: 7,
  title: '导入',
  created_at: '',
  is_head,
  reports: 1,
});
export const BASE = '/v1/analysis/projects/2/reports/5';

export function answers(more: Answers = {}): Answers {
  return {
    [`GET ${BASE}`]: () => DETAIL,
    [`GET ${BASE}/config`]: () => ({ report_type: 'analysis', presentation: {}, form: null, updated_at: null }),
    [`POST ${BASE}/config`]: () => ({ report_type: 'analysis', presentation: {}, form: null, updated_at: null }),
    [`GET ${BASE}/shares`]: () => ({ total: 0, list: [] }),
    'GET /v1/user/file/1': () => ({ fid: 1, history: [version(2, false), version(3, true)] }),
    'POST /algorithm/hypothesis_test/independent_t_test': () => ({ resolved: {}, fields: [], seconds: 0.1, key: 'k2' }),
    'GET /algorithm/hypothesis_test/independent_t_test': () => ({
      declaration: { fields: [] },
      help: {},
      oracle: {
        cases: 1,
        numbers: 836,
        sources: ['R 4.2.2 t.test'],
        analyses: [{ name: '两组牙长，Welch 双侧', numbers: 836 }],
      },
    }),
    ...more,
  };
}

export const visit = (query = '?project_id=2&report_id=5') =>
  open('/analysis/result/:vid', `/analysis/result/3${query}`, <ResultPage />);
