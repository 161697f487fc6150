/** The left pane of the index: every method by family, favourites, recent. What does not suit the data is dimmed with the reason. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import { DownOutlined, RightOutlined } from '@ant-design/icons';
import { Segmented } from 'antd';
import { useState } from 'react';

import type { Column } from '../../../fields/column.ts';
import styles from './method-tree.module.css';
import { lacking, unsuited } from './suitability.ts';

type Tab = 'all' | 'favourite' | 'recent';

export interface MethodTreeProps {
  methods: readonly MethodRow[];
  favourites: readonly string[];
  recent: readonly string[];
  chosen: string | null;
  /** Null without data: then nothing is dimmed. */
  columns: readonly Column[] | null;
  /** Variables chosen so far: a method they do not suffice for is dimmed too. */
  picked: readonly Column[];
  /** Families of the task that was clicked; they stand open. */
  open: readonly string[];
  onChoose: (path: string) => void;
  onStart: (path: string) => void;
}

function familiesOf(methods: readonly MethodRow[]): [string, MethodRow[]][] {
  const found = new Map<string, MethodRow[]>();
  for (const method of methods) found.set(method.family, [...(found.get(method.family) ?? []), method]);
  return [...found];
}

/** A family with fewer methods is read at a glance. */
const SECTIONED = 8;

/** Runs of methods under one sub-heading; they come in the order of the menu. */
function sectionsOf(members: readonly MethodRow[]): [string | null, MethodRow[]][] {
  if (members.length < SECTIONED) return [[null, [...members]]];
  const found = new Map<string | null, MethodRow[]>();
  for (const method of members) found.set(method.section, [...(found.get(method.section) ?? []), method]);
  return [...found];
}

interface RowProps {
  method: MethodRow;
  chosen: boolean;
  why: string | null;
  onChoose: () => void;
  onStart: () => void;
}

function Row({ method, chosen, why, onChoose, onStart }: RowProps) {
  return (
    <li>
      <button
        type="button"
        className={styles['method']}
        aria-current={chosen ? 'true' : undefined}
        data-dim={why === null ? undefined : ''}
        onClick={onChoose}
        onDoubleClick={onStart}
      >
        <span className={styles['name']}>{method.title}</span>
        {why === null ? null : (
          <span className={styles['why']} title={why}>
            {why}
          </span>
        )}
        {method.tier === 'member' ? <span className={styles['member']}>会员</span> : null}
      </button>
    </li>
  );
}

export function MethodTree(props: MethodTreeProps) {
  const { methods, favourites, recent, chosen, columns, picked: chosenColumns, open, onChoose, onStart } = props;
  const chosenSome = chosenColumns.length > 0;
  const [tab, setTab] = useState<Tab>('all');
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const families = familiesOf(methods);
  // A short catalogue needs no folding; the family of the chosen method and of the chosen task is always open.
  const short = methods.length <= 12;
  const isOpen = (family: string, list: readonly MethodRow[]): boolean =>
    toggled.get(family) ?? (short || open.includes(family) || list.some((method) => method.algo_code === chosen));
  const row = (method: MethodRow) => (
    <Row
      key={method.algo_code}
      method={method}
      chosen={method.algo_code === chosen}
      why={
        columns === null ? null : (unsuited(method, columns) ?? (chosenSome ? lacking(method, chosenColumns) : null))
      }
      onChoose={() => onChoose(method.algo_code)}
      onStart={() => onStart(method.algo_code)}
    />
  );
  const picked = (paths: readonly string[]): MethodRow[] =>
    paths.map((path) => methods.find((one) => one.algo_code === path)).filter((one) => one !== undefined);
  const list = tab === 'favourite' ? picked(favourites) : picked(recent);
  return (
    <nav className={styles['tree']} aria-label="方法">
      <Segmented
        block
        className={styles['tabs'] ?? ''}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'all', label: '全部' },
          { value: 'favourite', label: favourites.length > 0 ? `收藏 ${favourites.length}` : '收藏' },
          { value: 'recent', label: '最近' },
        ]}
      />
      <div className={styles['scroll']}>
        {tab === 'all' ? (
          families.map(([family, members]) => {
            const shown = isOpen(family, members);
            return (
              <section key={family}>
                <button
                  type="button"
                  className={styles['family']}
                  aria-expanded={shown}
                  onClick={() => setToggled(new Map([...toggled, [family, !shown]]))}
                >
                  {shown ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
                  <span className={styles['name']}>{family}</span>
                  <span className={styles['number']}>{members.length}</span>
                </button>
                {shown
                  ? sectionsOf(members).map(([section, methodsBelow]) => (
                      <div key={section} role="group" aria-label={section ?? family}>
                        {section === null ? null : (
                          <p className={styles['section']} aria-hidden>
                            {section}
                          </p>
                        )}
                        <ul>{methodsBelow.map(row)}</ul>
                      </div>
                    ))
                  : null}
              </section>
            );
          })
        ) : list.length === 0 ? (
          <p className={styles['none']}>{tab === 'favourite' ? '点方法名旁的星形收藏' : '用过的方法会列在这里'}</p>
        ) : (
          <ul>{list.map(row)}</ul>
        )}
      </div>
    </nav>
  );
}
