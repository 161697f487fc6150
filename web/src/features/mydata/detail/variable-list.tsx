/** All variables of the table: found by name, label or pinyin; choosing one shows its column and its card. */
import { SearchOutlined } from '@ant-design/icons';
import type { Column } from '@hengxi/server/files/schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Input } from 'antd';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { loadPinyin, score } from '../../../lib/search.ts';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import styles from './variable-list.module.css';

const ROW = 30;

function useFound(columns: readonly Column[], query: string): readonly Column[] {
  const [pinyin, setPinyin] = useState(false);
  const asked = query.trim() !== '';
  useEffect(() => {
    if (asked) void loadPinyin().then(() => setPinyin(true));
  }, [asked]);
  return useMemo(() => {
    if (!asked) return columns;
    // The order of the file is kept: this narrows the list, it does not rank it.
    return columns.filter((column) => score(query, { title: titleOf(column), words: [column.name] }) > 0);
    // More matches once the pinyin table is there, although nothing else changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [columns, query, asked, pinyin]);
}

interface VariableListProps {
  columns: readonly Column[];
  selected: string | null;
  onSelect: (column: string) => void;
}

export function VariableList({ columns, selected, onSelect }: VariableListProps) {
  const [query, setQuery] = useState('');
  const found = useFound(columns, query);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const at = found.findIndex((column) => column.id === selected);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at);
    // Only a new choice scrolls; typing and loading do not.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [at]);

  const onKey = (event: KeyboardEvent) => {
    const to: Record<string, number> = {
      ArrowDown: Math.min(found.length - 1, at + 1),
      ArrowUp: Math.max(0, at - 1),
      Home: 0,
      End: found.length - 1,
    };
    const next = found[to[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
  };

  return (
    <aside className={styles['pane']} aria-label="变量">
      <div className={styles['head']}>
        <h2>变量</h2>
        <span>
          {found.length === columns.length ? `${columns.length} 个` : `${found.length} / ${columns.length} 个`}
        </span>
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
      <div
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-label="变量列表"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        className={styles['list']}
        onKeyDown={onKey}
      >
        <div role="presentation" style={{ position: 'relative', height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const column = found[item.index];
            if (!column) return null;
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the list
              <div
                key={column.id}
                id={`${id}-${item.index}`}
                role="option"
                tabIndex={-1}
                aria-selected={column.id === selected}
                aria-setsize={found.length}
                aria-posinset={item.index + 1}
                className={styles['item']}
                style={{ top: item.start }}
                title={column.label ? `${column.name}　${column.label}` : column.name}
                onClick={() => onSelect(column.id)}
              >
                <MeasureIcon kind={measureKind(column)} />
                <span>{titleOf(column)}</span>
              </div>
            );
          })}
        </div>
      </div>
      {found.length === 0 ? <p className={styles['none']}>没有叫“{query}”的变量</p> : null}
    </aside>
  );
}
