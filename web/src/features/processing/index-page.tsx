/** /dataprocessing/index: the data to be processed, and the methods as cards with a search. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import type { FileRow } from '@hengxi/server/files/schema';
import { SearchOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import type { InputRef } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { findableFilesQuery, methodsQuery } from '../../lib/catalogue.ts';
import { loadPinyin, search } from '../../lib/search.ts';
import { useShortcut } from '../../lib/shortcuts.ts';
import { useCurrent } from '../../lib/use-current.ts';
import { usePhone } from '../../lib/use-media.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { disposeUrl } from './dispose/dispose.tsx';
import styles from './index-page.module.css';
import { NarrowNotice } from './narrow.tsx';

const PROCESSING = 2;

/** Under the sub-headings of the menu; what was looked for is one list, the best first. */
export function sectionsOf(
  methods: readonly MethodRow[],
  searched: boolean,
): readonly (readonly [string | null, readonly MethodRow[]])[] {
  if (searched) return [[null, methods]];
  const found = new Map<string, MethodRow[]>();
  for (const method of methods) {
    const section = method.section ?? '其他';
    found.set(section, [...(found.get(section) ?? []), method]);
  }
  return [...found];
}

function useHits(methods: readonly MethodRow[], query: string): readonly MethodRow[] {
  const [pinyin, setPinyin] = useState(false);
  useEffect(() => {
    if (query !== '') void loadPinyin().then(() => setPinyin(true));
  }, [query]);
  return useMemo(() => {
    if (query.trim() === '') return methods;
    const items = methods.map((method) => ({
      method,
      title: method.title,
      words: [method.title_en, method.purpose, method.family],
      aliases: method.aliases,
    }));
    return search(query, items, methods.length).map((item) => item.method);
    // Matching changes when the pinyin table arrives, although nothing else does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [methods, query, pinyin]);
}

export function ProcessingIndexPage() {
  const isPhone = usePhone();
  const navigate = useNavigate();
  const { version, params, choose } = useCurrent();
  const [query, setQuery] = useState('');
  const field = useRef<InputRef>(null);
  useShortcut('/', () => field.current?.focus());
  const files = useQuery(findableFilesQuery);
  const all = useQuery(methodsQuery);
  const methods = useMemo(() => (all.data ?? []).filter((method) => method.algo_type === PROCESSING), [all.data]);
  const hits = useHits(methods, query);
  const list = files.data?.list ?? [];
  if (isPhone) return <NarrowNotice />;
  const columns = params.get('columns');
  const start = (path: string): void => {
    if (version === null) return;
    void navigate(disposeUrl(version.vid, path) + (columns === null ? '' : `&columns=${encodeURIComponent(columns)}`));
  };
  const waiting = files.isPending || all.isPending;
  return (
    <div className={styles['page']}>
      <PageTitle title="数据处理" />
      {waiting ? <ListSkeleton rows={4} /> : null}
      {!waiting && list.length === 0 ? (
        <EmptyState
          art
          title="还没有数据"
          hint="先上传一份数据，再来编码、分组、计算和筛选。"
          actions={<Button onClick={() => void navigate('/mydata/index')}>上传数据</Button>}
        />
      ) : null}
      {!waiting && list.length > 0 ? (
        <>
          <div className={styles['bar']}>
            <FileSelect files={list} fid={version?.fid ?? null} onChoose={(file) => choose(file.vid)} />
            <Input
              ref={field}
              className={styles['search'] ?? ''}
              prefix={<SearchOutlined aria-hidden />}
              suffix={query === '' ? <kbd>/</kbd> : null}
              placeholder="搜索方法，如“反向计分”“分组”"
              aria-label="搜索方法"
              allowClear
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onPressEnter={() => hits[0] !== undefined && start(hits[0].algo_code)}
            />
          </div>
          <p className={styles['note']}>每次处理存为新版本，原数据不变；步骤可以改名、停用、调整次序，随时撤销。</p>
          {hits.length === 0 ? <p className={styles['note']}>没有找到“{query}”。</p> : null}
          {sectionsOf(hits, query.trim() !== '').map(([section, members]) => (
            <section key={section ?? ''} className={styles['section']}>
              {section === null ? null : <h2>{section}</h2>}
              <Cards methods={members} onStart={start} />
            </section>
          ))}
        </>
      ) : null}
    </div>
  );
}

interface CardsProps {
  methods: readonly MethodRow[];
  onStart: (path: string) => void;
}

function Cards({ methods, onStart }: CardsProps) {
  return (
    <ul className={styles['cards']}>
      {methods.map((method) => (
        <li key={method.algo_code}>
          <button type="button" className={styles['card']} onClick={() => onStart(method.algo_code)}>
            <strong>{method.title}</strong>
            <span>{method.purpose}</span>
          </button>
          <Link to={`/help/${method.slug}/`} className={styles['help']}>
            帮助
            <span className="hx-hidden">：{method.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface FileSelectProps {
  files: readonly FileRow[];
  fid: number | null;
  onChoose: (file: FileRow) => void;
}

function FileSelect({ files, fid, onChoose }: FileSelectProps) {
  return (
    <Select
      className={styles['file'] ?? ''}
      aria-label="选择数据"
      placeholder="选择数据"
      showSearch={{ optionFilterProp: 'label' }}
      value={fid}
      onChange={(chosen) => {
        const file = files.find((one) => one.fid === chosen);
        if (file !== undefined) onChoose(file);
      }}
      options={files.map((file) => ({ value: file.fid, label: file.name }))}
    />
  );
}
