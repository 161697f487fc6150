/** /analysis/index: four doors to a method on one screen — search, what one wants, the variables at hand, the tree. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import { byId, titleOf } from '../../fields/column.ts';
import { conditionWords } from '../../fields/condition/words.ts';
import { methodsQuery, methodWordsQuery, NO_VID } from '../../lib/catalogue.ts';
import { queryClient } from '../../lib/query-client.ts';
import type { Current } from '../../lib/use-current.ts';
import { useCurrent } from '../../lib/use-current.ts';
import { usePhone } from '../../lib/use-media.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import type { InForce } from './data-status.tsx';
import { DataStatus } from './data-status.tsx';
import { ChooseData } from './index/choose-data.tsx';
import { HelpMeChoose } from './index/help-me-choose.tsx';
import { MethodCard } from './index/method-card.tsx';
import { MethodSearch } from './index/method-search.tsx';
import { MethodTree } from './index/method-tree.tsx';
import { Recommend } from './index/recommend.tsx';
import { unsuited } from './index/suitability.ts';
import { RecentMethods, TaskGrid } from './index/task-grid.tsx';
import type { Task } from './index/tasks.tsx';
import styles from './index-page.module.css';
import { readRecent, useFavourites } from './local.ts';
import { NarrowNotice } from './narrow-notice.tsx';
import { activate, activateFilter, exampleForm, makeExample, recommendQuery } from './queries.ts';

/** Processing methods have their own page. */
const ANALYSIS = 1;

/** What is active on the version, in words. */
function inForceOf({ version }: Current): InForce {
  if (version === null) return { filter: null, weight: null, split: null };
  const { active, columns, rows } = version;
  const known = byId(columns);
  const named = (id: string | undefined): string | null => {
    const column = known.get(id ?? '');
    return column === undefined ? (id ?? null) : titleOf(column);
  };
  return {
    filter:
      active.filter === null
        ? null
        : {
            text: conditionWords(active.filter.condition, known),
            counted: { count: active.filter.filter_count, rows },
          },
    weight: named(active.weight?.column),
    split: named(active.split?.column),
  };
}

/** The methods, the one on the card, the variables chosen, and the ways on from here. */
function useChoice({ version, params, set }: Current) {
  const navigate = useNavigate();
  const all = useQuery(methodsQuery);
  const methods = useMemo(() => (all.data ?? []).filter((method) => method.algo_type === ANALYSIS), [all.data]);
  const [recent] = useState(readRecent);
  const columns = version?.columns ?? null;
  const known = useMemo(() => byId(columns ?? []), [columns]);
  const picked = (params.get('columns') ?? '')
    .split(',')
    .map((id) => known.get(id))
    .filter((column) => column !== undefined);
  // Until one is chosen the card shows what suits the variables best, then what was used last.
  const suggested = useQuery(
    recommendQuery(
      version?.vid ?? 0,
      picked.map((column) => column.id),
    ),
  ).data?.find((one) => methods.some((method) => method.algo_code === one.path))?.path;
  const lately = recent.find((path) => methods.some((one) => one.algo_code === path));
  const path = params.get('method') ?? suggested ?? lately ?? methods[0]?.algo_code ?? null;
  const rowOf = (method: string) => methods.find((one) => one.algo_code === method);
  const start = (method: string, ids: readonly string[] = picked.map((column) => column.id)): void => {
    const row = rowOf(method);
    if (row?.takes_data === false || (version === null && row?.needs_data === false)) {
      void navigate(`/analysis/operation/${NO_VID}?method=${method}`);
      return;
    }
    if (version === null) return;
    const more = ids.length > 0 ? `&columns=${ids.join(',')}` : '';
    void navigate(`/analysis/operation/${version.vid}?method=${method}${more}`);
  };
  const example = async (method: string): Promise<void> => {
    const row = rowOf(method);
    if (row?.needs_data === false) {
      const { slug } = row;
      const carry = await exampleForm(`/data/${slug}.json`);
      await navigate(`/analysis/operation/${NO_VID}?method=${method}`, { state: { carry } });
      return;
    }
    const made = await makeExample(method);
    void queryClient.invalidateQueries({ queryKey: ['files'] });
    await navigate(`/analysis/operation/${made.vid}?method=${method}`);
  };
  return {
    methods,
    waiting: all.isPending,
    recent,
    columns,
    picked,
    path,
    method: methods.find((one) => one.algo_code === path) ?? null,
    suiting: columns === null ? [] : methods.filter((one) => one.takes_data && unsuited(one, columns) === null),
    choose: (next: string) => set({ method: next }),
    start,
    example,
  };
}

