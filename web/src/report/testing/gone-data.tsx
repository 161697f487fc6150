/** A page whose address names data that is gone, where there is other data. */
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, vi } from 'vitest';

import { toast } from '../../lib/toast.ts';
import { open, serve } from './server.tsx';

const FILE = { vid: 4, fid: 2, name: '新数据', rows: 10, columns: 3 };

/** Opens the page; gives the address it goes on at, and what it says of that. */
export async function openGone(path: string, page: ReactNode): Promise<{ where: string; told: unknown[] }> {
  const warn = vi.spyOn(toast, 'warn').mockReturnValue();
  const active = { filter: null, weight: null, split: null };
  serve({
    'GET /v1/user/file/versions/4': () => ({ ...FILE, columns: [], sets: [], active, number: 1 }),
    'GET /v1/user/file': () => ({ total: 1, list: [FILE] }),
    'GET /algorithm/v2/list': () => [],
    'POST /v1/analysis/recommend': () => [],
  });
  open(path, `${path}?vid=9`, page);
  const where = (): string => screen.getByTestId('where').textContent;
  await waitFor(() => expect(where()).not.toContain('vid=9'));
  const told = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  return { where: where(), told };
}
