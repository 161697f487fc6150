/** 帮我选: at most four questions, then the recommendation of the engine's rules for exactly those variables, with its reason. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useEffect, useState } from 'react';

import type { Column } from '../../../fields/column.ts';
import { levelsLine, titleOf } from '../../../fields/column.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import { loadPinyin, score } from '../../../lib/search.ts';
import { recommendQuery } from '../queries.ts';
import { GOALS, answersTo, groups } from './goals.ts';
import type { Goal } from './goals.ts';
import styles from './help-me-choose.module.css';

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

/** From so many variables on a list is searched rather than read. */
const MANY = 12;

function Variables({ columns, chosen, several, onChoose }: ListProps) {
  const [typed, setTyped] = useState('');
  useEffect(() => void loadPinyin(), []);
  const words = ({ name, label }: Column) => ({ title: label ?? name, words: [name] });
  const shown = columns.filter((column) => score(typed, words(column)) > 0 || chosen.includes(column));
  return (
    <>
      {columns.length < MANY ? null : (
        <Input
          allowClear
          className={styles['search'] ?? ''}
          placeholder="名称、标签、拼音"
          aria-label="查找变量"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {shown.length === 0 ? <p className={styles['quiet']}>没有叫这个名字的变量。</p> : null}
      <ul className={styles['list']}>
        {shown.map((column) => (
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
    </>
  );
}

interface AnswerProps {
  vid: number;
  goal: Goal;
  asked: Column;
  others: readonly Column[];
  methods: readonly MethodRow[];
  onUse: (path: string, ids: string[]) => void;
}

function Answer({ vid, goal, asked, others, methods, onUse }: AnswerProps) {
  const ids = [asked, ...others].map((column) => column.id);
  const found = useQuery(recommendQuery(vid, ids));
  const [first, ...rest] = answersTo(goal, found.data ?? [], methods, asked, others);
  if (found.isPending) return <p className={styles['quiet']}>正在选…</p>;
  if (first === undefined)
    return <p className={styles['quiet']}>这几个变量放在一起还没有现成的方法，回上一步换一组试试。</p>;
  return (
    <div className={styles['answer']}>
      <p>
        推荐 <strong>{first.method.title}</strong>。理由：{first.why}。
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
  const [goal, setAim] = useState<Goal | null>(null);
  const [first, setFirst] = useState<Column | null>(null);
  const [second, setSecond] = useState<readonly Column[]>([]);
  const [done, setDone] = useState(false);
  const usable = columns.filter((column) => !column.flags.includes('标识') && column.measure !== '文本');
  const others = usable.filter((column) => column !== first && (goal?.goal !== 'compare' || groups(column)));
  const back = (): void => {
    if (done) setDone(false);
    else if (first !== null) {
      setFirst(null);
      setSecond([]);
    } else setAim(null);
    if (done && goal?.second === null) setFirst(null);
  };
  const question = goal === null ? '想知道什么？' : done ? '结果' : first === null ? goal.first : (goal.second ?? '');
  return (
    <Dialog
      open
      width="choose"
      title={`帮我选：${question}`}
      onClose={onClose}
      footer={
        goal === null ? null : (
          <>
            <Button onClick={back}>上一步</Button>
            {!done && first !== null && goal.several ? (
              <Button type="primary" disabled={second.length === 0} onClick={() => setDone(true)}>
                看推荐
              </Button>
            ) : null}
          </>
        )
      }
    >
      {goal === null ? (
        <ul className={styles['list']}>
          {GOALS.map((option) => (
            <li key={option.goal}>
              <button type="button" className={styles['option']} onClick={() => setAim(option)}>
                <span>{option.title}</span>
                <small>{option.hint}</small>
              </button>
            </li>
          ))}
        </ul>
      ) : done && first !== null ? (
        <Answer vid={vid} goal={goal} asked={first} others={second} methods={methods} onUse={onUse} />
      ) : first === null ? (
        <Variables
          key="first"
          columns={usable}
          chosen={[]}
          several={false}
          onChoose={(column) => {
            setFirst(column);
            if (goal.second === null) setDone(true);
          }}
        />
      ) : (
        <Variables
          key="second"
          columns={others}
          chosen={second}
          several={goal.several}
          onChoose={(column) => {
            if (!goal.several) {
              setSecond([column]);
              setDone(true);
            } else setSecond(second.includes(column) ? second.filter((one) => one !== column) : [...second, column]);
          }}
        />
      )}
    </Dialog>
  );
}
