/** All variables of the table: own folders, then by question; found by name, label or pinyin; dragged or sent into folders. */
import { EyeInvisibleOutlined, EyeOutlined, FolderAddOutlined, SearchOutlined } from '@ant-design/icons';
import type { AnswerSet, Column } from '@hengxi/server/files/schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Input, type MenuProps } from 'antd';
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';

import { type Row, rowsOf } from '../../../fields/folders.ts';
import { freshName, movedInto, movedOut, renamed, shown, withNew } from '../../../fields/own-folders.ts';
import { all, moveBy, NOTHING, pick, type Selection } from '../../../fields/variables/selection.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { DropMenu } from '../../../ui/drop-menu.tsx';
import { RenameDialog } from '../../../ui/rename-dialog.tsx';
import { dissolve, folderItems, isNamed, type Naming } from './folder-menu.tsx';
import { useVariableSearch } from './use-variable-search.ts';
import { useOwnFolders } from './use-own-folders.ts';
import styles from './variable-list.module.css';
import { ListRow } from './variable-rows.tsx';

const ROW = 30;
/** Where variables land that are dropped on no folder. */
const OUTSIDE = '';

interface VariableListProps {
  vid: number;
  columns: readonly Column[];
  sets: readonly AnswerSet[];
  selected: string | null;
  onSelect: (column: string) => void;
}

