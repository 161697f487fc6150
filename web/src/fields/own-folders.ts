/** Folders the user makes in the variable list. Plain data: each function gives the whole list as it shall be. */
import type { VariableFolder, VariableFolders } from '@hengxi/server/steps/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../lib/api.ts';

export type OwnFolder = VariableFolder;
/** The list as its owner has arranged it: folders, and variables put out of sight. */
export type OwnList = VariableFolders;

const urlOf = (vid: number): string => `/v1/user/file/versions/${vid}/folders`;

export function ownFoldersQuery(vid: number) {
  return queryOptions({
    queryKey: ['own-folders', vid],
    queryFn: ({ signal }) => api.get<OwnList>(urlOf(vid), { signal, quiet: true }),
    staleTime: 60_000,
  });
}

export function putOwnFolders(vid: number, list: OwnList): Promise<OwnList> {
  return api.put<OwnList>(urlOf(vid), list);
}

/** Columns that are listed: all but the hidden ones. */
export function shown<C extends { id: string }>(columns: readonly C[], hidden: readonly string[]): readonly C[] {
  if (hidden.length === 0) return columns;
  const gone = new Set(hidden);
  return columns.filter(({ id }) => !gone.has(id));
}

function without(folders: readonly OwnFolder[], columns: readonly string[]): OwnFolder[] {
  const gone = new Set(columns);
  return folders.map((folder) => ({ ...folder, columns: folder.columns.filter((id) => !gone.has(id)) }));
}

/** A name nobody has yet: 新文件夹, 新文件夹 2, … */
export function freshName(folders: readonly OwnFolder[], wish = '新文件夹'): string {
  const names = new Set(folders.map(({ name }) => name));
  let name = wish;
  for (let n = 2; names.has(name); n += 1) name = `${wish} ${n}`;
  return name;
}

export function withNew(folders: readonly OwnFolder[], name: string, columns: readonly string[]): OwnFolder[] {
  const numbers = folders.map(({ id }) => Number(id.slice(1))).filter(Number.isSafeInteger);
  const id = `f${Math.max(0, ...numbers) + 1}`;
  return [...without(folders, columns), { id, name: freshName(folders, name), columns: [...columns] }];
}

export function movedInto(folders: readonly OwnFolder[], id: string, columns: readonly string[]): OwnFolder[] {
  return without(folders, columns).map((folder) =>
    folder.id === id ? { ...folder, columns: [...folder.columns, ...columns] } : folder,
  );
}

export function movedOut(folders: readonly OwnFolder[], columns: readonly string[]): OwnFolder[] {
  return without(folders, columns);
}

export function renamed(folders: readonly OwnFolder[], id: string, name: string): OwnFolder[] {
  const others = folders.filter((folder) => folder.id !== id);
  return folders.map((folder) => (folder.id === id ? { ...folder, name: freshName(others, name) } : folder));
}

/** The folder goes, its variables stay where they stand in the file. */
export function dissolved(folders: readonly OwnFolder[], id: string): OwnFolder[] {
  return folders.filter((folder) => folder.id !== id);
}
