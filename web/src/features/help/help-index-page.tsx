/** /help/: every method by family, found by name, English, or pinyin. */
import { SearchOutlined } from '@ant-design/icons';
import type { HelpList } from '@hengxi/server/help/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { loadPinyin, search } from '../../lib/search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './help-index-page.module.css';
import { helpListQuery } from './queries.ts';

type Entry = HelpList['list'][number];

function useMethodSearch(methods: readonly Entry[], query: string): Entry[] {
  const [pinyin, setPinyin] = useState(false);
  const asked = query.trim() !== '';
  useEffect(() => {
    if (asked) void loadPinyin().then(() => setPinyin(true));
  }, [asked]);
  return useMemo(() => {
    const items = methods.map((method) => ({
      title: method.title,
      words: [method.title_en, method.family, method.purpose],
      aliases: method.aliases,
      method,
    }));
    return search(query, items, items.length).map((item) => item.method);
    // More is found once the pinyin table is there.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [methods, query, pinyin]);
}

export function HelpIndexPage() {
  const methods = useQuery(helpListQuery);
  const [query, setQuery] = useState('');
  const matches = useMethodSearch(methods.data?.list ?? [], query);
  const families = [...new Set(matches.map((method) => method.family))];
  return (
    <div className={styles['page']}>
      <h1>帮助中心</h1>
      <p className={styles['lead']}>每个方法一页：用途、数据要求、操作、结果怎么读、公式和出处。</p>
      <Input
        allowClear
        size="large"
        className={styles['search']}
        prefix={<SearchOutlined aria-hidden />}
        placeholder="搜索方法，拼音首字母也行"
        aria-label="搜索帮助"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p className="hx-hidden" role="status">
        {methods.data ? `${matches.length} 个方法` : ''}
      </p>
      {methods.isPending ? <ListSkeleton /> : null}
      {methods.isLoadingError ? (
        <EmptyState
          title="目录没有加载出来"
          hint={errorText(methods.error)}
          actions={<Button onClick={() => void methods.refetch()}>重试</Button>}
        />
      ) : null}
      {methods.isSuccess && matches.length === 0 ? (
        <EmptyState title={`没有找到“${query}”`} hint="试试换个说法，或清空搜索看全部方法。" />
      ) : null}
      {families.map((family) => (
        <section key={family} className={styles['family']} aria-label={family}>
          <h2>{family}</h2>
          <ul>
            {matches
              .filter((method) => method.family === family)
              .map((method) => (
                <li key={method.slug}>
                  <Link to={`/help/${method.slug}/`}>{method.title}</Link>
                  <span>{method.purpose}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
