/** /analysis/survey-report/{pid}: the first report of a questionnaire as one document; parts are dropped, taken back, exported together. */
import { integer } from '@hengxi/contracts/format';
import { readPresentation } from '@hengxi/contracts/report/presentation';
import type { SurveyPart, SurveyReport } from '@hengxi/server/survey-reports/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Progress } from 'antd';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { cancelRun } from '../../lib/runs.ts';
import { usePageTitle } from '../../lib/title.ts';
import { ReportView } from '../../report/report-view.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { ReportExportDialog } from './export-dialog.tsx';
import { configQuery, exportReports, reportQuery } from './queries.ts';
import { sectionsOf } from './survey-plan-page.tsx';
import { dropParts, resumeSurvey, surveyQuery } from './survey-queries.ts';
import styles from './survey-page.module.css';

const NUMERALS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

export function SurveyPage() {
  const project = Number(useParams()['pid']);
  const survey = useQuery({ ...surveyQuery(project), enabled: Number.isInteger(project) && project > 0 });
  const navigate = useNavigate();
  usePageTitle(survey.data?.name ?? null);
  if (survey.isLoadingError || !(project > 0)) {
    return (
      <div className={styles['trouble']}>
        <EmptyState
          heading
          title={!(project > 0) || isNotFound(survey.error) ? '没有找到这份报告' : '报告没有打开'}
          hint={
            !(project > 0) || isNotFound(survey.error) ? '它可能已被删除，或属于另一个账号。' : errorText(survey.error)
          }
          actions={<Button onClick={() => void navigate('/mydata/index')}>返回我的数据</Button>}
        />
      </div>
    );
  }
  return survey.data === undefined ? <PageSkeleton /> : <Document survey={survey.data} />;
}

const keep = (survey: SurveyReport): void => {
  queryClient.setQueryData(surveyQuery(survey.project_id).queryKey, survey);
};

/** Of the parts that are not dropped: how many are done, and the one being worked at. */
function progressOf(parts: readonly SurveyPart[]) {
  const ended = parts.filter(({ state }) => state !== 'waits' && state !== 'runs').length;
  return { ended, of: parts.length, now: parts.find(({ state }) => state === 'runs') };
}

