/** 另算的结果: what remedies have added beside the report, with its conclusion and whether the judgements are the same. */
import type { CheckElement, LeadElement, Report } from '@hengxi/contracts/contract';
import { alpha, peq } from '@hengxi/contracts/format';
import { judgedAlike } from '@hengxi/contracts/report/variants';
import type { ComparedReport } from '@hengxi/contracts/report/presentation';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { useReading, useReport } from '../../report/context.ts';
import { Sentence } from '../../report/words.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { type OpenReport, reportQuery } from './queries.ts';
import styles from './remedy-reports.module.css';
import type { RemedyReport } from './use-remedy-report.ts';

interface RemedyReportsProps {
  report: OpenReport;
  project: number;
  second: RemedyReport;
  onCompare: (compared: ComparedReport) => void;
}

export function RemedyReports({ report, project, second, onCompare }: RemedyReportsProps) {
  const { presentation } = useReport();
  const { beside } = presentation.value;
  const { made, working, taken } = second;
  const box = useRef<HTMLDivElement>(null);
  // What was asked for comes in sight: that it is being computed, then its conclusion.
  useEffect(() => {
    if (working !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [working]);
  // Kept like every other change of what the report shows: it can be undone, and is there after a reload.
  const keep = useEffectEvent((added: ComparedReport) => {
    taken();
    const others = beside.filter(({ title }) => title !== added.title);
    presentation.change({ ...presentation.value, beside: [...others, added] });
  });
  useEffect(() => {
    if (made !== null) keep(made);
  }, [made]);
  const remove = (gone: ComparedReport): void => {
    presentation.change({ ...presentation.value, beside: beside.filter(({ rid }) => rid !== gone.rid) });
    // The button goes with it; whoever goes on by keys goes on here.
    box.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={box} tabIndex={-1} className={styles['seconds']}>
      {beside.length === 0 && working === null ? null : <h2>另算的结果</h2>}
      {beside.map((compared) => (
        <RemedyReportCard
          key={compared.rid}
          compared={compared}
          report={report}
          project={project}
          isNew={compared.rid === second.last}
          onCompare={() => onCompare(compared)}
          onRemove={() => remove(compared)}
        />
      ))}
      <div role="status">{working === null ? null : <p className={styles['working']}>正在计算：{working}……</p>}</div>
    </div>
  );
}

interface RemedyReportCardProps {
  compared: ComparedReport;
  report: OpenReport;
  project: number;
  isNew: boolean;
  onCompare: () => void;
  onRemove: () => void;
}

function RemedyReportCard({ compared, report, project, isNew, onCompare, onRemove }: RemedyReportCardProps) {
  const card = useRef<HTMLElement>(null);
  const { data, error } = useQuery(reportQuery({ project_id: project, report_id: compared.rid }));
  const isRead = data !== undefined;
  useEffect(() => {
    if (isNew && isRead) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isNew, isRead]);
  const leads = (data?.document.parts[0]?.elements ?? []).filter((e): e is LeadElement => e.type === 'lead');
  const address = `/analysis/result/${data?.vid ?? report.vid ?? 0}?project_id=${project}&report_id=${compared.rid}`;
  return (
    <article ref={card} className={styles['one']} aria-label={compared.title}>
      <h3>{compared.title}</h3>
      {data === undefined && error === null ? <ListSkeleton rows={1} /> : null}
      {error === null || data !== undefined ? null : (
        <p>{isNotFound(error) ? '这个结果已删除，不到 30 天的在回收站里。' : errorText(error)}</p>
      )}
      {leads.map((lead) => (
        <p key={lead.id} className={styles['lead']}>
          <Sentence text={lead.text} facts={lead.facts} />
        </p>
      ))}
      {data === undefined ? null : <Alike report={report} other={data} />}
      <div className={styles['acts']}>
        {data === undefined ? null : (
          <>
            <Link to={address}>打开这份结果</Link>
            <Button size="small" onClick={onCompare}>
              与本报告对比
            </Button>
          </>
        )}
        <Button size="small" type="text" onClick={onRemove} aria-label={`移去“${compared.title}”`}>
          移去
        </Button>
      </div>
    </article>
  );
}

/** What a remedy adds that the report itself has not checked: the second test speaks for itself there. */
function newChecks(report: Report, other: Report): CheckElement[] {
  const checksOf = ({ parts }: Report) =>
    (parts[0]?.elements ?? []).filter((e): e is CheckElement => e.type === 'check');
  const had = new Set(checksOf(report).map(({ title, at }) => `${title}/${at ?? ''}`));
  return checksOf(other).filter(({ title, at }) => !had.has(`${title}/${at ?? ''}`));
}

function Alike({ report, other }: { report: OpenReport; other: OpenReport }) {
  const added = newChecks(report.document, other.document);
  if (added.length === 0)
    return (
      <p className={styles['alike']}>
        <Judged report={report} other={other} />
      </p>
    );
  return added.map(({ id, title, at, text, facts }) => (
    <p key={id} className={styles['lead']}>
      <b>{at === null ? title : `${title} ${at}`}</b>　<Sentence text={text} facts={facts} />
    </p>
  ));
}

const USUAL = 0.95;
const NAMED = 3;

/** Said only where both hold the same tests: other coefficients are no answer to the same question. */
function Judged({ report, other }: { report: OpenReport; other: OpenReport }) {
  const { p: form } = useReading();
  const confidence = report.form['conf_level'];
  const level = 1 - (typeof confidence === 'number' ? confidence : USUAL);
  const { compared, changed } = judgedAlike(report.document, other.document, level);
  if (compared === 0) return '两份结果里没有可以逐项对照的检验，请对照两段结论。';
  if (changed.length === 0) return `按 ${alpha(level)} 的显著性水平，判断与本报告相同（对照了 ${compared} 项检验）。`;
  return (
    <>
      按 {alpha(level)} 的显著性水平，{compared} 项检验里有 {changed.length} 项的判断与本报告不同：
      {changed.slice(0, NAMED).map(({ title, before, after }, at) => (
        <span key={title}>
          {at > 0 ? '；' : ''}“{title}”原来 <i>p</i> {peq(before, form)}，现在 <i>p</i> {peq(after, form)}
        </span>
      ))}
      {changed.length > NAMED ? `；另有 ${changed.length - NAMED} 项` : ''}。
    </>
  );
}
