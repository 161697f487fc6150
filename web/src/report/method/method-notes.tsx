/** 方法与可信: what was computed and how, what it rests on, and what the method was checked against. */
import type { Reference, Report } from '@hengxi/contracts/contract';
import { duration, integer, tokens } from '@hengxi/contracts/format';
import { htmlTokens } from '@hengxi/contracts/report/copy';
import { Button, Segmented } from 'antd';
import { useState } from 'react';

import { copyForms } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { Words } from '../words.tsx';
import styles from './method-notes.module.css';

/** Independent numbers the method agrees with; known where the method's page can be asked. */
export interface Verified {
  cases: number;
  numbers?: number | undefined;
  sources: readonly string[];
  /** Which analyses were computed elsewhere, and how many numbers of each were compared. */
  analyses?: readonly { name: string; numbers: number }[] | undefined;
}

export function MethodNotes({ report, verified }: { report: Report; verified: Verified | undefined }) {
  return (
    <>
      {report.conventions.length > 0 ? (
        <ul className={styles['conventions']}>
          {report.conventions.map((line) => (
            <li key={line}>
              <Words list={tokens(line)} />
            </li>
          ))}
        </ul>
      ) : null}
      <Facts report={report} />
      {verified === undefined || verified.cases === 0 ? null : <VerifiedLine verified={verified} />}
      {report.references.length > 0 ? <References list={report.references} /> : null}
    </>
  );
}

function Facts({ report }: { report: Report }) {
  const libraries = Object.entries(report.libraries).map(([name, version]) => `${name} ${version}`);
  return (
    <p className={styles['facts']}>
      <span>
        {report.method.title} 第 {report.method.version} 版
      </span>
      {report.seed === null ? null : <span>随机种子 {report.seed}</span>}
      <span>耗时 {duration(report.elapsed)}</span>
      {libraries.length > 0 ? <span lang="en">{libraries.join(' · ')}</span> : null}
    </p>
  );
}

function VerifiedLine({ verified }: { verified: Verified }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles['verified']}>
      <button type="button" className="hx-link" aria-expanded={open} onClick={() => setOpen(!open)}>
        已验证 {integer(verified.numbers ?? verified.cases)} 项 {open ? '▾' : '▸'}
      </button>
      {open ? (
        <ul>
          <li>
            {integer(verified.cases)} 个案例的数字与独立计算一致
            {verified.numbers === undefined ? '' : `，共 ${integer(verified.numbers)} 个`}。
          </li>
          {verified.sources.map((source) => (
            <li key={source}>{source}</li>
          ))}
          {verified.analyses === undefined ? null : (
            <li>
              逐个案例：
              <ol>
                {verified.analyses.map(({ name, numbers }) => (
                  <li key={name}>
                    {name}
                    <span className={styles['count']}>{integer(numbers)} 个数字</span>
                  </li>
                ))}
              </ol>
            </li>
          )}
        </ul>
      ) : null}
    </div>
  );
}

type Cite = 'gbt' | 'apa';

function citation({ gbt, apa, doi }: Reference, cite: Cite): string {
  const text = cite === 'gbt' ? gbt : apa;
  return doi === null || text.includes(doi) ? text : `${text} DOI: ${doi}`;
}

/** By GB/T 7714 the list is numbered, by APA it is not; titles keep their italics where the other program takes them. */
function copyReferences(list: readonly Reference[], cite: Cite): void {
  const lines = list.map((reference, i) => {
    const number = cite === 'gbt' ? `[${i + 1}] ` : '';
    return { number, words: tokens(citation(reference, cite)) };
  });
  const html = lines.map(({ number, words }) => `<p>${number}${htmlTokens(words)}</p>`).join('');
  const text = lines.map(({ number, words }) => number + words.map((word) => word.text).join('')).join('\n');
  void copyForms({ html, text }, `已复制 ${list.length} 条文献`);
}

function References({ list }: { list: readonly Reference[] }) {
  const { presentation } = useReport();
  const { cite } = presentation.value;
  return (
    <>
      <div className={styles['citing']}>
        <h3>参考文献</h3>
        <Segmented<'gbt' | 'apa'>
          size="small"
          aria-label="文献格式"
          options={[
            { value: 'gbt', label: 'GB/T 7714' },
            { value: 'apa', label: 'APA' },
          ]}
          value={cite}
          onChange={(next) => presentation.change({ ...presentation.value, cite: next })}
        />
        <Button size="small" type="text" onClick={() => copyReferences(list, cite)}>
          复制文献
        </Button>
      </div>
      <ol className={styles['references']}>
        {list.map((reference) => {
          const text = citation(reference, cite);
          return (
            <li key={reference.key} lang={/\p{Script=Han}/u.test(text) ? 'zh' : 'en'}>
              <Words list={tokens(text)} />
            </li>
          );
        })}
      </ol>
    </>
  );
}
