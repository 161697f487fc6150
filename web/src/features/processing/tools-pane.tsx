/** The tools of data processing in families, found by name, pinyin, initials and other names; arrows walk, Enter opens. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import { SearchOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Input } from 'antd';
import type { InputRef } from 'antd';
import type { KeyboardEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';

import { methodsQuery } from '../../lib/catalogue.ts';
import { loadPinyin, search } from '../../lib/search.ts';
import { useShortcut } from '../../lib/shortcuts.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './tools-pane.module.css';

const PROCESSING = 2;

/** Under the sub-headings of the menu; what was looked for is one list, the best first. */
export function sectionsOf(
  methods: readonly MethodRow[],
  searched: boolean,
): readonly (readonly [string | null, readonly MethodRow[]])[] {
  if (searched) return [[null, methods]];
  const sections = new Map<string, MethodRow[]>();
  for (const method of methods) {
    const section = method.section ?? '其他';
    sections.set(section, [...(sections.get(section) ?? []), method]);
  }
  return [...sections];
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

/** The focus goes to the next tool, to the one before, and from the first back into the field. */
function walk(pane: HTMLElement | null, by: 1 | -1, field: InputRef | null): void {
  const tools = [...(pane?.querySelectorAll<HTMLButtonElement>('[data-tool]') ?? [])];
  const at = tools.findIndex((tool) => tool === document.activeElement) + by;
  if (at < 0) field?.focus();
  else tools[Math.min(at, tools.length - 1)]?.focus();
}

interface ToolsPaneProps {
  /** The tool that is open. */
  path: string | null;
  /** There is room to say what each does. */
  roomy: boolean;
  onStart: (path: string) => void;
}

export function ToolsPane({ path, roomy, onStart }: ToolsPaneProps) {
  const [query, setQuery] = useState('');
  const field = useRef<InputRef>(null);
  const pane = useRef<HTMLElement>(null);
  const all = useQuery(methodsQuery);
  const methods = useMemo(() => (all.data ?? []).filter((method) => method.algo_type === PROCESSING), [all.data]);
  const hits = useHits(methods, query);
  // Where variables stand beside the tools, the sign belongs to their list.
  useShortcut('/', () => field.current?.focus(), path === null);
  const isLoaded = methods.length > 0;
  useEffect(() => {
    pane.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
  }, [path, isLoaded]);
  const keys = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    walk(pane.current, event.key === 'ArrowDown' ? 1 : -1, field.current);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows of the field and of the tools
    <nav ref={pane} className={styles['pane']} aria-label="工具" data-roomy={roomy ? '' : undefined} onKeyDown={keys}>
      <div className={styles['search']}>
        <Input
          ref={field}
          prefix={<SearchOutlined aria-hidden />}
          suffix={query === '' && roomy ? <kbd>/</kbd> : null}
          placeholder={roomy ? '名称、拼音、用途' : '搜索工具'}
          title={roomy ? undefined : '名称、拼音、用途（Alt T）'}
          aria-label="搜索工具"
          allowClear
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
          onPressEnter={() => hits[0] !== undefined && onStart(hits[0].algo_code)}
        />
      </div>
      <div className={styles['scroll']}>
        {all.isPending ? <ListSkeleton rows={6} /> : null}
        {isLoaded && hits.length === 0 ? <p className={styles['none']}>没有找到“{query}”，换个说法试试。</p> : null}
        {sectionsOf(hits, query.trim() !== '').map(([section, members]) => (
          <Family key={section ?? ''} section={section} members={members} path={path} roomy={roomy} onStart={onStart} />
        ))}
      </div>
    </nav>
  );
}

interface FamilyProps extends ToolsPaneProps {
  section: string | null;
  members: readonly MethodRow[];
}

function Family({ section, members, path, roomy, onStart }: FamilyProps) {
  return (
    <section aria-label={section ?? '找到的工具'}>
      {section === null ? null : (
        <h2>
          {section} <span>{members.length}</span>
        </h2>
      )}
      <ul>
        {members.map((method) => (
          <li key={method.algo_code}>
            <button
              type="button"
              className={styles['tool']}
              data-tool
              aria-current={method.algo_code === path ? 'true' : undefined}
              title={roomy ? undefined : method.purpose}
              onClick={() => onStart(method.algo_code)}
            >
              <strong>{method.title}</strong>
              {method.tier === 'member' ? <em>会员</em> : null}
              {roomy ? <span>{method.purpose}</span> : null}
            </button>
            {roomy ? (
              <Link to={`/help/${method.slug}/`} className={styles['help']}>
                帮助
                <span className="hx-hidden">：{method.title}</span>
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
