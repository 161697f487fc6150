/** One report: outline left, the sheet, where it comes from right; older revisions are looked at without changing anything. */
import type { Declaration, FilledForm, Remedy, Report } from '@hengxi/contracts/contract';
import { readPresentation } from '@hengxi/contracts/report/presentation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import { versionQuery } from '../../lib/catalogue.ts';
import { errorText, isNotFound } from '../../lib/api.ts';
import type { RunState } from '../../lib/runs.ts';
import { usePageTitle } from '../../lib/title.ts';
import { toast } from '../../lib/toast.ts';
import { saveFile } from '../../report/clipboard.ts';
import type { ExportWish, PinnedNumber, RowsQuery } from '../../report/context.ts';
import { helpFor, HelpPage } from '../../report/help-page.ts';
import { useModelActions } from '../../report/model/use-model-actions.ts';
import { OutlineNav } from '../../report/outline-nav.tsx';
import { ReportView } from '../../report/report-view.tsx';
import { usePrintLight } from '../../report/use-printing.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { chosenOf } from './export-choices.ts';
import { ReportExportDialog } from './export-dialog.tsx';
import { FreezeDialog } from './freeze-dialog.tsx';
import { HistoryDrawer } from './history-drawer.tsx';
import { NoteEditor } from './note-editor.tsx';
import { Provenance } from './provenance.tsx';
import {
  caseActions,
  fetchFile,
  fileQuery,
  makeData,
  moreRows,
  oracleQuery,
  type OpenReport,
  type Place,
  reportQuery,
  exportReport,
} from './queries.ts';
import { AiReading } from './ai-reading.tsx';
import { CombineDialog } from './combine-dialog.tsx';
import type { Choice } from './side-by-side.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { PinPad } from './pin-pad.tsx';
import { usePins } from './use-pins.ts';
import { ReportBar } from './report-bar.tsx';
import { ReportWaiting } from './report-waiting.tsx';
import styles from './report-page.module.css';
import { RowsDrawer } from './rows-drawer.tsx';
import { RemedyReports } from './remedy-reports.tsx';
import { exportBlocks } from './share-blocks.ts';
import { ShareDialog } from './share-dialog.tsx';
import { type Freshness, useFreshness } from './use-freshness.ts';
import { type SavedPresentation, useSavedPresentation } from './use-saved-presentation.ts';
import { FAILED, useReportActions } from './use-report-actions.ts';
import { type Going, useReportRun } from './use-report-run.ts';
import { type RemedyReport, useRemedyReport } from './use-remedy-report.ts';

export function ReportPage({ place, vid, rev }: { place: Place; vid: number; rev: number | null }) {
  const navigate = useNavigate();
  const report = useQuery(reportQuery(place, rev));
  const presentation = useSavedPresentation(place);
  const run = useReportRun(place);
  // What is read stays when reading it again fails: values typed into it would be lost with it.
  const isUnborn = report.isLoadingError && isNotFound(report.error);
  // It may have been born between the two questions: asked for once more.
  const mayBeBorn = isUnborn && run.going === null && report.errorUpdateCount < 2;
  const { refetch } = report;
  useEffect(() => {
    if (mayBeBorn) void refetch();
  }, [mayBeBorn, refetch]);
  usePageTitle(report.data?.title ?? null);
  usePrintLight();
  const isAsking = isUnborn && (run.going === undefined || mayBeBorn || report.isFetching);
  if (isUnborn && run.going) {
    return (
      <div className={styles['trouble']}>
        <ReportWaiting going={run.going} />
      </div>
    );
  }
  if (report.isLoadingError && !isAsking) {
    return (
      <div className={styles['trouble']}>
        <EmptyState
          art
          {...troubleOf(report.error, run.failed)}
          actions={
            <>
              <Button onClick={() => void navigate(`/analysis/result/${vid}`)}>看这份数据的报告</Button>
              {isUnborn ? null : <Button onClick={() => void refetch()}>重试</Button>}
            </>
          }
        />
      </div>
    );
  }
  if (report.data === undefined || presentation.value === undefined) {
    return (
      <div className={styles['page']}>
        <div className={styles['barSpace']} />
        <div className={styles['columns']}>
          <span />
          <ReportView report={null} />
        </div>
      </div>
    );
  }
  return (
    <Loaded
      report={report.data}
      place={{ ...place, project_id: report.data.project_id }}
      asked={rev}
      presentation={presentation}
      going={run.going ?? null}
    />
  );
}

function troubleOf(error: unknown, failed: RunState | null): { title: string; hint: string } {
  if (failed !== null) return { title: '这次计算没有完成', hint: `${FAILED[failed] ?? '计算出错，请再试一次'}。` };
  return isNotFound(error)
    ? { title: '没有找到这份报告', hint: '它可能已被删除，或属于另一个账号。删除不到 30 天的报告在回收站里。' }
    : { title: '报告没有打开', hint: errorText(error) };
}

