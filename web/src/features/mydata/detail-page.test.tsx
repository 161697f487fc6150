import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { open, serve } from '../../report/testing/server.tsx';
import { DataDetailPage } from './detail-page.tsx';

test('the page of data that is gone leads to the other data and to the bin', async () => {
  serve({});
  open('/mydata/detail/:vid', '/mydata/detail/9', <DataDetailPage />);
  expect(await screen.findByRole('heading', { name: '没有这份数据' })).toBeTruthy();
  expect(screen.getByRole('button', { name: '回收站' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '我的数据' }));
  expect(screen.getByTestId('where').textContent).toBe('/mydata/index');
});