export function AnalysisIndexPage() {
  const navigate = useNavigate();
  const isPhone = usePhone();
  const current = useCurrent();
  const choice = useChoice(current);
  const favourites = useFavourites((state) => state.paths);
  const [query, setQuery] = useState('');
  // Asked for with the first letter typed.
  const words = useQuery({ ...methodWordsQuery, enabled: query !== '' }).data;
  const [task, setTask] = useState<Task | null>(null);
  const [asking, setAsking] = useState(false);
  const { version } = current;
  const { methods, columns, picked, path, method } = choice;

  const clear = (what: 'filter' | 'weight' | 'split'): void => {
    if (version === null) return;
    const done = what === 'filter' ? activateFilter(version.vid, '') : activate(version.vid, { [what]: null });
    void done.then(
      () => queryClient.invalidateQueries({ queryKey: ['version', version.vid] }),
      () => undefined,
    );
  };

  if (isPhone) return <NarrowNotice report={null} />;
  return (
    <div className={styles['page']}>
      <DataStatus
        data={{ version, onFile: current.choose, onVersion: current.choose }}
        inForce={inForceOf(current)}
        onFilter={() => version !== null && void navigate(`/mydata/detail/${version.vid}`)}
        onClear={clear}
      />
      <div className={styles['body']}>
        <MethodTree
          methods={methods}
          favourites={favourites}
          recent={choice.recent}
          chosen={path}
          columns={columns}
          picked={picked}
          open={task?.families ?? []}
          onChoose={choice.choose}
          onStart={choice.start}
        />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
        <div className={styles['centre']} tabIndex={0} role="region" aria-label="选择方法">
          <h1 className="hx-hidden">数据分析：选择方法</h1>
          <MethodSearch
            methods={methods}
            words={words}
            chosen={path}
            query={query}
            hasData={version !== null}
            onQuery={setQuery}
            onChoose={choice.choose}
            onStart={choice.start}
          />
          {query.trim() !== '' ? null : (
            <>
              <TaskGrid
                methods={methods}
                task={task}
                canAsk={version !== null}
                onTask={setTask}
                onAsk={() => setAsking(true)}
                onChoose={choice.choose}
                onSelector={(key) => void navigate(`/analysis/selector/${key}?${current.params.toString()}`)}
              />
              {version !== null ? (
                <Recommend
                  vid={version.vid}
                  columns={version.columns}
                  picked={picked}
                  methods={methods}
                  suiting={choice.suiting}
                  chosen={path}
                  onPick={(ids) => current.set({ columns: ids.join(','), method: '' })}
                  onChoose={choice.choose}
                  onStart={choice.start}
                />
              ) : current.waiting ? (
                <ListSkeleton rows={3} />
              ) : (
                <ChooseData
                  onChoose={current.choose}
                  onExample={method === null ? null : () => void choice.example(method.algo_code)}
                />
              )}
              <RecentMethods recent={choice.recent} methods={methods} onStart={(one) => choice.start(one, [])} />
            </>
          )}
        </div>
        {method === null ? (
          <aside className={styles['none']}>{choice.waiting ? '' : '还没有可用的方法'}</aside>
        ) : (
          <MethodCard
            method={method}
            columns={columns}
            picked={picked}
            methods={methods}
            onChoose={choice.choose}
            onStart={() => choice.start(method.algo_code)}
            onExample={() => choice.example(method.algo_code)}
          />
        )}
      </div>
      {asking && version !== null ? (
        <HelpMeChoose
          vid={version.vid}
          columns={version.columns}
          methods={methods}
          onUse={(one, ids) => choice.start(one, ids)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}
