/** Comparisons of a hierarchy, node by node, with what fits them worst once a node is finished. Nothing is changed by itself. */
import { isCompared } from '@hengxi/contracts/expert-methods';
import type { AnswerPage, AnswerValue, TreeNode } from '@hengxi/server/expert-questionnaires/schema';
import { Button } from 'antd';
import { useState } from 'react';

import styles from './answer.module.css';
import { type Hint, type Matrix, standingOf } from './consistency.ts';
import type { Sheet } from './use-sheet.ts';

export interface Comparison {
  id: string;
  title: string;
  things: { id: string; name: string }[];
  design: AnswerPage['protocol']['design'];
}

const nodesOf = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(nodesOf)];

export function comparisonsOf({
  tree,
  alternatives,
  protocol: { design },
}: Pick<AnswerPage, 'tree' | 'alternatives' | 'protocol'>): Comparison[] {
  const nodes = nodesOf(tree);
  const upper = nodes.filter(({ children }) => children.length > 0);
  const low = alternatives.length > 0 ? nodes.filter(({ children }) => children.length === 0) : [];
  return [
    ...upper.map(({ id, name, children }) => ({ id, title: name, things: children, design })),
    ...low.map(({ id, name }) => ({ id, title: name, things: alternatives, design })),
  ];
}

/** The pairs asked: neighbours first, so that weights exist as early as possible. */
export const pairsOf = ({ id, things, design }: Comparison) =>
  things
    .flatMap((first, i) =>
      things
        .slice(i + 1)
        .map((second, k) => ({ key: `pair:${id}:${first.id}:${second.id}`, first, second, i, j: i + 1 + k })),
    )
    .filter(({ i, j }) => isCompared(design, things.length, i, j))
    .sort((a, b) => a.j - a.i - (b.j - b.i));

const asRatio = (value: AnswerValue | undefined): number | null => {
  if (typeof value !== 'object' || value === null) return null;
  return value.favours === 'first' ? value.value : 1 / value.value;
};

function matrixOf(one: Comparison, values: Sheet['values']): Matrix {
  const given = new Map(pairsOf(one).map(({ key, i, j }) => [`${i} ${j}`, asRatio(values[key])]));
  const upper = (i: number, j: number): number | null => given.get(`${i} ${j}`) ?? null;
  const lower = (i: number, j: number): number | null => {
    const ratio = upper(j, i);
    return ratio === null ? null : 1 / ratio;
  };
  return one.things.map((_, i) => one.things.map((__, j) => (i === j ? 1 : i < j ? upper(i, j) : lower(i, j))));
}

const WAYS = [
  { key: 'slider', text: '滑块' },
  { key: 'buttons', text: '按钮' },
] as const;
type Way = (typeof WAYS)[number]['key'];

