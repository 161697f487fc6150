/** /analysis/index: four doors to a method on one screen — search, what one wants, the variables at hand, the tree. */
import { QuestionCircleOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { byId, titleOf } from '../../fields/column.ts';
import { conditionWords } from '../../fields/condition/words.ts';
import { findableFilesQuery, methodsQuery, versionQuery } from '../../lib/catalogue.ts';
import { queryClient } from '../../lib/query-client.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { DataStatus } from './data-status.tsx';
import { ChooseData } from './index/choose-data.tsx';
import { HelpMeChoose } from './index/help-me-choose.tsx';
import { MethodCard } from './index/method-card.tsx';
import { MethodSearch } from './index/method-search.tsx';
import { MethodTree } from './index/method-tree.tsx';
import { Recommend } from './index/recommend.tsx';
import { unsuited } from './index/suits.ts';
import type { Task } from './index/tasks.tsx';
import { TASKS } from './index/tasks.tsx';
import styles from './index-page.module.css';
import { readCurrentVid, readRecent, useFavourites, writeCurrentVid } from './local.ts';
import { NarrowNotice, useNarrow } from './narrow-notice.tsx';
import { activate, activateFilter, makeExample } from './queries.ts';

/** Processing methods have their own page. */
const ANALYSIS = 1;

/** The version worked with: named in the address, else the last one, else the newest file. */
function useCurrent() {
  const [params, setParams] = useSearchParams();
  const [stored] = useState(readCurrentVid);
  const files = useQuery(findableFilesQuery);
  const asked = Number(params.get('vid') ?? '');
  const newest = files.data?.list[0]?.vid ?? null;
  const vid = asked > 0 ? asked : (stored ?? newest);
  const version = useQuery({ ...versionQuery(vid ?? 0), enabled: vid !== null });
  useEffect(() => {
    // A version that is gone is forgotten; the page goes on with the newest file.
    if (version.isError) writeCurrentVid(null);
    else if (version.data !== undefined) writeCurrentVid(version.data.vid);
  }, [version.isError, version.data]);
  const choose = (next: number): void => {
    writeCurrentVid(next);
    setParams({ vid: String(next) });
  };
  return {
    version: vid === null || version.isError ? null : (version.data ?? null),
    waiting: vid === null ? files.isPending : version.isPending,
    choose,
    params,
    setParams,
  };
}

export function AnalysisIndexPage() {
  const navigate = useNavigate();
  const narrow = useNarrow();
  const { version, waiting, choose, params, setParams } = useCurrent();
  const all = useQuery(methodsQuery);
  const methods = useMemo(() => (all.data ?? []).filter((method) => method.algo_type === ANALYSIS), [all.data]);
  const [query, setQuery] = useState('');
  const [task, setTask] = useState<Task | null>(null);
  const [asking, setAsking] = useState(false);
  const favourites = useFavourites((state) => state.paths);
  const [recent] = useState(readRecent);

  const columns = version?.columns ?? null;
  const known = useMemo(() => byId(columns ?? []), [columns]);
  const ids = (params.get('columns') ?? '').split(',').filter((id) => known.has(id));
  const picked = ids.map((id) => known.get(id)).filter((column) => column !== undefined);
  const chosenPath =
    params.get('method') ??
    recent.find((path) => methods.some((one) => one.algo_code === path)) ??
    methods[0]?.algo_code ??
    null;
  const chosen = methods.find((method) => method.algo_code === chosenPath) ?? null;
  const suiting = columns === null ? [] : methods.filter((method) => unsuited(method, columns) === null);

  const set = (changes: Record<string, string>): void => {
    const next = new URLSearchParams(params);
    for (const [key, value] of Object.entries(changes)) {
      if (value === '') next.delete(key);
      else next.set(key, value);
    }
    setParams(next, { replace: true });
  };
  const chooseMethod = (path: string): void => set({ method: path });
  const start = (path: string, with_: readonly string[] = ids): void => {
    if (version === null) return;
    const more = with_.length > 0 ? `&columns=${with_.join(',')}` : '';
    void navigate(`/analysis/operation/${version.vid}?method=${path}${more}`);
  };
  const example = async (path: string): Promise<void> => {
    const made = await makeExample(path);
    void queryClient.invalidateQueries({ queryKey: ['files'] });
    await navigate(`/analysis/operation/${made.vid}?method=${path}`);
  };
  const refresh = (): void => void queryClient.invalidateQueries({ queryKey: ['version', version?.vid] });
  const clear = (what: 'filter' | 'weight' | 'split'): void => {
    if (version === null) return;
    const done = what === 'filter' ? activateFilter(version.vid, '') : activate(version.vid, { [what]: null });
    void done.then(refresh, () => undefined);
  };

  if (narrow) return <NarrowNotice report={null} />;
  const tasks = TASKS.filter((one) => methods.some((method) => one.families.includes(method.family)));
  const named = (id: string): string => {
    const column = known.get(id);
    return column === undefined ? id : titleOf(column);
  };
  const active = version?.active ?? null;
  return (
    <div className={styles['page']}>
      <DataStatus
        data={{ version, onFile: choose, onVersion: choose }}
        inForce={{
          filter:
            active?.filter == null || version === null
              ? null
              : {
                  text: conditionWords(active.filter.condition, known),
                  counted: { count: active.filter.filter_count, rows: version.rows },
                },
          weight: active?.weight == null ? null : named(active.weight.column),
          split: active?.split == null ? null : named(active.split.column),
        }}
        onFilter={() => version !== null && void navigate(`/mydata/detail/${version.vid}`)}
        onClear={clear}
      />
      <div className={styles['body']}>
        <MethodTree
          methods={methods}
          favourites={favourites}
          recent={recent}
          chosen={chosenPath}
          columns={columns}
          open={task?.families ?? []}
          onChoose={chooseMethod}
          onStart={start}
        />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
        <div className={styles['centre']} tabIndex={0} role="region" aria-label="选择方法">
          <h1 className="hx-hidden">数据分析：选择方法</h1>
          <MethodSearch methods={methods} query={query} onQuery={setQuery} onChoose={chooseMethod} onStart={start} />
          {query.trim() !== '' ? null : (
            <>
              <h2 className={styles['title']}>我想…</h2>
              <div className={styles['tasks']}>
                {tasks.map((one) => (
                  <button
                    key={one.key}
                    type="button"
                    className={styles['task']}
                    aria-pressed={task === one}
                    onClick={() => setTask(task === one ? null : one)}
                  >
                    {one.icon}
                    <span>
                      <strong>{one.title}</strong>
                      <small>{one.hint}</small>
                    </span>
                  </button>
                ))}
                <button
                  type="button"
                  className={`${styles['task'] ?? ''} ${styles['ask'] ?? ''}`}
                  disabled={version === null}
                  onClick={() => setAsking(true)}
                >
                  <QuestionCircleOutlined aria-hidden />
                  <span>
                    <strong>帮我选</strong>
                    <small>{version === null ? '先选一份数据' : '回答至多 4 个问题'}</small>
                  </span>
                </button>
              </div>
              {task === null ? null : (
                <div className={styles['members']} role="group" aria-label={task.title}>
                  {methods
                    .filter((method) => task.families.includes(method.family))
                    .map((method) => (
                      <button
                        key={method.algo_code}
                        type="button"
                        className={styles['chip']}
                        onClick={() => chooseMethod(method.algo_code)}
                      >
                        {method.title}
                      </button>
                    ))}
                </div>
              )}
              {version !== null ? (
                <Recommend
                  vid={version.vid}
                  columns={version.columns}
                  picked={picked}
                  methods={methods}
                  suiting={suiting}
                  chosen={chosenPath}
                  onPick={(next) => set({ columns: next.join(',') })}
                  onChoose={chooseMethod}
                  onStart={start}
                />
              ) : waiting ? (
                <ListSkeleton rows={3} />
              ) : (
                <ChooseData
                  onChoose={choose}
                  onExample={chosen === null ? null : () => void example(chosen.algo_code)}
                />
              )}
              {recent.length === 0 ? null : (
                <section className={styles['recent']} aria-label="最近用过">
                  <h2>最近用过</h2>
                  {recent
                    .map((path) => methods.find((method) => method.algo_code === path))
                    .filter((method) => method !== undefined)
                    .map((method) => (
                      <button
                        key={method.algo_code}
                        type="button"
                        className={styles['chip']}
                        onClick={() => start(method.algo_code, [])}
                      >
                        {method.title}
                      </button>
                    ))}
                </section>
              )}
            </>
          )}
        </div>
        {chosen === null ? (
          <aside className={styles['none']}>{all.isPending ? '' : '还没有可用的方法'}</aside>
        ) : (
          <MethodCard
            method={chosen}
            columns={columns}
            picked={picked}
            onStart={() => start(chosen.algo_code)}
            onExample={() => example(chosen.algo_code)}
          />
        )}
      </div>
      {asking && version !== null ? (
        <HelpMeChoose
          vid={version.vid}
          columns={version.columns}
          methods={methods}
          onUse={(path, with_) => start(path, with_)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}
