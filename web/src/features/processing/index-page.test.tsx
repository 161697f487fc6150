import { expect, test } from 'vitest';

import { openGone } from '../../report/testing/gone-data.tsx';
import { ProcessingIndexPage } from './index-page.tsx';

test('where the address names data that is gone, the page says with which it goes on', async () => {
  const { where, told } = await openGone('/dataprocessing/index', <ProcessingIndexPage />);
  expect(where).toBe('/dataprocessing/index?vid=4');
  expect(told).toContain('链接里的数据已删除或不存在，已换成“新数据”');
});