export function AhpQuestions({ page, sheet }: { page: AnswerPage; sheet: Sheet }) {
  const [way, setWay] = useState<Way>('slider');
  return (
    <>
      <p className={styles['hint']}>
        每次比较两项：更重要的是哪一项，重要多少倍。3 为稍重要，5 为明显重要，7 为强烈重要，9
        为极端重要，其余介于两者之间。
      </p>
      <div className={styles['ways']} role="radiogroup" aria-label="作答方式">
        {WAYS.map(({ key, text }) => (
          <label key={key} className={styles['skip']}>
            <input type="radio" name="way" checked={way === key} onChange={() => setWay(key)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {comparisonsOf(page).map((one) => (
        <section key={one.id} aria-labelledby={`node-${one.id}`}>
          <h2 className={styles['dimension']} id={`node-${one.id}`}>
            就“{one.title}”而言
          </h2>
          {pairsOf(one).map(({ key, first, second }) => (
            <PairQuestion key={key} name={key} first={first.name} second={second.name} sheet={sheet} way={way} />
          ))}
          <Consistency one={one} limit={page.protocol.cr_max} sheet={sheet} />
        </section>
      ))}
    </>
  );
}

interface PairProps {
  name: string;
  first: string;
  second: string;
  sheet: Sheet;
}

function PairQuestion({ way, ...pair }: PairProps & { way: Way }) {
  return way === 'slider' ? <SliderQuestion {...pair} /> : <ButtonQuestion {...pair} />;
}

const DEGREES = [
  '同等',
  '介于同等与稍',
  '稍',
  '介于稍与明显',
  '明显',
  '介于明显与强烈',
  '强烈',
  '介于强烈与极端',
  '极端',
];

/** 17 steps: −8 is nine times the first, 0 equal, 8 nine times the second. */
function sentenceOf(step: number, first: string, second: string): string {
  if (step === 0) return '同等重要';
  const [more, less] = step < 0 ? [first, second] : [second, first];
  return `“${more}”比“${less}”${DEGREES[Math.abs(step)] ?? ''}重要（${Math.abs(step) + 1} 倍）`;
}

function SliderQuestion({ name, first, second, sheet }: PairProps) {
  const value = sheet.values[name];
  const given = typeof value === 'object' && value !== null ? value : null;
  const step = given === null ? 0 : (given.value - 1) * (given.favours === 'first' ? -1 : 1);
  const set = (next: number): void =>
    sheet.set(name, { value: Math.abs(next) + 1, favours: next > 0 ? 'second' : 'first' });
  const told = value === undefined ? '还没有判断' : value === null ? '不确定' : sentenceOf(step, first, second);
  return (
    <fieldset className={styles['question']} id={name}>
      <legend>
        {first} 与 {second}，哪个更重要？
      </legend>
      <div className={styles['compared']}>
        <b>{first}</b>
        <b>{second}</b>
        <input
          type="range"
          min={-8}
          max={8}
          step={1}
          value={step}
          data-empty={given === null ? '' : undefined}
          aria-label={`${first} 与 ${second}：向左为前者更重要，向右为后者更重要`}
          aria-valuetext={told}
          onChange={(event) => set(Number(event.target.value))}
        />
        <output>{told}</output>
      </div>
      <div className={styles['sides']}>
        <label className={styles['side']}>
          <input type="radio" name={`${name}-quick`} checked={given?.value === 1} onChange={() => set(0)} />
          <span>同等重要</span>
        </label>
        <label className={styles['side']}>
          <input type="radio" name={`${name}-quick`} checked={value === null} onChange={() => sheet.set(name, null)} />
          <span>不确定</span>
        </label>
      </div>
    </fieldset>
  );
}

function ButtonQuestion({ name, first, second, sheet }: PairProps) {
  const value = sheet.values[name];
  const given = typeof value === 'object' ? value : undefined;
  const degree = given && given.value > 1 ? given.value : null;
  const side = given === null ? 'unsure' : given === undefined ? '' : given.value === 1 ? 'equal' : given.favours;
  const choose = (favours: 'first' | 'second') => sheet.set(name, { value: degree ?? 3, favours });
  const sides = [
    { key: 'first', text: first, pick: () => choose('first') },
    { key: 'equal', text: '同等重要', pick: () => sheet.set(name, { value: 1, favours: 'first' }) },
    { key: 'second', text: second, pick: () => choose('second') },
    { key: 'unsure', text: '不确定', pick: () => sheet.set(name, null) },
  ];
  return (
    <fieldset className={styles['question']} id={name}>
      <legend>
        {first} 与 {second}，哪个更重要？
      </legend>
      <div className={styles['sides']}>
        {sides.map(({ key, text, pick }) => (
          <label key={key} className={styles['side']}>
            <input type="radio" name={name} checked={side === key} onChange={pick} />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {degree !== null && given ? (
        <div role="group" aria-label="重要多少倍">
          <p className={styles['hint']}>重要多少倍？</p>
          <div className={styles['degrees']}>
            {[2, 3, 4, 5, 6, 7, 8, 9].map((k) => (
              <label key={k} className={styles['score']}>
                <input
                  type="radio"
                  name={`${name}-degree`}
                  checked={degree === k}
                  onChange={() => sheet.set(name, { value: k, favours: given.favours })}
                />
                <span>{k}</span>
              </label>
            ))}
          </div>
        </div>
      ) : null}
    </fieldset>
  );
}

const shown = (ratio: number): string => ratio.toFixed(2);

/** "A 是 B 的 3 倍", whichever side is the larger. */
function ratioText(first: string, second: string, ratio: number): string {
  if (round(Math.max(ratio, 1 / ratio)) === 1) return `${first}与${second}同等重要`;
  return ratio > 1 ? `${first}是${second}的 ${round(ratio)} 倍` : `${second}是${first}的 ${round(1 / ratio)} 倍`;
}
const round = (x: number): number => Math.round(x * 10) / 10;

function Consistency({ one, limit, sheet }: { one: Comparison; limit: number; sheet: Sheet }) {
  const left = pairsOf(one).filter(({ key }) => sheet.values[key] === undefined).length;
  if (one.things.length < 3) return null;
  if (left > 0)
    return (
      <p className={styles['progress']} role="status">
        还有 {left} 对没有比较，比较完后显示一致性。
      </p>
    );
  const standing = standingOf(matrixOf(one, sheet.values));
  const name = (at: number): string => one.things[at]?.name ?? '';
  if (standing.kind === 'apart')
    return (
      <p className={styles['amber']} role="status">
        判断尚未连通，还需比较“{name(standing.missing.i)}”与“{name(standing.missing.j)}”。
      </p>
    );
  if (standing.kind === 'open')
    return (
      <p className={styles['progress']} role="status">
        判断刚够算出权重，一致性尚不可评估。
      </p>
    );
  const { ratio, hints, triad } = standing;
  if (ratio <= limit + 1e-9)
    return (
      <p className={styles['green']} role="status">
        一致性比例 CR = {shown(ratio)}，通过。
      </p>
    );
  const accept = ({ i, j, proposed }: Hint): void => {
    const key = pairsOf(one).find((pair) => pair.i === i && pair.j === j)?.key;
    const favours = proposed >= 1 ? 'first' : 'second';
    if (key !== undefined) sheet.set(key, { value: Math.round(Math.max(proposed, 1 / proposed)), favours });
  };
  return (
    <div className={styles['amber']} role="status">
      <p>
        一致性比例 CR = {shown(ratio)}，{ratio > 0.2 ? '明显不一致' : '建议复核'}。您可以修改，也可以保留自己的判断。
      </p>
      {triad === null ? null : (
        <p>
          存在循环判断：{name(triad[0])}＞{name(triad[1])}，{name(triad[1])}＞{name(triad[2])}，{name(triad[2])}＞
          {name(triad[0])}。
        </p>
      )}
      <ul className={styles['hints']}>
        {hints.map((hint) => (
          <li key={`${hint.i}-${hint.j}`}>
            <span>
              您现在认为{ratioText(name(hint.i), name(hint.j), hint.current)}；其他判断意味着
              {ratioText(name(hint.i), name(hint.j), hint.implied)}。改为
              {ratioText(name(hint.i), name(hint.j), hint.proposed)}后 CR = {shown(hint.ratio)}。
            </span>
            <Button size="small" onClick={() => accept(hint)}>
              采用
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
