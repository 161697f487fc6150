/** /analysis/selector/{key}: two questions lead to a method, with the chosen variables already placed. */
import type { MethodRow, Selector } from '@hengxi/server/analysis/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import type { Column } from '../../fields/column.ts';
import { byId, titleOf } from '../../fields/column.ts';
import { methodsQuery, NO_VID } from '../../lib/catalogue.ts';
import { useCurrent } from '../../lib/use-current.ts';
import { usePhone } from '../../lib/use-media.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { lacking, needLines, unsuited } from './index/suitability.ts';
import { NarrowNotice } from './narrow-notice.tsx';
import { selectorsQuery } from './queries.ts';
import styles from './selector-page.module.css';

type Group = Selector['groups'][number];

interface Suited {
  method: MethodRow;
  when: string;
  /** Why the data at hand cannot be used; null: they can. */
  why: string | null;
  /** All boxes are filled by the variables chosen. */
  fits: boolean;
}

function suit(
  group: Group,
  methods: readonly MethodRow[],
  columns: readonly Column[] | null,
  picked: Column[],
): Suited[] {
  return group.methods.flatMap(({ path, when }) => {
    const method = methods.find((row) => row.algo_code === path);
    if (method === undefined) return [];
    const why = columns === null || !method.takes_data ? null : unsuited(method, columns);
    return [{ method, when, why, fits: why === null && picked.length > 0 && lacking(method, picked) === null }];
  });
}

interface OptionProps {
  suited: Suited;
  canStart: boolean;
  onStart: () => void;
  onCard: () => void;
}

function MethodOption({ suited: { method, when, why, fits }, canStart, onStart, onCard }: OptionProps) {
  return (
    <li className={styles['method']} data-dim={why !== null || undefined}>
      <div>
        <p className={styles['when']}>{when}</p>
        <p>
          <strong>{method.title}</strong>
          {fits ? <span className={styles['fits']}>所选变量正好可用</span> : null}
        </p>
        <p className={styles['needs']}>
          {why === null
            ? needLines(method)
                .map((line) => line.text)
                .join('；')
            : `这份数据还不能用：${why}`}
        </p>
      </div>
      <div className={styles['acts']}>
        <Button type="link" size="small" onClick={onCard}>
          看说明
        </Button>
        <Button type={fits ? 'primary' : 'default'} disabled={!canStart || why !== null} onClick={onStart}>
          用它开始
        </Button>
      </div>
    </li>
  );
}

/** The chosen variables in words; of sixty nobody reads all. */
const SHOWN = 4;

function pickedWords(picked: readonly Column[]): string {
  const names = picked.slice(0, SHOWN).map((column) => `“${titleOf(column)}”`);
  return picked.length > SHOWN ? `${names.join('')}等 ${picked.length} 个变量` : names.join('');
}

export function SelectorPage() {
  const { key = '' } = useParams();
  const navigate = useNavigate();
  const isPhone = usePhone();
  const { version, params } = useCurrent();
  const selectors = useQuery(selectorsQuery);
  const methods = useQuery(methodsQuery).data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);

  if (isPhone) return <NarrowNotice report={null} />;
  if (selectors.data === undefined)
    return selectors.isLoadingError ? (
      <EmptyState
        title="这个页面没有打开"
        hint="可能是网络断了。"
        actions={<Button onClick={() => void selectors.refetch()}>重试</Button>}
      />
    ) : (
      <div className={styles['page']}>
        <ListSkeleton rows={6} />
      </div>
    );
  const selector = selectors.data.find((row) => row.key === key);
  const back = `/analysis/index?${params.toString()}`;
  if (selector === undefined)
    return (
      <EmptyState title="没有这个页面" actions={<Button onClick={() => void navigate(back)}>回到选方法</Button>} />
    );

  const known = byId(version?.columns ?? []);
  const picked = (params.get('columns') ?? '').split(',').flatMap((id) => known.get(id) ?? []);
  const columns = version?.columns ?? null;
  const group = selector.groups.find((row) => row.key === chosen) ?? null;
  const start = (method: MethodRow): void => {
    const ids = picked.length > 0 ? `&columns=${picked.map((column) => column.id).join(',')}` : '';
    const place = method.takes_data && version !== null ? String(version.vid) : NO_VID;
    void navigate(`/analysis/operation/${place}?method=${method.algo_code}${ids}`);
  };
  const card = (method: MethodRow): void => {
    const next = new URLSearchParams(params);
    next.set('method', method.algo_code);
    void navigate(`/analysis/index?${next.toString()}`);
  };
  const paths = new Set(selector.groups.flatMap((row) => row.methods.map(({ path }) => path)));
  const takesData = methods.length === 0 || methods.some((row) => paths.has(row.algo_code) && row.takes_data);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{selector.title}</h1>
        <Button type="link" onClick={() => void navigate(back)}>
          回到选方法
        </Button>
      </header>
      <p className={styles['data']}>
        {!takesData
          ? '不需要数据文件：进入方法后直接填写变量、目标和约束。'
          : version === null
            ? '还没有选数据：可以先看该用哪个方法，再回到选方法选数据。'
            : picked.length === 0
              ? `数据：${version.name}。进入方法后再放变量。`
              : `数据：${version.name}；已选${pickedWords(picked)}，进入方法时已经放好。`}
      </p>
      <h2 className={styles['question']}>1　{selector.question}</h2>
      <div className={styles['groups']} role="group" aria-label={selector.question}>
        {selector.groups.map((row) => {
          const suits = takesData && suit(row, methods, columns, picked).some(({ fits }) => fits);
          return (
            <button
              key={row.key}
              type="button"
              className={styles['group']}
              aria-pressed={row === group}
              onClick={() => setChosen(row.key)}
            >
              <strong>{row.title}</strong>
              <small>{row.hint}</small>
              {suits ? <span className={styles['fits']}>所选变量可用</span> : null}
            </button>
          );
        })}
      </div>
      {group === null ? null : (
        <section aria-live="polite">
          <h2 className={styles['question']}>2　{group.question === '' ? '用这个方法' : group.question}</h2>
          <ul className={styles['methods']}>
            {suit(group, methods, columns, picked).map((suited) => (
              <MethodOption
                key={suited.method.algo_code}
                suited={suited}
                canStart={version !== null || !suited.method.needs_data}
                onStart={() => start(suited.method)}
                onCard={() => card(suited.method)}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
