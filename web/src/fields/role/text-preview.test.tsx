import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { TextPreview } from '@hengxi/server/files/schema';
import { expect, test, vi } from 'vitest';

import type { FormTools } from '../form-context.tsx';
import { FormProvider } from '../form-context.tsx';
import { column } from '../testing/harness.tsx';
import { TextPreviewButton } from './text-preview.tsx';

const PREVIEW: TextPreview = {
  rows: [
    { row: 1, text: '很好，打13812345678' },
    { row: 3, text: '房间安静' },
  ],
  total: 1200,
  read: 1200,
  empty: 7,
  mean_len: 9.5,
  max_len: 15,
  language: 'zh',
  duplicates: 2,
  pii: { phone: 3, id: 0, email: 1 },
  masking: 'some/step',
};

function shown(load: () => Promise<TextPreview>) {
  const remedy = vi.fn<FormTools['remedy']>();
  const tools: Partial<FormTools> = { previewText: load, remedy, offers: () => true, readOnly: false };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <FormProvider value={tools as FormTools}>
        <TextPreviewButton column={column('c5', '意见', '文本')} field="text" />
      </FormProvider>
    </QueryClientProvider>,
  );
  return remedy;
}

test('tells lengths and personal data, and leads to masking', async () => {
  const remedy = shown(() => Promise.resolve(PREVIEW));
  await userEvent.click(screen.getByRole('button', { name: '预览文本' }));
  expect(await screen.findByText('1,200')).toBeTruthy();
  expect(screen.getByText(/发现3行疑似手机号、1行疑似邮箱/)).toBeTruthy();
  expect(screen.getByText('房间安静')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '去脱敏' }));
  expect(remedy.mock.calls[0]?.[0]).toMatchObject({ step: 'some/step', columns: ['c5'] });
});

test('a failure is said and can be tried again', async () => {
  const load = vi
    .fn<() => Promise<TextPreview>>()
    .mockRejectedValueOnce(new Error('连不上'))
    .mockResolvedValue({ ...PREVIEW, rows: [] });
  shown(load);
  await userEvent.click(screen.getByRole('button', { name: '预览文本' }));
  await userEvent.click(await screen.findByRole('button', { name: /重\s*试/ }));
  expect(await screen.findByText('这一列没有文本。')).toBeTruthy();
});
