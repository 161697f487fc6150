/** What can be done with folders and variables out of sight: the menu of the variable list, by right click, key or button. */
import type { MenuProps } from 'antd';

import type { Row } from '../../../fields/folders.ts';
import { dissolved, movedInto, movedOut } from '../../../fields/own-folders.ts';
import type { OwnFolders } from './use-own-folders.ts';

type FolderRow = Extract<Row, { is: 'folder' }>;

/** What a name is asked for: a new folder for these variables, or another name of one. */
export type Naming = { columns: readonly string[] } | { folder: string; name: string };

/** Items that ask for a name. */
export const isNamed = (key: string): boolean => key === 'new' || key === 'rename';

interface Asked {
  own: OwnFolders;
  /** Variables that are chosen, or lie in the folder the list stands at. */
  columns: readonly string[];
  /** The folder the list stands at. */
  at: FolderRow | null;
  onName: (naming: Naming) => void;
}

export function folderItems({ own, columns, at, onName }: Asked): NonNullable<MenuProps['items']> {
  const { folders, put } = own;
  const n = columns.length;
  const sight = sightItems(own, columns);
  const mine = at?.own ?? null;
  if (at !== null && mine !== null) {
    return [
      {
        key: 'rename',
        label: '重命名文件夹',
        extra: 'F2',
        onClick: () => onName({ folder: mine, name: at.title }),
      },
      {
        key: 'dissolve',
        label: '解散文件夹',
        extra: 'Delete',
        onClick: () => dissolve(own, mine),
      },
      ...sight,
    ];
  }
  const others = folders.filter((folder) => columns.some((id) => !folder.columns.includes(id)));
  const isInside = folders.some((folder) => columns.some((id) => folder.columns.includes(id)));
  return [
    {
      key: 'new',
      label: n === 0 ? '新建文件夹' : `放入新文件夹（${n} 个变量）`,
      onClick: () => onName({ columns }),
    },
    ...(n === 0
      ? []
      : others.map((folder) => ({
          key: folder.id,
          label: `放入“${folder.name}”`,
          onClick: () => put(movedInto(folders, folder.id, columns), `已放入“${folder.name}”`),
        }))),
    ...(isInside
      ? [{ key: 'out', label: '移出文件夹', onClick: () => put(movedOut(folders, columns), '已移出文件夹') }]
      : []),
    ...sight,
  ];
}

/** Hiding what is chosen, showing what of it is hidden, and all that is hidden. */
function sightItems({ hidden, hide }: OwnFolders, columns: readonly string[]): NonNullable<MenuProps['items']> {
  const gone = new Set(hidden);
  const seen = columns.filter((id) => !gone.has(id));
  const back = columns.filter((id) => gone.has(id));
  const rest = hidden.filter((id) => !back.includes(id));
  const items = [];
  if (seen.length > 0)
    items.push({
      key: 'hide',
      label: seen.length === 1 ? '隐藏' : `隐藏 ${seen.length} 个变量`,
      onClick: () => hide([...hidden, ...seen], `已隐藏 ${seen.length} 个变量，数据不变`),
    });
  if (back.length > 0)
    items.push({
      key: 'show',
      label: back.length === 1 ? '取消隐藏' : `取消隐藏 ${back.length} 个变量`,
      onClick: () => hide(rest, `已重新显示 ${back.length} 个变量`),
    });
  if (rest.length > 0)
    items.push({
      key: 'show-all',
      label: `取消隐藏全部（${hidden.length} 个）`,
      onClick: () => hide([], `已重新显示 ${hidden.length} 个变量`),
    });
  return items.length === 0 ? [] : [{ type: 'divider' }, ...items];
}

/** The folder goes, its variables stay. */
export function dissolve({ folders, put }: OwnFolders, id: string): void {
  const name = folders.find((folder) => folder.id === id)?.name ?? '';
  put(dissolved(folders, id), `已解散“${name}”，变量都还在`);
}
