/** 样本说明: how many rows each step left, and why the others are out. */
import type { Sample } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';
import { droppedOut, filteredOut, hasRows, missingText, sampleSteps } from '@hengxi/contracts/report/sample';

import { useReport } from '../context.ts';
import styles from './sample-flow.module.css';

export interface SampleFlowProps {
  sample: Sample;
  filter: string | null;
  /** Of a split report: the group this account is of; its rows cannot be opened apart. */
  group?: string;
}

export function SampleFlow({ sample, filter, group = '' }: SampleFlowProps) {
  const { onRows, hideSmall } = useReport();
  if (!hasRows(sample)) return <p className={styles['why']}>这个方法只用填入的数，没有用到数据。</p>;
  const steps = sampleSteps(sample, filter, group);
  const out = sample.file - sample.used;
  const [filtered, dropped] = [filteredOut(sample), droppedOut(sample)];
  const missing = missingText(sample);
  // Said alike where nothing was left out: else the sentence itself would tell that something was.
  if (hideSmall && sample.file === sample.used)
    return (
      <p className={styles['why']}>分析 {integer(sample.used)} 行。小于 5 的频数不显示，各步剔除的行数因此不列。</p>
    );
  return (
    <div>
      <ol className={styles['flow']}>
        {steps.map((step) => (
          <li key={step.name} className={styles['step']}>
            {step.lost === null ? null : (
              <span className={styles['lost']}>
                {step.lost.why} −{integer(step.lost.n)}
              </span>
            )}
            <span className={styles['stand']}>
              <b>{integer(step.n)}</b>
              <span>{step.name}</span>
            </span>
          </li>
        ))}
      </ol>
      {missing === '' ? null : <p className={styles['why']}>{missing}</p>}
      {sample.weighted === null ? null : <p className={styles['why']}>加权后的样本量为 {integer(sample.weighted)}。</p>}
      {onRows === undefined || out <= 0 || group !== '' ? null : (
        <p className={styles['why']}>
          {filtered > 0 ? (
            <button type="button" className="hx-link" onClick={() => onRows({ set: 'filtered' })}>
              查看{sample.chosen ? '未参与比较' : '被筛掉'}的 {integer(filtered)} 行
            </button>
          ) : null}
          {dropped > 0 && sample.columns.length + (sample.either?.length ?? 0) > 0 ? (
            <button type="button" className="hx-link" onClick={() => onRows({ set: 'missing' })}>
              查看因缺失剔除的 {integer(dropped)} 行
            </button>
          ) : null}
        </p>
      )}
    </div>
  );
}
