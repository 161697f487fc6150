import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { serve } from '../report/testing/server.tsx';
import { RowLimit } from './row-limit.tsx';

const version = { vid: 7, rows: 200_000, rows_limit: 10_000 };
const ways = { onFilter: () => undefined, onVersion: () => undefined };

test('nothing is said where the rows are few enough, by themselves or by the filter', () => {
  const { container, rerender } = render(<RowLimit version={{ ...version, rows: 10_000 }} kept={null} {...ways} />);
  expect(container.textContent).toBe('');
  rerender(<RowLimit version={version} kept={9000} {...ways} />);
  expect(container.textContent).toBe('');
  rerender(<RowLimit version={{ ...version, rows_limit: null }} kept={null} {...ways} />);
  expect(container.textContent).toBe('');
});

test('the limit is said, and rows are drawn in place', async () => {
  const log = serve({
    'POST /algorithm/data_processing/filter': () => ({
      run_id: null,
      state: 'done',
      vid: 8,
      refusal: null,
      warnings: [],
    }),
  });
  const onVersion = vi.fn<(vid: number) => void>();
  render(<RowLimit version={version} kept={null} onFilter={() => undefined} onVersion={onVersion} />);
  fireEvent.click(screen.getByRole('button', { name: '200,000 行，一次最多分析 10,000 行' }));
  fireEvent.click(await screen.findByText('随机取 10,000 行（存为新版本）'));
  await waitFor(() => expect(onVersion).toHaveBeenCalledWith(8));
  expect(log[0]?.body).toEqual({ condition: '1 = 1', filter_type: 'keep', take: 'random', take_value: 10_000 });
});
