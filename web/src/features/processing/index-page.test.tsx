import { expect, test } from 'vitest';

import { openGone } from '../../report/testing/gone-data.tsx';
import { ProcessingIndexPage } from './index-page.tsx';
import { sectionsOf } from './tools-pane.tsx';

test('where the address names data that is gone, the page says with which it goes on', async () => {
  const { where, told } = await openGone('/dataprocessing/index', <ProcessingIndexPage />);
  expect(where).toBe('/dataprocessing/index?vid=4');
  expect(told).toContain('链接里的数据已删除或不存在，已换成“新数据”');
});

test('methods stand under the sub-headings of the menu; what was looked for is one list', () => {
  const row = (algo_code: string, section: string | null) =>
    ({ algo_code, section }) as Parameters<typeof sectionsOf>[0][0];
  const methods = [row('a', '清洗'), row('b', '变量与编码'), row('c', '清洗'), row('d', null)];
  expect(sectionsOf(methods, false).map(([title, list]) => [title, list.map((one) => one.algo_code)])).toEqual([
    ['清洗', ['a', 'c']],
    ['变量与编码', ['b']],
    ['其他', ['d']],
  ]);
  expect(sectionsOf(methods, true)).toEqual([[null, methods]]);
});
