/** 样本说明: how many rows each step left, and why the others are out. */
import type { Sample } from '@hengxi/contracts/contract';
import { condition, integer } from '@hengxi/contracts/format';

import { useReport } from '../context.ts';
import styles from './sample-flow.module.css';

interface Step {
  n: number;
  name: string;
  /** What happened before it. */
  lost: string | null;
}

function stepsOf(sample: Sample, filter: string | null, group: string): Step[] {
  const steps: Step[] = [{ n: sample.file, name: '文件中的行', lost: null }];
  const add = (n: number, name: string, why: string): void => {
    const before = steps.at(-1)?.n ?? 0;
    if (n !== before) steps.push({ n, name, lost: `${why} −${integer(before - n)}` });
  };
  const out = [
    ...(group === '' ? [] : [`不属于 ${group}`]),
    ...(filter === null ? [] : [`不满足 ${condition(filter)}`]),
  ];
  add(sample.filter, group === '' ? '筛选后' : '本组', out.length === 0 ? '筛选' : out.join(' 或'));
  add(sample.weight, '加权后', '权重缺失或为 0');
  const missing = sample.why.filter((w) => w.rows > 0);
  const [only] = missing;
  add(
    sample.used,
    '进入分析',
    missing.length === 1 && only !== undefined ? (only.reason ?? `${only.name ?? ''}缺失`) : '有缺失',
  );
  const last = steps.at(-1);
  if (last !== undefined && last.name !== '进入分析')
    steps[steps.length - 1] = { ...last, name: steps.length === 1 ? '全部进入分析' : `${last.name}，全部进入分析` };
  return steps;
}

export interface SampleFlowProps {
  sample: Sample;
  filter: string | null;
  /** Of a split report: the group this account is of; its rows cannot be opened apart. */
  group?: string;
}

export function SampleFlow({ sample, filter, group = '' }: SampleFlowProps) {
  const { onRows } = useReport();
  const steps = stepsOf(sample, filter, group);
  const out = sample.file - sample.used;
  const missing = sample.why.filter((w) => w.rows > 0);
  return (
    <div>
      <ol className={styles['flow']}>
        {steps.map((step) => (
          <li key={step.name} className={styles['step']}>
            {step.lost === null ? null : <span className={styles['lost']}>{step.lost}</span>}
            <span className={styles['stand']}>
              <b>{integer(step.n)}</b>
              <span>{step.name}</span>
            </span>
          </li>
        ))}
      </ol>
      {missing.length > 1 ? (
        <p className={styles['why']}>
          缺失：{missing.map((w) => `${w.reason ?? w.name ?? '未知变量'} ${integer(w.rows)} 行`).join('，')}
          （一行可缺多个变量）。
        </p>
      ) : null}
      {sample.weighted === null ? null : <p className={styles['why']}>加权后的样本量为 {integer(sample.weighted)}。</p>}
      {onRows === undefined || out <= 0 || group !== '' ? null : (
        <p className={styles['why']}>
          {sample.filter < sample.file ? (
            <button type="button" className="hx-link" onClick={() => onRows({ set: 'filtered' })}>
              查看被筛掉的 {integer(sample.file - sample.filter)} 行
            </button>
          ) : null}
          {sample.used < sample.weight ? (
            <button type="button" className="hx-link" onClick={() => onRows({ set: 'missing' })}>
              查看因缺失剔除的 {integer(sample.weight - sample.used)} 行
            </button>
          ) : null}
        </p>
      )}
    </div>
  );
}
