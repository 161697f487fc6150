/** What the menu of the variable list offers for variables in sight and out of it. */
import { expect, test } from 'vitest';

import { folderItems } from './folder-menu.tsx';
import type { OwnFolders } from './use-own-folders.ts';

function menu(hidden: string[], columns: string[]) {
  const said: unknown[] = [];
  const own: OwnFolders = {
    folders: [],
    hidden,
    put: () => undefined,
    hide: (...given) => said.push(given),
  };
  const items = folderItems({ own, columns, at: null, onName: () => undefined }) as {
    key?: string;
    label?: string;
    onClick?: () => void;
  }[];
  const press = (key: string) => items.find((item) => item.key === key)?.onClick?.();
  return { labels: items.flatMap(({ label }) => label ?? []), press, said };
}

test('what is in sight can be hidden, what is hidden shown again', () => {
  const one = menu([], ['c1']);
  expect(one.labels).toContain('隐藏');
  one.press('hide');
  expect(one.said).toEqual([[['c1'], '已隐藏 1 个变量，数据不变']]);
  const mixed = menu(['c1', 'c5'], ['c1', 'c2', 'c3']);
  expect(mixed.labels.slice(-3)).toEqual(['隐藏 2 个变量', '取消隐藏', '取消隐藏全部（2 个）']);
  mixed.press('show');
  mixed.press('hide');
  mixed.press('show-all');
  expect(mixed.said.map(([hidden]: any) => hidden)).toEqual([['c5'], ['c1', 'c5', 'c2', 'c3'], []]);
});

test('where nothing is hidden nothing is offered to be shown', () => {
  expect(menu([], []).labels).toEqual(['新建文件夹']);
  expect(menu(['c9'], []).labels).toEqual(['新建文件夹', '取消隐藏全部（1 个）']);
});
