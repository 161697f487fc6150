/** 方法说明与引用: what was computed and how, what it rests on, and what the method was checked against. */
import type { Reference, Report } from '@hengxi/contracts/contract';
import { duration, integer, tokens } from '@hengxi/contracts/format';
import { htmlTokens } from '@hengxi/contracts/report/copy';
import { type Cite, citedWorks } from '@hengxi/contracts/report/references';
import { Button, Segmented } from 'antd';
import { useState } from 'react';

import { copyForms } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { useHelpPage } from '../help-page.ts';
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
      <Facts report={report} />
      {report.conventions.length > 0 ? (
        <details className={styles['fold']}>
          <summary>计算约定（给审稿人）</summary>
          <ul className={styles['conventions']}>
            {report.conventions.map((line) => (
              <li key={line}>
                <Words list={tokens(line)} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {verified === undefined || verified.cases === 0 ? null : <VerifiedLine verified={verified} />}
      {report.references.length > 0 ? <References list={report.references} /> : null}
    </>
  );
}

function Facts({ report }: { report: Report }) {
  const help = useHelpPage();
  const libraries = Object.entries(report.libraries).map(([name, version]) => `${name} ${version}`);
  return (
    <p className={styles['facts']}>
      <span>
        {report.method.title} 第 {report.method.version} 版
      </span>
      {report.seed === null ? null : <span>随机种子 {report.seed}</span>}
      <span>耗时 {duration(report.elapsed)}</span>
      {libraries.length > 0 ? <span lang="en">{libraries.join(' · ')}</span> : null}
      {help === null ? null : (
        <a href={help} target="_blank" rel="noreferrer">
          方法说明
        </a>
      )}
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

/** The indent of APA stands in place: other programs take no style sheet along. Titles keep their italics. */
function copyReferences(list: readonly Reference[], cite: Cite): void {
  const lines = citedWorks(list, cite).map(({ text }, i) => {
    const number = cite === 'gbt' ? `[${i + 1}] ` : '';
    return { number, words: tokens(text) };
  });
  const indent = cite === 'gbt' ? '' : ' style="margin-left:2em;text-indent:-2em"';
  const html = lines.map(({ number, words }) => `<p${indent}>${number}${htmlTokens(words)}</p>`).join('');
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
      <ol className={styles[cite === 'gbt' ? 'references' : 'works']}>
        {citedWorks(list, cite).map(({ key, text }) => (
          <li key={key} lang={/\p{Script=Han}/u.test(text) ? 'zh' : 'en'}>
            <Words list={tokens(text)} />
          </li>
        ))}
      </ol>
    </>
  );
}