function Document({ survey }: { survey: SurveyReport }) {
  const { project_id: project, parts, open, name, vid, run_id } = survey;
  const [exporting, setExporting] = useState(false);
  const drop = useMutation({
    mutationFn: ({ place, on }: { place: number; on: boolean }) => {
      const others = parts.filter((part) => part.dropped && part.place !== place).map((part) => part.place);
      return dropParts(project, on ? [...others, place] : others);
    },
    onSuccess: keep,
  });
  const cancel = useMutation({
    mutationFn: () => cancelRun(run_id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: surveyQuery(project).queryKey }),
  });
  const resume = useMutation({ mutationFn: () => resumeSurvey(project), onSuccess: keep });
  const inDocument = parts.filter(({ dropped }) => !dropped);
  const done = inDocument.filter(({ state }) => state === 'done');
  const unmade = parts.filter(({ state }) => state === 'stopped' || state === 'refused');
  const { ended, of, now } = progressOf(parts);
  const sections = sectionsOf(inDocument);
  // What has just come is in the lists of reports too.
  useEffect(() => {
    if (!open) void queryClient.invalidateQueries({ queryKey: ['reports'] });
  }, [open]);
  return (
    <div className={styles['page']}>
      <header className={styles['bar']}>
        <div className={styles['heading']}>
          <h1>{name}</h1>
          <p role="status" className={styles['state']}>
            {open
              ? `已完成 ${integer(ended)} / ${integer(of)}${now === undefined ? '' : `，正在做：${now.title}`}`
              : `${integer(done.length)} 部分${unmade.length > 0 ? `，${integer(unmade.length)} 部分没有结果` : ''}`}
          </p>
        </div>
        {open ? (
          <>
            <Progress
              className={styles['progress'] ?? ''}
              percent={Math.floor((ended / Math.max(of, 1)) * 100)}
              size="small"
              aria-label="生成进度"
            />
            <Button loading={cancel.isPending} onClick={() => cancel.mutate()}>
              停止生成
            </Button>
          </>
        ) : null}
        {!open && unmade.length > 0 ? (
          <Button loading={resume.isPending} onClick={() => resume.mutate()}>
            继续做没有结果的
          </Button>
        ) : null}
        <Button type="primary" disabled={open || done.length === 0} onClick={() => setExporting(true)}>
          导出
        </Button>
      </header>
      <div className={styles['scroll']}>
        <div className={styles['columns']}>
          <nav className={styles['outline']} aria-label="目录">
            {sections.map(({ title, parts: own }, at) => (
              <div key={title}>
                <a href={`#section-${at}`}>
                  {NUMERALS[at]}、{title}
                </a>
                <ul>
                  {own.map((part) => (
                    <li key={part.place}>
                      <a href={`#part-${part.place}`} title={part.title}>
                        {part.title}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
            <p className={styles['links']}>
              <Link to={`/analysis/result/${vid}?project_id=${project}`}>逐份看这些报告</Link>
              <Link to={`/analysis/survey/${vid}`}>重新生成</Link>
            </p>
          </nav>
          <main className={styles['sheet']}>
            {sections.map(({ title, parts: own }, at) => (
              <section key={title} aria-label={title}>
                <h2 id={`section-${at}`} className={styles['section']}>
                  {NUMERALS[at]}、{title}
                </h2>
                {own.map((part) => (
                  <Chapter
                    key={part.place}
                    project={project}
                    vid={vid}
                    part={part}
                    onDrop={() => drop.mutate({ place: part.place, on: true })}
                  />
                ))}
              </section>
            ))}
            {survey.left_out.map((text) => (
              <p key={text} className={styles['note']}>
                {text}
              </p>
            ))}
            <Dropped parts={parts} onTakeBack={(place) => drop.mutate({ place, on: false })} />
          </main>
        </div>
      </div>
      {exporting ? (
        <ReportExportDialog
          title={`导出“${name}”`}
          blocks={[]}
          extent="brief"
          begin={(body) =>
            exportReports(project, { ...body, reports: done.flatMap(({ report_id }) => report_id ?? []) })
          }
          onClose={() => setExporting(false)}
        />
      ) : null}
    </div>
  );
}

function Dropped({ parts, onTakeBack }: { parts: readonly SurveyPart[]; onTakeBack: (place: number) => void }) {
  const dropped = parts.filter((part) => part.dropped);
  if (dropped.length === 0) return null;
  return (
    <section className={styles['dropped']} aria-label="去掉的部分">
      <h2>去掉的部分（不在导出里）</h2>
      <ul>
        {dropped.map(({ place, title }) => (
          <li key={place}>
            {title}
            <Button size="small" aria-label={`放回 ${title}`} onClick={() => onTakeBack(place)}>
              放回
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ChapterProps {
  project: number;
  vid: number;
  part: SurveyPart;
  onDrop: () => void;
}

const STATE: Partial<Record<SurveyPart['state'], string>> = {
  waits: '还没有做到这一部分。',
  runs: '正在做这一部分。',
  stopped: '生成停止时还没有做到这一部分。',
};

function Chapter({ project, vid, part, onDrop }: ChapterProps) {
  const { place, title, state, text, report_id } = part;
  return (
    <article id={`part-${place}`} className={styles['chapter']} aria-label={title}>
      <div className={styles['tools']}>
        {report_id !== null && state === 'done' ? (
          <Link to={`/analysis/result/${vid}?project_id=${project}&report_id=${report_id}`}>打开这份报告</Link>
        ) : null}
        <Button size="small" aria-label={`去掉 ${title}`} onClick={onDrop}>
          去掉
        </Button>
      </div>
      {state === 'done' && report_id !== null ? (
        <Result project={project} report={report_id} place={place} title={title} />
      ) : (
        <>
          <h3 className={styles['title']}>{title}</h3>
          <p className={styles['note']}>{text === null ? STATE[state] : `没有结果：${text}`}</p>
        </>
      )}
    </article>
  );
}

function Result({ project, report, place, title }: { project: number; report: number; place: number; title: string }) {
  const at = { project_id: project, report_id: report };
  const found = useQuery({ ...reportQuery(at), refetchOnWindowFocus: false });
  const config = useQuery(configQuery(at));
  if (found.isLoadingError) return <p className={styles['note']}>{errorText(found.error)}</p>;
  return (
    <ReportView
      report={found.data?.document ?? null}
      presentation={readPresentation(config.data?.presentation ?? {})}
      title={found.data?.title ?? title}
      readonly
      compact
      chapter
      scope={`p${place}-`}
    />
  );
}
