/** The left pane: every variable of the version, found by name, label or pinyin, selected and sent to the boxes. */
import { MenuFoldOutlined, SearchOutlined, SortAscendingOutlined } from '@ant-design/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Input } from 'antd';
import type { InputRef } from 'antd';
import type { KeyboardEvent } from 'react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';

import { usesOf } from '../boxes/box.ts';
import { useBoxes } from '../boxes/variable-boxes.tsx';
import type { Column } from '../column.ts';
import { titleOf } from '../column.ts';
import { useForm } from '../form-context.tsx';
import { loadPinyin, search } from '../../lib/search.ts';
import { useShortcut } from '../../lib/shortcuts.ts';
import { DropMenu } from '../../ui/drop-menu.tsx';
import type { MeasureKind } from '../../ui/measure-icon.tsx';
import type { Order } from '../folders.ts';
import { idOfRow, listRows } from '../folders.ts';
import type { OwnFolder } from '../own-folders.ts';
import { shown } from '../own-folders.ts';
import type { Selection } from './selection.ts';
import { all, moveBy, NOTHING, pick } from './selection.ts';
import { VariableCard } from './variable-card.tsx';
import styles from './variable-list.module.css';
import { FolderRow, SetRow, VariableRow } from './variable-row.tsx';

const ROW = 30;
const ROW_TOUCH = 44;
const TYPE_AHEAD_MS = 700;

const ORDERS: readonly { key: Order; label: string }[] = [
  { key: 'file', label: '按文件顺序' },
  { key: 'name', label: '按名称' },
  { key: 'kind', label: '按类型' },
];

