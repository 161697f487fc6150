/**
 * 按变量推荐: choose variables, see what suits them best, each with its reason. Never more than five. Without variables there is
 * nothing to rank by: what this data can be used for stands in the order of the catalogue, without places.
 */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import { RightOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { Column } from '../../../fields/column.ts';
import { titleOf } from '../../../fields/column.ts';
import { levelCount } from '../../../fields/column.ts';
import { score } from '../../../lib/search.ts';
import { ManySelect } from '../../../ui/many-select.tsx';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import { recommendQuery } from '../queries.ts';
import styles from './recommend.module.css';

const MOST = 5;
/** Chosen variables shown by name; of sixty items nobody reads them all. */
const SHOWN = 6;

export interface RecommendProps {
  vid: number;
  columns: readonly Column[];
  picked: readonly Column[];
  methods: readonly MethodRow[];
  /** All methods that suit the data. */
  suiting: readonly MethodRow[];
  chosen: string | null;
  onPick: (ids: string[]) => void;
  onChoose: (path: string) => void;
  onStart: (path: string) => void;
}

interface PickerProps {
  columns: readonly Column[];
  picked: readonly Column[];
  open: boolean;
  onPick: (ids: string[]) => void;
  onDone: () => void;
}

function VariablePicker({ columns, picked, open, onPick, onDone }: PickerProps) {
  return (
    <ManySelect
      aria-label="选择变量"
      className={styles['picker'] ?? ''}
      placeholder="选一两个变量，看看适合用什么方法"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
      autoFocus={open}
      maxTagCount="responsive"
      value={picked.map((column) => column.id)}
      onChange={onPick}
      onBlur={onDone}
      showSearch={{ filterOption: (typed, option) => score(typed, { title: option?.title ?? '' }) > 0 }}
      options={columns
        .filter((column) => !column.flags.includes('标识'))
        .map((column) => ({
          value: column.id,
          title: titleOf(column),
          label: (
            <span>
              <MeasureIcon kind={measureKind(column)} /> {titleOf(column)}
            </span>
          ),
        }))}
    />
  );
}

export function Recommend(props: RecommendProps) {
  const { vid, columns, picked, methods, suiting, chosen, onPick, onChoose, onStart } = props;
  const [showAll, setShowAll] = useState(false);
  const [changing, setChanging] = useState(false);
  const recommendations = useQuery(
    recommendQuery(
      vid,
      picked.map((column) => column.id),
    ),
  );
  const list = (recommendations.data ?? [])
    .map((one) => ({ method: methods.find((method) => method.algo_code === one.path), why: one.why }))
    .flatMap(({ method, why }) => (method === undefined ? [] : [{ method, why }]))
    .slice(0, MOST);
  // Before variables are chosen: what this data can be used for at all.
  const shown =
    picked.length > 0
      ? list
      : suiting.slice(0, MOST).map((method) => ({ method, why: `${method.purpose}（${method.needs}）` }));
  const List = picked.length > 0 ? 'ol' : 'ul';
  const others = suiting.filter((method) => !shown.some((one) => one.method === method));
  return (
    <section className={styles['section']} aria-label="按变量推荐">
      <div className={styles['head']}>
        <h2>按变量推荐</h2>
        {picked.length === 0 || changing ? (
          <VariablePicker
            columns={columns}
            picked={picked}
            open={changing}
            onPick={onPick}
            onDone={() => setChanging(false)}
          />
        ) : (
          <>
            {picked.slice(0, SHOWN).map((column, at) => (
              <span key={column.id} className={styles['picked']}>
                {at > 0 ? <span className={styles['times']}>×</span> : null}
                <span className={styles['chip']}>
                  <MeasureIcon kind={measureKind(column)} />
                  {titleOf(column)}
                  {column.measure === '定类' ? `（${levelCount(column)} 组）` : ''}
                </span>
              </span>
            ))}
            {picked.length > SHOWN ? <span className={styles['times']}>等 {picked.length} 个变量</span> : null}
            <button type="button" className="hx-link" onClick={() => setChanging(true)}>
              换变量
            </button>
          </>
        )}
        <span className={styles['space']} />
        {others.length > 0 ? (
          <button type="button" className="hx-link" aria-expanded={showAll} onClick={() => setShowAll(!showAll)}>
            {`还有 ${others.length} 个可用`}
          </button>
        ) : null}
      </div>
      {picked.length > 0 || shown.length === 0 ? null : (
        <p className={styles['unranked']}>选好变量后才有推荐。这份数据能用的方法（按目录顺序）：</p>
      )}
      {shown.length === 0 && (picked.length === 0 || !recommendations.isSuccess) ? null : (
        <List className={styles['list']} aria-busy={picked.length > 0 && recommendations.isPending}>
          {shown.map(({ method, why }, at) => (
            <li key={method.algo_code}>
              <button
                type="button"
                className={styles['item']}
                aria-current={method.algo_code === chosen ? 'true' : undefined}
                onClick={() => onChoose(method.algo_code)}
                onDoubleClick={() => onStart(method.algo_code)}
              >
                {picked.length > 0 ? <span className={styles['place']}>{at + 1}</span> : null}
                <span className={styles['what']}>
                  <strong>{method.title}</strong>
                  {at === 0 && picked.length > 0 ? <span className={styles['first']}>首选</span> : null}
                  {method.tier === 'member' ? <span className={styles['member']}>会员</span> : null}
                  <span className={styles['why']}>{why}</span>
                </span>
                <RightOutlined aria-hidden />
              </button>
            </li>
          ))}
          {shown.length === 0 ? (
            <li className={styles['none']}>这几个变量放在一起还没有现成的方法。换一组变量，或从左侧的方法里选。</li>
          ) : null}
        </List>
      )}
      {showAll ? (
        <div className={styles['others']}>
          {others.map((method) => (
            <button
              key={method.algo_code}
              type="button"
              className={styles['chip']}
              onClick={() => onChoose(method.algo_code)}
            >
              {method.title}
            </button>
          ))}
        </div>
      ) : null}
    </section>
  );
}
