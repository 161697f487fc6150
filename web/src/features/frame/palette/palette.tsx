/** Ctrl+K: one field for methods, variables, files, reports, help and places. */
import { SearchOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Modal } from 'antd';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { findableFilesQuery, findableReportsQuery, methodsQuery, versionQuery } from '../../../lib/catalogue.ts';
import { prompts } from '../../../lib/prompts.ts';
import { loadPinyin, search } from '../../../lib/search.ts';
import { useFocusBack } from '../../../ui/focus-back.ts';
import {
  columnEntries,
  type Entry,
  fileEntries,
  helpEntries,
  methodEntries,
  PLACES,
  reportEntries,
  SECTIONS,
  vidOf,
} from './entries.ts';
import styles from './palette.module.css';

const PER_SECTION = 6;
/** Before anything is typed, help pages would only repeat the methods. */
const UNASKED: readonly Entry['section'][] = ['数据', '报告', '操作'];

function useEntries(): Entry[] {
  const vid = vidOf(useLocation().pathname);
  const methods = useQuery(methodsQuery);
  const files = useQuery(findableFilesQuery);
  const reports = useQuery(findableReportsQuery);
  const version = useQuery({ ...versionQuery(vid ?? 0), enabled: vid !== null });
  return useMemo(
    () => [
      ...methodEntries(methods.data ?? [], vid),
      ...(vid === null ? [] : columnEntries(version.data?.columns ?? [], vid)),
      ...fileEntries(files.data?.list ?? []),
      ...reportEntries(reports.data ?? []),
      ...helpEntries(methods.data ?? []),
      ...PLACES,
    ],
    [methods.data, files.data, reports.data, version.data, vid],
  );
}

function useHits(query: string): Entry[] {
  const entries = useEntries();
  const [pinyin, setPinyin] = useState(false);
  useEffect(() => {
    void loadPinyin().then(() => setPinyin(true));
  }, []);
  return useMemo(() => {
    const asked = query.trim() !== '';
    return SECTIONS.filter((section) => asked || UNASKED.includes(section)).flatMap((section) =>
      search(
        query,
        entries.filter((entry) => entry.section === section),
        PER_SECTION,
      ),
    );
    // Matching changes when the pinyin table arrives, although nothing else does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [query, entries, pinyin]);
}

export function Palette() {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const hits = useHits(query);
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const active = Math.min(at, hits.length - 1);
  useFocusBack(true);

  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    prompts.closePalette();
    void navigate(entry.to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && hits.length > 0) {
      event.preventDefault();
      setAt((active + step + hits.length) % hits.length);
    }
    if (event.key === 'Enter') open(hits[active]);
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, hits]);

  return (
    <Modal
      open
      title={<span className="hx-hidden">命令面板</span>}
      closable={false}
      footer={null}
      width={600}
      onCancel={prompts.closePalette}
      mask={{ blur: false }}
      style={{ top: 88 }}
      styles={{ container: { padding: 0 }, header: { margin: 0 } }}
    >
      <div className={styles['field']}>
        <SearchOutlined aria-hidden />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the palette is opened to type
          autoFocus
          role="combobox"
          aria-label="搜索方法、变量、数据、报告、帮助"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={hits[active] ? `palette-${active}` : undefined}
          aria-autocomplete="list"
          placeholder="搜索方法、变量、数据、报告、帮助；拼音首字母也行，如 dlyb"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </div>
      <div className={styles['list']} id="palette-list" role="listbox" aria-label="找到的内容" ref={list}>
        {hits.map((entry, index) => (
          <div key={entry.id} role="presentation">
            {entry.section !== hits[index - 1]?.section ? (
              <div className={styles['section']} role="presentation">
                {entry.section}
              </div>
            ) : null}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled at the field, where the focus stays */}
            <div
              id={`palette-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles['hit']}
              onMouseMove={() => setAt(index)}
              onClick={() => open(entry)}
            >
              <span className={styles['title']}>{entry.title}</span>
              <span className={styles['note']}>{entry.note}</span>
            </div>
          </div>
        ))}
      </div>
      {hits.length === 0 ? <p className={styles['none']}>没有找到“{query}”。试试换个说法，或输入拼音首字母。</p> : null}
      <p className="hx-hidden" role="status">
        {hits.length} 条结果
      </p>
    </Modal>
  );
}