function useHits(columns: readonly Column[], query: string): readonly Column[] | null {
  const [pinyin, setPinyin] = useState(false);
  useEffect(() => {
    if (query !== '') void loadPinyin().then(() => setPinyin(true));
  }, [query]);
  return useMemo(() => {
    if (query.trim() === '') return null;
    const items = columns.map((column) => ({
      column,
      title: titleOf(column),
      words: [column.name, ...(column.levels ?? []).slice(0, 50).map((level) => level.label ?? '')],
    }));
    return search(query, items, columns.length).map((item) => item.column);
    // Matching changes when the pinyin table arrives, although nothing else does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [columns, query, pinyin]);
}

const NO_FOLDERS: readonly OwnFolder[] = [];
const NONE: readonly string[] = [];

export interface VariableListProps {
  /** The user's own folders; made and filled on the data page. */
  folders?: readonly OwnFolder[];
  /** Variables put out of sight there; a search finds them. */
  hidden?: readonly string[];
  onSelect: (ids: readonly string[]) => void;
  onRetype: (ids: readonly string[], kind: MeasureKind) => void;
  /** Folds the pane away; left out where it always stands. */
  onFold?: () => void;
}

export function VariableList({ folders = NO_FOLDERS, hidden = NONE, onSelect, onRetype, onFold }: VariableListProps) {
  const { columns, sets, known, form, boxes, readOnly } = useForm();
  const { send } = useBoxes();
  const [query, setQuery] = useState('');
  const [order, setOrder] = useState<Order>('file');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const field = useRef<InputRef>(null);
  const list = useRef<HTMLDivElement>(null);
  const ahead = useRef({ text: '', at: 0 });
  // Typing stays ahead of the matching in a list of thousands.
  const every = useMemo(() => [...columns, ...sets], [columns, sets]);
  const hits = useHits(every, useDeferredValue(query));
  const listed = useMemo(() => shown(columns, hidden), [columns, hidden]);
  const rows = useMemo(
    () => listRows({ columns: listed, sets, closed, order, hits, folders }),
    [listed, sets, closed, order, hits, folders],
  );
  const ids = useMemo(() => rows.flatMap((row) => idOfRow(row) ?? []), [rows]);
  const uses = useMemo(() => usesOf(form, boxes), [form, boxes]);
  const height = typeof window !== 'undefined' && window.matchMedia('(pointer: coarse)').matches ? ROW_TOUCH : ROW;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => height,
    overscan: 12,
    initialRect: { width: 256, height: 600 },
  });

  useShortcut('/', () => field.current?.focus());
  const choose = (next: Selection): void => {
    setSelection(next);
    onSelect(next.ids);
    const at = rows.findIndex((row) => idOfRow(row) === next.focus);
    if (at >= 0) virtual.scrollToIndex(at);
  };
  const toggle = (key: string): void => {
    const next = new Set(closed);
    if (!next.delete(key)) next.add(key);
    setClosed(next);
  };

  const typeAhead = (letter: string): void => {
    const now = performance.now();
    const text = now - ahead.current.at < TYPE_AHEAD_MS ? ahead.current.text + letter : letter;
    ahead.current = { text, at: now };
    void loadPinyin().then(() => {
      const items = ids.map((id) => ({ id, title: titleOf(known.get(id) ?? { name: '', label: null, unit: null }) }));
      const [first] = search(text, items, 1);
      if (first !== undefined) choose(pick(selection, ids, first.id, 'only'));
    });
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const chosen = selection.ids.length > 0 ? selection.ids : selection.focus === null ? [] : [selection.focus];
    const control = event.ctrlKey || event.metaKey;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && !event.altKey) choose(moveBy(selection, ids, step, event.shiftKey));
    else if (event.key === 'Home') choose(moveBy(selection, ids, -ids.length, event.shiftKey));
    else if (event.key === 'End') choose(moveBy(selection, ids, ids.length, event.shiftKey));
    else if (control && event.key.toLowerCase() === 'a') choose(all(ids));
    // Ctrl+Enter runs, wherever the focus stands.
    else if (event.key === 'Enter' && !control) send(chosen);
    else if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && selection.focus !== null) {
      const head = rows.find((row) => row.is === 'folder' && row.set === selection.focus);
      if (head?.is !== 'folder' || head.open === (event.key === 'ArrowRight')) return;
      toggle(head.key);
    } else if (/^[1-9]$/u.test(event.key) && !control && !event.altKey) {
      const box = boxes[Number(event.key) - 1];
      if (box === undefined) return;
      send(chosen, box);
    } else if (event.key === 'Escape') choose({ ...selection, ids: [] });
    else if (/^[\p{L}]$/u.test(event.key) && !control && !event.altKey) typeAhead(event.key);
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles['pane']}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>变量</h2>
        <span className={styles['count']}>
          {hits === null ? `${columns.length} 个` : `${hits.length} / ${every.length}`}
          {hits === null && listed.length < columns.length ? `，隐藏 ${columns.length - listed.length} 个` : ''}
        </span>
        <DropMenu
          menu={{
            selectedKeys: [order],
            items: ORDERS.map((one) => ({ ...one })),
            onClick: ({ key }) => setOrder(ORDERS.find((one) => one.key === key)?.key ?? 'file'),
          }}
        >
          <button type="button" className={styles['tool']} aria-label="排列方式">
            <SortAscendingOutlined aria-hidden />
          </button>
        </DropMenu>
        {onFold === undefined ? null : (
          <button type="button" className={styles['tool']} aria-label="收起变量栏" onClick={onFold}>
            <MenuFoldOutlined aria-hidden />
          </button>
        )}
      </div>
      <div className={styles['search']}>
        <Input
          ref={field}
          prefix={<SearchOutlined aria-hidden />}
          suffix={query === '' ? <kbd>/</kbd> : null}
          placeholder="名称、标签、拼音"
          aria-label="搜索变量"
          allowClear
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Escape') setQuery('');
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            event.preventDefault();
            list.current?.focus();
            if (ids[0] !== undefined) choose(pick(selection, ids, ids[0], 'only'));
          }}
        />
      </div>
      <span id="variable-keys" className="hx-hidden">
        方向键选择，回车放入合适的框，数字键放入第几个框
      </span>
      <div
        ref={list}
        className={styles['list']}
        role="tree"
        aria-label="变量"
        aria-multiselectable="true"
        aria-activedescendant={
          selection.focus !== null && ids.includes(selection.focus) ? `var-${selection.focus}` : undefined
        }
        aria-describedby="variable-keys"
        tabIndex={0}
        onKeyDown={keys}
      >
        {rows.length === 0 ? (
          <p className={styles['none']}>
            {hits === null && columns.length > 0 ? '变量都隐藏了，可以搜索' : '没有匹配的变量'}
          </p>
        ) : null}
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const place = { top: item.start, height: item.size };
            const count = { 'aria-setsize': rows.length, 'aria-posinset': item.index + 1 };
            const id = idOfRow(row);
            const entry = {
              place,
              count,
              uses: uses.get(id ?? '') ?? [],
              selected: id !== null && selection.ids.includes(id),
              focused: id !== null && selection.focus === id,
              readOnly,
              onPick: (how: 'only' | 'toggle' | 'range'): void => {
                if (id !== null) choose(pick(selection, ids, id, how));
                list.current?.focus();
              },
              onSend: () => id !== null && send([id]),
            };
            if (row.is === 'folder' && row.set !== null)
              return <SetRow key={row.key} row={row} set={row.set} onToggle={() => toggle(row.key)} {...entry} />;
            return row.is === 'folder' ? (
              <FolderRow key={row.key} row={row} place={place} count={count} onToggle={() => toggle(row.key)} />
            ) : (
              <VariableRow
                key={row.key}
                column={row.column}
                deep={row.deep}
                said={row.said}
                {...entry}
                together={entry.selected ? selection.ids.length : 1}
                onRetype={(kind) =>
                  onRetype(selection.ids.includes(row.column.id) ? selection.ids : [row.column.id], kind)
                }
              />
            );
          })}
        </div>
      </div>
      <VariableCard ids={selection.ids} />
    </div>
  );
}
