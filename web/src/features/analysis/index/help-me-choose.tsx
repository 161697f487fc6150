/** 帮我选: at most four questions, then the recommendation of the engine's rules for exactly those variables, with its reason. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import type { Column } from '../../../fields/column.ts';
import { levelsLine, titleOf } from '../../../fields/column.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import { recommendQuery } from '../queries.ts';
import styles from './help-me-choose.module.css';

type Goal = 'one' | 'compare' | 'relate' | 'explain';

interface Aim {
  goal: Goal;
  title: string;
  hint: string;
  /** What the first and the second question ask for; null: no second one. */
  first: string;
  second: string | null;
  several: boolean;
}

const AIMS: readonly Aim[] = [
  {
    goal: 'one',
    title: '看一个变量的情况',
    hint: '各类有多少、平均是多少',
    first: '看哪个变量？',
    second: null,
    several: false,
  },
  {
    goal: 'compare',
    title: '比较几组人',
    hint: '男女、年级、处理组和对照组',
    first: '比较什么？',
    second: '按什么分组？',
    several: false,
  },
  {
    goal: 'relate',
    title: '看两个变量的关系',
    hint: '一个变化时另一个怎样',
    first: '第一个变量？',
    second: '第二个变量？',
    several: false,
  },
  {
    goal: 'explain',
    title: '解释或预测一个结果',
    hint: '哪些因素在起作用、作用多大',
    first: '结果是哪个变量？',
    second: '可能的因素有哪些？',
    several: true,
  },
];

export interface Answers {
  aim: Aim;
  first: Column;
  second: readonly Column[];
}

export interface HelpMeChooseProps {
  vid: number;
  columns: readonly Column[];
  methods: readonly MethodRow[];
  onUse: (path: string, ids: string[]) => void;
  onClose: () => void;
}

interface ListProps {
  columns: readonly Column[];
  chosen: readonly Column[];
  several: boolean;
  onChoose: (column: Column) => void;
}

function Variables({ columns, chosen, several, onChoose }: ListProps) {
  return (
    <ul className={styles['list']}>
      {columns.map((column) => (
        <li key={column.id}>
          <button
            type="button"
            className={styles['option']}
            aria-pressed={several ? chosen.includes(column) : undefined}
            onClick={() => onChoose(column)}
          >
            <MeasureIcon kind={measureKind(column)} />
            <span>{titleOf(column)}</span>
            <small>{levelsLine(column)}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Answer({
  vid,
  ids,
  methods,
  onUse,
}: {
  vid: number;
  ids: string[];
  methods: readonly MethodRow[];
  onUse: (path: string, ids: string[]) => void;
}) {
  const found = useQuery(recommendQuery(vid, ids));
  const list = (found.data ?? []).flatMap((one) => {
    const method = methods.find((row) => row.algo_code === one.path);
    return method === undefined ? [] : [{ method, why: one.why }];
  });
  const [first, ...rest] = list;
  if (found.isPending) return <p className={styles['quiet']}>正在选…</p>;
  if (first === undefined)
    return <p className={styles['quiet']}>这几个变量放在一起还没有现成的方法，回上一步换一组试试。</p>;
  return (
    <div className={styles['answer']}>
      <p>
        推荐 <strong>{first.method.title}</strong>，因为{first.why}。
      </p>
      <Button type="primary" onClick={() => onUse(first.method.algo_code, ids)}>
        用它开始
      </Button>
      {rest.length === 0 ? null : (
        <>
          <p className={styles['quiet']}>也可以：</p>
          <ul className={styles['list']}>
            {rest.map(({ method, why }) => (
              <li key={method.algo_code}>
                <button type="button" className={styles['option']} onClick={() => onUse(method.algo_code, ids)}>
                  <span>{method.title}</span>
                  <small>{why}</small>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

export function HelpMeChoose({ vid, columns, methods, onUse, onClose }: HelpMeChooseProps) {
  const [aim, setAim] = useState<Aim | null>(null);
  const [first, setFirst] = useState<Column | null>(null);
  const [second, setSecond] = useState<readonly Column[]>([]);
  const [done, setDone] = useState(false);
  const usable = columns.filter((column) => !column.flags.includes('标识') && column.measure !== '文本');
  const others = usable.filter((column) => column !== first);
  const back = (): void => {
    if (done) setDone(false);
    else if (first !== null) {
      setFirst(null);
      setSecond([]);
    } else setAim(null);
    if (done && aim?.second === null) setFirst(null);
  };
  const ids = [...(first === null ? [] : [first]), ...second].map((column) => column.id);
  const question = aim === null ? '想知道什么？' : done ? '结果' : first === null ? aim.first : (aim.second ?? '');
  return (
    <Dialog
      open
      width="choose"
      title={`帮我选：${question}`}
      onClose={onClose}
      footer={
        aim === null ? null : (
          <>
            <Button onClick={back}>上一步</Button>
            {!done && first !== null && aim.several ? (
              <Button type="primary" disabled={second.length === 0} onClick={() => setDone(true)}>
                看推荐
              </Button>
            ) : null}
          </>
        )
      }
    >
      {aim === null ? (
        <ul className={styles['list']}>
          {AIMS.map((one) => (
            <li key={one.goal}>
              <button type="button" className={styles['option']} onClick={() => setAim(one)}>
                <span>{one.title}</span>
                <small>{one.hint}</small>
              </button>
            </li>
          ))}
        </ul>
      ) : done ? (
        <Answer vid={vid} ids={ids} methods={methods} onUse={onUse} />
      ) : first === null ? (
        <Variables
          columns={usable}
          chosen={[]}
          several={false}
          onChoose={(column) => {
            setFirst(column);
            if (aim.second === null) setDone(true);
          }}
        />
      ) : (
        <Variables
          columns={others}
          chosen={second}
          several={aim.several}
          onChoose={(column) => {
            if (!aim.several) {
              setSecond([column]);
              setDone(true);
            } else setSecond(second.includes(column) ? second.filter((one) => one !== column) : [...second, column]);
          }}
        />
      )}
    </Dialog>
  );
}
