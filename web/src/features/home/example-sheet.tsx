/** The example report on the home page. Every number in it was computed by the engine (make-example.py). */
import { interval, num, plain, pvalue, stars } from '@hengxi/contracts/format';

import { CheckMark, checkWord, type CheckState } from '../../ui/check-mark.tsx';
import example from './example.json' with { type: 'json' };
import { EstimationPlot } from './estimation-plot.tsx';
import styles from './example-sheet.module.css';

function stateOf(text: string): CheckState {
  return text === 'pass' || text === 'care' || text === 'fail' ? text : 'unknown';
}

export function ExampleSheet() {
  return (
    <figure className={styles['sheet']} aria-label="示例报告">
      <p className={styles['about']}>
        {example.method}　·　{example.data}　·　分析 {example.used} 例
      </p>
      <p className={styles['lead']}>{plain(example.lead.text, example.lead.facts)}</p>
      <ExampleTable />
      <EstimationPlot groups={example.groups} contrast={example.contrast} outcome={example.outcome} />
      <p className={styles['caption']}>图 1　两组{example.outcome}与均值差</p>
      <p className={styles['checks']}>
        <b>前提检验</b>
        {example.checks.map((check) => (
          <span key={check.title}>
            <CheckMark state={stateOf(check.state)} decorative /> {check.title}　{checkWord(stateOf(check.state))}
          </span>
        ))}
      </p>
    </figure>
  );
}

/** A table of two groups: what belongs to both stands once. */
function ExampleTable() {
  const [first, second] = example.rows;
  if (!first || !second) return null;
  const [diff, diffLow, diffHigh] = first.difference;
  const [d, dLow, dHigh] = first.d;
  const meanSd = ([mean, sd]: number[]) => `${num(mean ?? 0)} ± ${num(sd ?? 0)}`;
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label="示例表格">
      <table className={styles['table']}>
        <caption>表 1　两组{example.outcome}的比较</caption>
        <thead>
          <tr>
            <th scope="col">变量</th>
            <th scope="col" className={styles['left']}>
              组别
            </th>
            <th scope="col">
              <i className="st">n</i>
            </th>
            <th scope="col">
              <i className="st">M</i> ± <i className="st">SD</i>
            </th>
            <th scope="col">
              <i className="st">t</i>
            </th>
            <th scope="col">
              <i className="st">df</i>
            </th>
            <th scope="col">
              <i className="st">p</i>
            </th>
            <th scope="col">均值差 [95% CI]</th>
            <th scope="col">
              <span lang="en">Cohen&apos;s</span> <i className="st">d</i> [95% CI]
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="rowgroup" rowSpan={2}>
              {first.variable}
            </th>
            <td className={styles['left']}>{first.group}</td>
            <td>{first.n}</td>
            <td>{meanSd(first.mean_sd)}</td>
            <td rowSpan={2}>{num(first.t)}</td>
            <td rowSpan={2}>{num(first.df)}</td>
            <td rowSpan={2}>
              {pvalue(first.p)}
              {stars(first.p)}
            </td>
            <td rowSpan={2}>
              {num(diff ?? 0)}
              <br />
              <span className={styles['quiet']}>{interval(diffLow ?? null, diffHigh ?? null)}</span>
            </td>
            <td rowSpan={2}>
              {num(d ?? 0)}
              <br />
              <span className={styles['quiet']}>{interval(dLow ?? null, dHigh ?? null)}</span>
            </td>
          </tr>
          <tr>
            <td className={styles['left']}>{second.group}</td>
            <td>{second.n}</td>
            <td>{meanSd(second.mean_sd)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