export function VariableList({ vid, columns, sets, selected, onSelect }: VariableListProps) {
  const [query, setQuery] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [naming, setNaming] = useState<Naming | null>(null);
  const [aim, setAim] = useState<string | null>(null);
  const dragged = useRef<readonly string[]>([]);
  const own = useOwnFolders(vid);
  const { folders, hidden, put } = own;
  const [isPeeking, setPeeking] = useState(false);
  // A search finds what is hidden as well: who looks for a variable by name wants it.
  const hits = useVariableSearch(columns, query);
  const listed = useMemo(() => (isPeeking ? columns : shown(columns, hidden)), [columns, hidden, isPeeking]);
  const matches = useMemo(
    () => rowsOf(listed, closed, 'file', hits, sets, folders),
    [listed, sets, closed, hits, folders],
  );
  const keys = useMemo(() => matches.map((row) => row.key), [matches]);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = useVirtualizer({
    count: matches.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  // The variable of the address is chosen here too, wherever it was clicked; what was sent from here comes back later.
  const sent = useRef<string | null>(null);
  useEffect(() => {
    if (selected !== null && selected !== sent.current) setSelection(pick(NOTHING, [selected], selected, 'only'));
    sent.current = selected;
  }, [selected]);
  const at = matches.findIndex((row) => row.key === selection.focus);
  const current = matches[at] ?? null;
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at);
    // Only a new choice scrolls; typing and loading do not.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [selection.focus]);

  /** Variables that are chosen; those of the folder one stands at where none is. */
  const chosenFrom = ({ ids, focus }: Selection): string[] => {
    const direct = matches.flatMap((row) => (row.is === 'column' && ids.includes(row.key) ? [row.column.id] : []));
    if (direct.length > 0) return direct;
    const folder = matches.find((row) => row.key === focus);
    return folder?.is === 'folder' ? folder.columns.map((column) => column.id) : [];
  };
  const choose = (next: Selection): void => {
    setSelection(next);
    const row = matches.find(({ key }) => key === next.focus);
    if (row?.is !== 'column') return;
    sent.current = row.column.id;
    onSelect(row.column.id);
  };
  const fold = (key: string, open?: boolean): void =>
    setClosed((old) => {
      const next = new Set(old);
      if (open ?? next.has(key)) next.delete(key);
      else next.add(key);
      return next;
    });

  const onClick = (row: Row, event: MouseEvent): void => {
    const how = event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only';
    if (row.is === 'folder') {
      setSelection(pick(selection, keys, row.key, 'only'));
      fold(row.key);
    } else choose(pick(selection, keys, row.key, how));
  };
  const onMenu = (row: Row): void => {
    if (!selection.ids.includes(row.key)) setSelection(pick(selection, keys, row.key, 'only'));
  };
  const onDragStart = (row: Row, event: DragEvent): void => {
    const ids = selection.ids.includes(row.key) ? chosenFrom(selection) : [row.key];
    if (!selection.ids.includes(row.key)) setSelection(pick(selection, keys, row.key, 'only'));
    dragged.current = ids;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', `${ids.length} 个变量`);
  };
  /** The own folder under the pointer; OUTSIDE elsewhere; null where a drop would change nothing. */
  const aimOf = (event: DragEvent): string | null => {
    if (dragged.current.length === 0) return null;
    const key = event.target instanceof Element ? event.target.closest('[data-row]')?.getAttribute('data-row') : null;
    const row = matches.find((one) => one.key === key);
    const folder = row?.is === 'folder' ? row.key : (row?.folder ?? null);
    const target = folders.find((one) => `own ${one.id}` === folder);
    const isInside = (columnIds: readonly string[]) => dragged.current.every((one) => columnIds.includes(one));
    if (target) return isInside(target.columns) ? null : target.id;
    return folders.some((one) => one.columns.some((column) => dragged.current.includes(column))) ? OUTSIDE : null;
  };
  const onDragOver = (event: DragEvent): void => {
    const next = aimOf(event);
    setAim(next);
    if (next === null) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
  };
  const onDrop = (event: DragEvent): void => {
    const target = aimOf(event);
    setAim(null);
    if (target === null) return;
    event.preventDefault();
    event.stopPropagation();
    const name = folders.find((folder) => folder.id === target)?.name;
    if (target === OUTSIDE) put(movedOut(folders, dragged.current), '已移出文件夹');
    else put(movedInto(folders, target, dragged.current), `已放入“${name}”`);
    dragged.current = [];
  };

  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.altKey) return;
    const control = event.ctrlKey || event.metaKey;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -keys.length, End: keys.length };
    const move = moves[event.key];
    const folder = current?.is === 'folder' ? current : null;
    if (move !== undefined) choose(moveBy(selection, keys, move, event.shiftKey));
    else if (control && event.key.toLowerCase() === 'a') setSelection(all(keys));
    else if (folder && (event.key === 'Enter' || event.key === ' ')) fold(folder.key);
    else if (folder && event.key === 'ArrowRight') fold(folder.key, true);
    else if (folder && event.key === 'ArrowLeft') fold(folder.key, false);
    else if (current?.is === 'column' && current.folder !== null && event.key === 'ArrowLeft')
      setSelection(pick(selection, keys, current.folder, 'only'));
    else if (folder?.own && event.key === 'F2') setNaming({ folder: folder.own, name: folder.title });
    else if (folder?.own && event.key === 'Delete') dissolve(own, folder.own);
    else return;
    event.preventDefault();
  };

  const items = folderItems({
    own,
    columns: chosenFrom(selection),
    at: current?.is === 'folder' && selection.ids.length <= 1 ? current : null,
    // Not before the Enter that chose it has passed: it would press the dialog's first button.
    onName: (asked) => void setTimeout(() => setNaming(asked)),
  });
  const menu: MenuProps = {
    items,
    // The menu goes with the focus in it; a dialog takes it by itself.
    onClick: ({ key }) => {
      if (!isNamed(key)) requestAnimationFrame(() => box.current?.focus());
    },
  };
  const name = (text: string): void => {
    if (naming === null) return;
    if ('folder' in naming) put(renamed(folders, naming.folder, text), `已改名为“${text}”`);
    else put(withNew(folders, text, naming.columns), `已新建文件夹“${text}”`);
    setNaming(null);
  };
  // Asked from the list, answered back into it: the keys go on where they were.
  const wasNaming = useRef(false);
  useEffect(() => {
    if (wasNaming.current && naming === null) box.current?.focus();
    wasNaming.current = naming !== null;
  }, [naming]);

  return (
    <aside className={styles['pane']} aria-label="变量">
      <div className={styles['head']}>
        <h2>变量</h2>
        <span>
          {hits === null ? `${formatCount(columns.length)} 个` : `${hits.length} / ${formatCount(columns.length)} 个`}
        </span>
        <DropMenu menu={menu} placement="bottomRight">
          <button type="button" className={styles['tool']} aria-label="文件夹" title="文件夹">
            <FolderAddOutlined aria-hidden />
          </button>
        </DropMenu>
      </div>
      <Input
        allowClear
        className={styles['search']}
        prefix={<SearchOutlined aria-hidden />}
        placeholder="名称、标签、拼音"
        aria-label="搜索变量"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <DropMenu menu={menu} trigger="contextMenu">
        <div
          ref={box}
          role="tree"
          tabIndex={0}
          aria-label="变量列表"
          aria-multiselectable="true"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          className={styles['list']}
          onKeyDown={onKey}
          onDragOver={onDragOver}
          onDrop={onDrop}
          onDragLeave={() => setAim(null)}
          onDragEnd={() => {
            dragged.current = [];
            setAim(null);
          }}
        >
          <div role="presentation" style={{ position: 'relative', height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const row = matches[item.index];
              if (!row) return null;
              const folder = row.is === 'folder' ? row.key : row.folder;
              return (
                <ListRow
                  key={row.key}
                  row={row}
                  id={`${id}-${item.index}`}
                  top={item.start}
                  place={{ 'aria-setsize': matches.length, 'aria-posinset': item.index + 1 }}
                  isHidden={row.is === 'column' && hidden.includes(row.column.id)}
                  isChosen={selection.ids.includes(row.key)}
                  isFocused={selection.focus === row.key}
                  isAimed={aim !== null && aim !== OUTSIDE && folder === `own ${aim}`}
                  onClick={(event) => onClick(row, event)}
                  onMenu={() => onMenu(row)}
                  onDragStart={(event) => onDragStart(row, event)}
                />
              );
            })}
          </div>
        </div>
      </DropMenu>
      {matches.length === 0 ? (
        <p className={styles['none']}>{query.trim() === '' ? '变量都隐藏了' : `没有叫“${query}”的变量`}</p>
      ) : null}
      {hidden.length > 0 && hits === null ? (
        <button
          type="button"
          className={styles['hidden']}
          aria-pressed={isPeeking}
          onClick={() => setPeeking((old) => !old)}
        >
          {isPeeking ? <EyeOutlined aria-hidden /> : <EyeInvisibleOutlined aria-hidden />}
          隐藏了 {formatCount(hidden.length)} 个变量
          <b>{isPeeking ? '收起' : '查看'}</b>
        </button>
      ) : null}
      {naming === null ? null : (
        <RenameDialog
          open
          title={'folder' in naming ? '重命名文件夹' : '新建文件夹'}
          value={'folder' in naming ? naming.name : freshName(folders)}
          onSave={name}
          onClose={() => setNaming(null)}
        />
      )}
    </aside>
  );
}
