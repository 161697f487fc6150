/** 这份结果的来历: version, filter, weight, missing, settings, engine, seed; and what can be done next. */
import type { NextStep, Report } from '@hengxi/contracts/contract';
import { condition, integer } from '@hengxi/contracts/format';
import { hasRows, missesApart } from '@hengxi/contracts/report/sample';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { same } from '../../fields/form.ts';
import styles from './provenance.module.css';
import type { OpenReport } from './queries.ts';
import type { Freshness } from './use-freshness.ts';

export interface ProvenanceProps {
  report: OpenReport;
  freshness: Freshness;
  settingsUrl: string;
  children: ReactNode;
}

export function Provenance({ report, freshness, settingsUrl, children }: ProvenanceProps) {
  const { document } = report;
  return (
    <aside className={styles['origin']} aria-label="这份结果的来历">
      <h2>这份结果的来历</h2>
      <dl>
        {linesOf(report, document, freshness).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <hr />
      <h2>接下来可以</h2>
      <ul className={styles['next']}>
        {report.vid === null
          ? null
          : (document.next_steps ?? []).map((step) => (
              <li key={step.title}>
                <Link {...linkOf(report, step, settingsUrl)}>{step.title}</Link>
              </li>
            ))}
        <li>
          <Link to={settingsUrl}>修改设置，重新计算</Link>
        </li>
        {report.vid === null ? null : (
          <>
            <li>
              <Link to={`/mydata/detail/${report.vid}`}>查看所用的数据</Link>
            </li>
            <li>
              <Link to={`/analysis/index?vid=${report.vid}`}>对这份数据做别的分析</Link>
            </li>
            <li>
              <Link to={`/analysis/result/${report.vid}?project_id=${report.project_id}`}>项目里的全部报告</Link>
            </li>
          </>
        )}
      </ul>
      <hr />
      {children}
    </aside>
  );
}

/**
 * The box that is still to be filled comes in sight. Where only that is new, this report goes on as its next revision:
 * another one with the same result would be made before the box is filled. Other settings begin with the same rows.
 */
function linkOf(report: OpenReport, step: NextStep, settingsUrl: string): { to: string; state: object } {
  const { form, document } = report;
  const isOwn = Object.entries(step.form).every(([key, value]) => same(value, document.form[key]));
  if (step.method === report.path && isOwn) return { to: settingsUrl, state: { sought: step.seek } };
  const kept = Object.fromEntries(Object.entries(form).filter(([key]) => key.startsWith('_')));
  const to = `/analysis/operation/${report.vid ?? 0}?method=${step.method}`;
  return { to, state: { carry: { ...kept, ...step.form }, sought: step.seek } };
}

function missingText({ sample, fill_missing: filled }: Report): string {
  const out = sample.weight - (sample.chosen?.rows ?? 0) - sample.used;
  if (filled) return '已填补';
  return out > 0 ? `剔除 ${integer(out)} 行` : missesApart(sample) ? '各变量分别剔除' : '没有剔除';
}

/** What decided which rows counted, and how. */
function rowLines(document: Report): [string, ReactNode][] {
  const { filter, weight, split } = document;
  const { chosen } = document.sample;
  return [
    [
      '筛选',
      filter === null
        ? '无'
        : filter.filter_type === 'drop'
          ? `排除 ${condition(filter.text)}`
          : condition(filter.text),
    ],
    ...(chosen ? [['比较', chosen.labels.join('、')] satisfies [string, ReactNode]] : []),
    ['加权', weight === null ? '无' : weight.name],
    ['分层', split === null ? '无' : split.name],
    ['缺失', missingText(document)],
  ];
}

function linesOf(report: OpenReport, document: Report, freshness: Freshness): [string, ReactNode][] {
  const engine = document.libraries['hengxi'];
  return [
    [
      '数据',
      !hasRows(document.sample)
        ? '没有用到数据'
        : report.file_name === null
          ? '已删除的数据'
          : `${report.file_name}${freshness.made === null ? '' : ` v${freshness.made}`}`,
    ],
    ...(hasRows(document.sample) ? rowLines(document) : []),
    ['方法', `${document.method.title} 第 ${document.method.version} 版`],
    ...(engine === undefined ? [] : [['引擎', engine] satisfies [string, ReactNode]]),
    ...(document.seed === null ? [] : [['种子', String(document.seed)] satisfies [string, ReactNode]]),
  ];
}
