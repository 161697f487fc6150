/** All variables of the table, by question where several columns belong to one; found by name, label or pinyin. */
import { DownOutlined, RightOutlined, SearchOutlined } from '@ant-design/icons';
import type { AnswerSet, Column } from '@hengxi/server/files/schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Input } from 'antd';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { type Row, rowsOf } from '../../../fields/folders.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import { useHits } from './use-hits.ts';
import styles from './variable-list.module.css';

const ROW = 30;

interface VariableListProps {
  columns: readonly Column[];
  sets: readonly AnswerSet[];
  selected: string | null;
  onSelect: (column: string) => void;
}

/** The first variable from a place on, in one direction: folders are passed over. */
export function columnFrom(rows: readonly Row[], from: number, step: 1 | -1): Column | null {
  for (let at = from; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (row?.is === 'column') return row.column;
  }
  return null;
}

export function VariableList({ columns, sets, selected, onSelect }: VariableListProps) {
  const [query, setQuery] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const hits = useHits(columns, query);
  const found = useMemo(() => rowsOf(columns, closed, 'file', hits, sets), [columns, sets, closed, hits]);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const at = found.findIndex((row) => row.is === 'column' && row.column.id === selected);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at);
    // Only a new choice scrolls; typing and loading do not.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [at]);

  const toggle = (key: string) =>
    setClosed((old) => {
      const next = new Set(old);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, [number, 1 | -1]> = {
      ArrowDown: [at + 1, 1],
      ArrowUp: [at < 0 ? found.length - 1 : at - 1, -1],
      Home: [0, 1],
      End: [found.length - 1, -1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const next = columnFrom(found, ...step);
    if (next) onSelect(next.id);
  };

  return (
    <aside className={styles['pane']} aria-label="变量">
      <div className={styles['head']}>
        <h2>变量</h2>
        <span>
          {hits === null ? `${formatCount(columns.length)} 个` : `${hits.length} / ${formatCount(columns.length)} 个`}
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
        role="tree"
        tabIndex={0}
        aria-label="变量列表"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        className={styles['list']}
        onKeyDown={onKey}
      >
        <div role="presentation" style={{ position: 'relative', height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const row = found[item.index];
            if (!row) return null;
            const place = { 'aria-setsize': found.length, 'aria-posinset': item.index + 1 };
            return row.is === 'folder' ? (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- keys pass through to the variables
              <div
                key={row.key}
                role="treeitem"
                aria-level={1}
                aria-expanded={row.open}
                aria-selected={false}
                {...place}
                className={styles['folder']}
                style={{ top: item.start }}
                title={row.title}
                onClick={() => toggle(row.key)}
              >
                {row.open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
                {row.isSet ? <MeasureIcon kind="多选题集" /> : null}
                <span>{row.title}</span>
                <small>{row.isSet ? `${row.count} 项` : row.count}</small>
              </div>
            ) : (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the list
              <div
                key={row.key}
                id={`${id}-${item.index}`}
                role="treeitem"
                tabIndex={-1}
                aria-level={row.deep ? 2 : 1}
                aria-selected={row.column.id === selected}
                {...place}
                data-deep={row.deep}
                className={styles['item']}
                style={{ top: item.start }}
                title={row.column.label ? `${row.column.name}　${row.column.label}` : row.column.name}
                onClick={() => onSelect(row.column.id)}
              >
                <MeasureIcon kind={measureKind(row.column)} />
                <span>{titleOf(row.column)}</span>
              </div>
            );
          })}
        </div>
      </div>
      {found.length === 0 ? <p className={styles['none']}>没有叫“{query}”的变量</p> : null}
    </aside>
  );
}
