/** The big field of the index: methods by name, pinyin, initials, English or a question. Arrows walk, Enter chooses, once more starts. */
import type { MethodRow, MethodWords } from '@hengxi/server/analysis/schema';
import { SearchOutlined } from '@ant-design/icons';
import type { KeyboardEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';

import { loadPinyin } from '../../../lib/search.ts';
import { useShortcut } from '../../../lib/shortcuts.ts';
import { findMethods } from './method-ranking.ts';
import type { Missing } from './later.ts';
import { notYet } from './later.ts';
import styles from './method-search.module.css';

export interface MethodSearchProps {
  methods: readonly MethodRow[];
  /** Titles of their options, once they have come. */
  words?: MethodWords | undefined;
  /** The method on the card. */
  chosen: string | null;
  query: string;
  /** Data is chosen: a neighbour opens with it at once. */
  hasData: boolean;
  onQuery: (query: string) => void;
  onChoose: (path: string) => void;
  onStart: (path: string) => void;
}

export function MethodSearch({
  methods,
  words,
  chosen,
  query,
  hasData,
  onQuery,
  onChoose,
  onStart,
}: MethodSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState(0);
  const [pinyin, setPinyin] = useState(false);
  useEffect(() => {
    if (query !== '') void loadPinyin().then(() => setPinyin(true));
  }, [query]);
  const hits = useMemo(
    () => (query.trim() === '' ? [] : findMethods(query, methods, words).slice(0, 8)),
    // Matching changes when the pinyin table arrives, although nothing else does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [query, methods, words, pinyin],
  );
  const missing = notYet(query, methods);
  useShortcut('/', () => field.current?.focus());
  const active = hits[Math.min(at, hits.length - 1)];

  const keys = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') onQuery('');
    else if (step !== 0 && hits.length > 0) setAt((Math.min(at, hits.length - 1) + step + hits.length) % hits.length);
    else if (event.key === 'Enter' && active !== undefined) {
      if (event.ctrlKey || active.algo_code === chosen) onStart(active.algo_code);
      else onChoose(active.algo_code);
    } else return;
    event.preventDefault();
  };

  return (
    <div className={styles['search']}>
      <div className={styles['field']}>
        <SearchOutlined aria-hidden />
        <input
          ref={field}
          role="combobox"
          aria-label="搜索方法"
          aria-expanded={hits.length > 0}
          aria-controls="method-hits"
          aria-activedescendant={active === undefined ? undefined : `hit-${active.algo_code}`}
          aria-autocomplete="list"
          placeholder="想做什么？试试“比较两组差异”“dlyb”或“ANOVA”"
          value={query}
          onChange={(event) => {
            setAt(0);
            onQuery(event.target.value);
          }}
          onKeyDown={keys}
        />
        <kbd>/</kbd>
      </div>
      {query.trim() === '' ? null : (
        <div className={styles['hits']}>
          <div id="method-hits" role="listbox" aria-label="找到的方法">
            {hits.map((method) => (
              // The field holds the focus; keys reach the list there.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={method.algo_code}
                id={`hit-${method.algo_code}`}
                role="option"
                aria-selected={method === active}
                className={styles['hit']}
                onClick={() => onChoose(method.algo_code)}
                onDoubleClick={() => onStart(method.algo_code)}
              >
                <strong>{method.title}</strong>
                <span>{method.purpose}</span>
              </div>
            ))}
          </div>
          {missing === null ? null : (
            <Neighbours
              missing={missing}
              shown={hits}
              hasData={hasData}
              onPick={({ algo_code: path }) => (hasData ? onStart(path) : onChoose(path))}
            />
          )}
          {hits.length === 0 && missing === null ? (
            <p className={styles['none']}>没有找到“{query}”。换个说法，或在左侧按类别找。有的方法还没有上线。</p>
          ) : null}
        </div>
      )}
    </div>
  );
}

interface NeighboursProps {
  missing: Missing;
  /** Hits above: those need no second mention. */
  shown: readonly MethodRow[];
  hasData: boolean;
  onPick: (method: MethodRow) => void;
}

/** That the method asked for is not there, and the nearest that are. */
function Neighbours({ missing, shown, hasData, onPick }: NeighboursProps) {
  const near = missing.near.filter((method) => !shown.includes(method));
  return (
    <>
      <p className={styles['none']}>{missing.text}</p>
      {near.length === 0 ? null : (
        <section aria-label="相近的方法">
          <h2 className={styles['near']}>{hasData ? '相近的方法（用当前数据打开）' : '相近的方法'}</h2>
          {near.map((method) => (
            <button key={method.algo_code} type="button" className={styles['hit']} onClick={() => onPick(method)}>
              <strong>{method.title}</strong>
              <span>{method.purpose}</span>
            </button>
          ))}
        </section>
      )}
    </>
  );
}