interface LoadedProps {
  report: OpenReport;
  place: Place;
  asked: number | null;
  presentation: SavedPresentation;
  /** A newer result is being computed, here or elsewhere. */
  going: Going | null;
}

type Open = 'history' | 'share' | 'outline' | 'origin' | 'export' | 'combine' | 'compare' | null;

function Loaded({ report, place, asked, presentation, going }: LoadedProps) {
  const [open, setOpen] = useState<Open>(null);
  const [rows, setRows] = useState<RowsQuery | null>(null);
  const [wish, setWish] = useState<ExportWish | null>(null);
  const freshness = useFreshness(report);
  const acts = useReportActions(report, place, freshness);
  const oracle = useQuery(oracleQuery(report.path));
  const second = useRemedyReport(report, place.project_id);
  const [other, setOther] = useState<Choice | null>(null);
  const onRemedy = useRemedy(report, second);
  const onMakeData = useMakeData(place);
  const onAnalyse = useFilled();
  const models = useModelActions(report.vid);
  const pins = usePins(place.project_id);
  const { add } = pins;
  const { rid, rev, title, vid } = report;
  const onPin = useCallback((pin: PinnedNumber) => add({ rid, rev, title, vid }, pin), [add, rid, rev, title, vid]);
  const cases = useMemo(() => caseActions(place, rev, vid), [place, rev, vid]);
  const phases = useMemo(
    () => phasesToFreeze(report.document, oracle.data?.declaration ?? null),
    [report.document, oracle.data],
  );
  const [isFreezing, setFreezing] = useState(false);
  const onFile = (file: string, name: string): void => {
    fetchFile(place, report.rev, file)
      .then((blob) => saveFile(name, blob.type, blob))
      .catch((error: unknown) => toast.warn(errorText(error)));
  };
  const onMoreRows = useMemo(
    () => (file: string, offset: number) => moreRows(place, report.rev, file, offset),
    [place, report.rev],
  );
  const settingsUrl = settingsOf(report, place);
  const old = asked !== null && asked !== report.revs;
  const origin = <OriginPane report={report} freshness={freshness} settingsUrl={settingsUrl} place={place} />;
  return (
    <div className={styles['page']}>
      <ReportBar
        report={report}
        place={place}
        freshness={freshness}
        going={going}
        acts={acts}
        settingsUrl={settingsUrl}
        presentation={presentation.value}
        onOpen={setOpen}
      />
      {old ? <OldBar report={report} asked={asked} place={place} onRestore={() => acts.restoreRev(asked)} /> : null}
      <div className={styles['scroll']}>
        <div className={styles['columns']}>
          <div className={styles['outline']}>
            <OutlineNav report={report.document} />
          </div>
          <HelpPage value={helpFor(oracle.data?.help.doc_link ?? null, report.document.method.version)}>
            <ReportView
              report={report.document}
              presentation={presentation.value}
              onPresentationChange={presentation.change}
              readonly={old}
              keptAs={`${place.project_id}/${place.report_id}`}
              updating={acts.updating || (going !== null && !old)}
              madeAt={report.made_at}
              title={report.title}
              verified={oracle.data?.oracle}
              onRemedy={old ? undefined : onRemedy}
              onRows={setRows}
              cases={cases}
              onFreeze={old || phases.length === 0 ? undefined : () => setFreezing(true)}
              onFile={onFile}
              onAnalyse={onAnalyse}
              onMakeData={old ? undefined : onMakeData}
              onMoreRows={onMoreRows}
              models={old ? undefined : models}
              onExport={setWish}
              onPin={onPin}
              besides={
                old ? undefined : (
                  <>
                    <RemedyReports
                      report={report}
                      project={place.project_id}
                      second={second}
                      onCompare={({ rid: with_, title: name }) => {
                        setOther({ rid: with_, rev: null, name });
                        setOpen('compare');
                      }}
                    />
                    <AiReading report={report} />
                  </>
                )
              }
            />
          </HelpPage>
          <div className={styles['origin']}>{origin}</div>
        </div>
      </div>
      <HistoryDrawer
        open={open === 'history'}
        report={report}
        place={place}
        onClose={() => setOpen(null)}
        onRestore={acts.restoreRev}
      />
      <Drawer title="目录" placement="left" size={280} open={open === 'outline'} onClose={() => setOpen(null)}>
        <OutlineNav report={report.document} onGo={() => setOpen(null)} />
      </Drawer>
      <Drawer title="来历与备注" size={320} open={open === 'origin'} onClose={() => setOpen(null)}>
        {origin}
      </Drawer>
      {isFreezing ? (
        <FreezeDialog
          place={place}
          rev={rev}
          standard={report.title}
          phases={phases}
          onClose={() => setFreezing(false)}
        />
      ) : null}
      {rows === null ? null : <RowsDrawer asked={rows} report={report} place={place} onClose={() => setRows(null)} />}
      {open === 'export' || wish !== null ? (
        <ReportExportDialog
          title="导出报告"
          style={presentation.value?.style}
          blocks={exportBlocks(report.document, report.note)}
          chapter={{
            report: report.document,
            title: report.title,
            madeAt: report.made_at,
            note: report.note,
            presentation: readPresentation(presentation.value),
          }}
          begin={(body) => exportReport(place, old ? undefined : presentation.value, { ...body, rev: report.rev })}
          chosen={wish === null ? undefined : chosenOf(wish)}
          onClose={() => {
            setWish(null);
            setOpen(null);
          }}
        />
      ) : null}
      <PinPad pins={pins} project={place.project_id} />
      {open === 'combine' ? (
        <CombineDialog report={report} project={place.project_id} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'compare' ? (
        <CompareDialog
          report={report}
          project={place.project_id}
          other={other}
          onClose={() => {
            setOpen(null);
            setOther(null);
          }}
        />
      ) : null}
      {open === 'share' ? <ShareDialog report={report} place={place} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

function OriginPane({
  report,
  freshness,
  settingsUrl,
  place,
}: {
  report: OpenReport;
  freshness: Freshness;
  settingsUrl: string;
  place: Place;
}) {
  return (
    <Provenance report={report} freshness={freshness} settingsUrl={settingsUrl}>
      <NoteEditor report={report} place={place} />
    </Provenance>
  );
}

/** An older revision is on the desk: said at the top, with the ways on. */
function OldBar({
  report,
  asked,
  place,
  onRestore,
}: {
  report: OpenReport;
  asked: number;
  place: Place;
  onRestore: () => void;
}) {
  const navigate = useNavigate();
  const newest = `/analysis/result/${report.vid ?? 0}?project_id=${place.project_id}&report_id=${place.report_id}`;
  return (
    <div className={styles['old']} role="status">
      <span>
        这是第 {asked} 次的结果，只读。共 {report.revs} 次。
      </span>
      <Button size="small" onClick={onRestore}>
        恢复到此处
      </Button>
      <Button size="small" type="text" onClick={() => void navigate(newest, { replace: true })}>
        回到最新
      </Button>
    </div>
  );
}

export function settingsOf(report: { vid: number | null; path: string }, place: Place): string {
  return `/analysis/operation/${report.vid ?? 0}?method=${report.path}&project_id=${place.project_id}&report_id=${place.report_id}`;
}

/** Another setting is computed as a second result beside this one; another method or a step opens with what it proposes. */
function useRemedy(report: OpenReport, second: RemedyReport): (remedy: Remedy) => void {
  const navigate = useNavigate();
  return (remedy) => {
    if ('set' in remedy) second.add(remedy);
    else if ('method' in remedy) {
      const carry = Object.fromEntries(remedy.carry.map((key) => [key, report.form[key]]));
      void navigate(`/analysis/operation/${report.vid ?? 0}?method=${remedy.method}`, { state: { carry } });
    } else if (remedy.step.includes('/')) {
      const columns = remedy.columns.join(',');
      void navigate(`/dataprocessing/dispose/${report.vid ?? 0}?method=${remedy.step}&columns=${columns}`);
    } else void navigate(`/mydata/detail/${report.vid ?? 0}?column=${remedy.columns[0] ?? ''}`);
  };
}

function useMakeData(place: Place): (element: string) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (element) => {
    makeData(place, element)
      .then(async ({ vid }) => {
        await client.invalidateQueries({ queryKey: ['report', place.project_id, place.report_id] });
        await client.invalidateQueries({ queryKey: ['files'] });
        toast.done('已存为新的数据版本', {
          action: { text: '查看', run: () => void navigate(`/mydata/detail/${vid}`) },
        });
      })
      // The client has said what went wrong.
      .catch(() => undefined);
  };
}

/** A filled table is analysed in its newest version: results are typed in after the table was made. */
function useFilled(): (vid: number, filled: FilledForm) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (vid, { path, form }) => {
    client
      .fetchQuery(versionQuery(vid))
      .then(({ fid }) => client.fetchQuery(fileQuery(fid)))
      .then(({ history }) => {
        const head = history.find((one) => one.is_head)?.vid ?? vid;
        void navigate(`/analysis/operation/${head}?method=${path}`, { state: { carry: form } });
      })
      .catch((error: unknown) => toast.warn(errorText(error)));
  };
}

/** The phases whose limits can be kept; none where the method, or a report of old, has none, or they are kept ones. */
function phasesToFreeze(document: Report, declaration: Declaration | null): (string | null)[] {
  const field = declaration?.fields.find((one) => one.type === 'frozen');
  const [part, ...others] = document.parts;
  if (field === undefined || part === undefined || others.length > 0) return [];
  if ((document.form[field.key] ?? null) !== null) return [];
  const table = part.elements.find((one) => one.type === 'table' && one.name === field.table);
  if (table?.type !== 'table') return [];
  const at = table.columns.findIndex(({ key }) => key === 'phase');
  return table.rows.map((row) => {
    const name = row[at];
    return typeof name === 'string' ? name : null;
  });
}
