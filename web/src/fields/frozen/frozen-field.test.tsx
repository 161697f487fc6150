import type { FrozenField as Declaration } from '@hengxi/contracts/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { limitsOrigin } from '../../lib/control-limits.ts';
import type { KeptLimits } from '../../lib/control-limits.ts';
import { serve } from '../../report/testing/server.tsx';
import type { Form } from '../form.ts';
import { COMMON, Harness } from '../testing/harness.tsx';
import { FrozenField } from './frozen-field.tsx';

// Opening a list of antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const FIELD: Declaration = {
  ...COMMON,
  type: 'frozen',
  key: 'frozen_limits',
  title: '用已冻结的控制限',
  table: 'standard',
};
const KEPT: KeptLimits = {
  id: 7,
  name: '三月',
  path: 'control/chart',
  method: '某种控制图',
  report: '直径的控制图',
  made_at: '2026-03-31T08:00:00Z',
  variable: '直径',
  project_id: 1,
  report_id: 2,
  created_at: '2026-03-31T08:00:00Z',
  phase: null,
  points: 25,
  center: 74.5,
  sigma: 0.25,
  extra: null,
  n: 5,
  kind: null,
};

function show(list: KeptLimits[], start: Form) {
  const asked = serve({
    'GET /v1/analysis/control-limits': () => ({ total: list.length, list }),
    'DELETE /v1/analysis/control-limits/7': () => null,
  });
  const forms: Form[] = [];
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Harness fields={[FIELD]} start={start} tools={{ path: 'control/chart' }} onForm={(form) => forms.push(form)}>
        {(form) => <FrozenField field={FIELD} value={form['frozen_limits']} />}
      </Harness>
    </QueryClientProvider>,
  );
  return { asked, forms };
}

test('kept limits are chosen by name, and it is said where they come from', async () => {
  const { forms } = show([KEPT], {});
  await userEvent.click(await screen.findByRole('combobox'));
  await userEvent.click(await screen.findByText('三月'));
  expect(forms.at(-1)).toEqual({ frozen_limits: { id: 7 } });
  const note = await screen.findByText(/来自/u);
  expect(note.textContent).toContain('标准差 0.25，每组 5 个');
  expect(note.textContent).toContain('的报告“直径的控制图”，变量“直径”，25 个点');
});

test('limits from numbers that were given rest on no point', () => {
  expect(limitsOrigin({ ...KEPT, points: 0 })).toContain('变量“直径”，由当时给定的数值算出');
});

test('the day is that of the reader, as the page of the report says it', () => {
  const midnight = new Date(2026, 2, 31, 0, 30).toISOString();
  const evening = new Date(2026, 2, 31, 23, 30).toISOString();
  for (const made of [midnight, evening]) expect(limitsOrigin({ ...KEPT, made_at: made })).toContain('2026-03-31');
});

test('removed limits leave the form, and an empty list says how to fill it', async () => {
  const { asked, forms } = show([KEPT], { frozen_limits: { id: 7 } });
  await userEvent.click(await screen.findByRole('button', { name: /删\s*除/u }));
  const [, confirm] = await screen.findAllByRole('button', { name: /删\s*除/u });
  if (confirm) await userEvent.click(confirm);
  await waitFor(() => expect(forms.at(-1)).toEqual({ frozen_limits: null }));
  expect(asked.some((one) => JSON.stringify(one).includes('control-limits/7'))).toBe(true);
});

test('where nothing is kept yet the form says how to keep something', async () => {
  show([], {});
  expect(await screen.findByText(/在同一种控制图的报告里点“冻结控制限”/u)).toBeTruthy();
});
