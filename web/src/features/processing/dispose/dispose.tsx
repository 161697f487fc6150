/** One processing step: the tools, variables and settings, what it would do marked in the table, and the steps so far. */
import type { Declaration, HelpLink } from '@hengxi/contracts/contract';
import type { StepRow, Version } from '@hengxi/server/files/schema';
import { CheckOutlined, ReadOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { useBoxes, VariableBoxes } from '../../../fields/boxes/variable-boxes.tsx';
import { byId } from '../../../fields/column.ts';
import { conditionWords } from '../../../fields/condition/words.ts';
import type { Form } from '../../../fields/form.ts';
import { isRecord } from '../../../fields/form.ts';
import { FormProvider, isOpen, useForm } from '../../../fields/form-context.tsx';
import { DimensionStrip } from '../../../fields/dimensions/dimension-strip.tsx';
import { MethodForm } from '../../../fields/method-form.tsx';
import { ownFoldersQuery } from '../../../fields/own-folders.ts';
import { Remedies } from '../../../fields/parts.tsx';
import { changeSteps, finished, moveHead, refreshVersions, runMethod } from '../../../fields/steps/queries.ts';
import { StepsRail } from '../../../fields/steps/steps-rail.tsx';
import { useStepMoves } from '../../../fields/steps/use-step-moves.ts';
import { VariableList } from '../../../fields/variables/variable-list.tsx';
import { useShortcut } from '../../../lib/shortcuts.ts';
import { toast } from '../../../lib/toast.ts';
import { useStacked } from '../../../lib/use-media.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { ReportSkeleton } from '../../../ui/skeleton.tsx';
import { StatusBar, StatusItem, StatusSeparator } from '../../../ui/status-bar.tsx';
import { ToolsPane } from '../tools-pane.tsx';
import { SheetButtons, Workplace } from '../workplace.tsx';
import { changesText, Compare, stepOf } from './compare.tsx';
import { DataPeek } from './data-peek.tsx';
import styles from './dispose.module.css';
import { type StepPlace, writeStepDraft } from './step-draft.ts';
import type { Preview } from './use-preview.ts';
import { usePreview } from './use-preview.ts';
import { named, UndoButtons, useUndoKeys } from './undo-buttons.tsx';
import { useSettings } from './use-settings.ts';
import { useTools } from './use-tools.ts';

const ReportView = lazy(async () => ({ default: (await import('../../../report/report-view.tsx')).ReportView }));

/** A step that exists already: its settings are changed in the list of this version. */
export interface Edited {
  step_id: number;
  /** The version whose list it stands in. */
  of: number;
}

export interface DisposeProps {
  declaration: Declaration;
  help: HelpLink;
  version: Version;
  start: Form;
  edited: Edited | null;
  /** Where settings that are not applied are kept. */
  place: StepPlace;
  /** Those of an earlier visit. */
  draft: Form | null;
}

export function disposeUrl(vid: number, path: string, edited: Edited | null = null): string {
  return `/dataprocessing/dispose/${vid}?method=${path}${edited === null ? '' : `&step=${edited.step_id}&of=${edited.of}`}`;
}

/** The version with no tool chosen. */
export const workUrl = (vid: number): string => `/dataprocessing/index?vid=${vid}`;

/** Makes the version; what the data refuse is shown at the fields or in the result pane. */
function useApply({ declaration, version, edited, place }: DisposeProps, form: Form) {
  const navigate = useNavigate();
  const [working, setWorking] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const apply = async (): Promise<void> => {
    setWorking(true);
    setTrouble(null);
    const call = (): ReturnType<typeof runMethod> =>
      edited === null
        ? runMethod(declaration.path, version.vid, form)
        : changeSteps(edited.of, [{ op: 'edit', step_id: edited.step_id, form: { ...form } }]);
    try {
      const outcome = await finished(call(), { signal: new AbortController().signal });
      if (outcome.kind === 'failed') setTrouble(outcome.text);
      else if (outcome.vid !== null) {
        writeStepDraft(place, null);
        await refreshVersions();
        const back = (): void => {
          moveHead(version.fid, edited?.of ?? version.vid).then(
            async (file) => {
              await refreshVersions();
              await navigate(workUrl(file.vid));
            },
            () => undefined,
          );
        };
        await navigate(workUrl(outcome.vid));
        toast.done([`已应用“${declaration.title}”，存为新版本`, ...outcome.warnings].join('；'), {
          action: { text: '撤销', run: back },
        });
      }
    } catch {
      // Said by the client already; the settings stay.
    }
    setWorking(false);
  };
  return { working, trouble, apply: () => void apply() };
}

export function Dispose(props: DisposeProps) {
  const { declaration, help, version, start, edited, place, draft } = props;
  const navigate = useNavigate();
  const { form, commit, moves } = useSettings(declaration, version.vid, start, {
    draft,
    keep: (unapplied) => writeStepDraft(place, unapplied),
  });
  const preview = usePreview(declaration.path, version.vid, form);
  const list = useQuery(ownFoldersQuery(version.vid)).data;
  const onVersion = useCallback(
    (vid: number, kept: Form): void => void navigate(disposeUrl(vid, declaration.path), { state: { form: kept } }),
    [navigate, declaration.path],
  );
  const tools = useTools({ declaration, version, form, setForm: commit, preview, onVersion });
  const { working, trouble, apply } = useApply(props, form);
  const blocked = preview.faults[0]?.text ?? (preview.state === 'asking' ? '正在检查设置' : preview.trouble);
  const ready = blocked === null && !working;
  useShortcut('Ctrl+Enter', apply, ready);
  const editStep = (step: StepRow, on: number): void => {
    const path = step.params['path'];
    if (typeof path === 'string') void navigate(disposeUrl(on, path, { step_id: step.step_id, of: version.vid }));
  };
  const toVersion = (vid: number): void => onVersion(vid, form);
  const stacked = useStacked();
  // As on the data page: first what was changed here, then the last step.
  const steps = useStepMoves(version, toVersion);
  const undo = moves.undo ?? named(edited === null ? steps.undo : null, '上一步');
  const redo = moves.redo ?? named(edited === null ? steps.redo : null, '下一步');
  useUndoKeys(undo, redo);
  // What is selected goes along: the next tool begins with it.
  const toTool = (path: string): void => {
    const at = edited?.of ?? version.vid;
    const columns = tools.selection.length === 0 ? '' : `&columns=${tools.selection.join()}`;
    if (path !== declaration.path || edited !== null) void navigate(disposeUrl(at, path) + columns);
  };
  return (
    <FormProvider value={tools}>
      <VariableBoxes onOpen={() => undefined}>
        <Workplace
          status={
            <Status version={version} edited={edited !== null} filter={filterOf(form, version)}>
              <SheetButtons />
              <UndoButtons undo={undo} redo={redo} />
            </Status>
          }
          first="form"
          tools={<ToolsPane path={declaration.path} roomy={false} onStart={toTool} />}
          form={
            <section className={styles['settings']} aria-label="设置">
              <header className={styles['head']}>
                <h1>{declaration.title}</h1>
                <a href={help.doc_link} target="_blank" rel="noreferrer">
                  <ReadOutlined aria-hidden /> 帮助文档
                </a>
                <p>{declaration.purpose}</p>
              </header>
              <div className={styles['variables']} role="group" aria-label="变量">
                <VariableList {...list} onSelect={tools.select} onRetype={tools.retypeTo} />
              </div>
              <div className={styles['scroll']}>
                <DimensionStrip declaration={declaration} version={version} />
                <MethodForm declaration={declaration} />
              </div>
              <footer className={styles['foot']}>
                <span>{footText(preview, stacked, edited)}</span>
                <Tooltip title={blocked ?? 'Ctrl+Enter'}>
                  {/* Not `disabled`: a disabled button could not say why on focus. */}
                  <Button
                    type="primary"
                    icon={<CheckOutlined aria-hidden />}
                    loading={working}
                    aria-disabled={!ready}
                    className={ready ? '' : (styles['blocked'] ?? '')}
                    onClick={ready ? apply : undefined}
                  >
                    {edited === null ? '应用' : '应用修改'}
                  </Button>
                </Tooltip>
              </footer>
            </section>
          }
          tableTitle="预览"
          table={<Result version={version} preview={preview} trouble={trouble} />}
          steps={
            <StepsRail
              // A step that is changed is seen among all steps, not only those before it.
              version={edited === null ? version : { ...version, vid: edited.of }}
              onVersion={toVersion}
              onEdit={editStep}
            />
          }
        />
      </VariableBoxes>
      <div className="hx-hidden" role="status" aria-live="polite">
        {tools.said}
      </div>
    </FormProvider>
  );
}

/** The settings say which rows are processed, else what the version has active. */
function filterOf(form: Form, { active, columns }: Version): string | null {
  const own = form['_filter'];
  const condition = own === undefined ? active.filter?.condition : isRecord(own) ? own['condition'] : null;
  return typeof condition === 'string' ? conditionWords(condition, byId(columns)) : null;
}

interface StatusProps {
  version: Version;
  edited: boolean;
  filter: string | null;
  children: ReactNode;
}

function Status({ version, edited, filter, children }: StatusProps) {
  return (
    <StatusBar
      left={
        <>
          <Link to={`/mydata/detail/${version.vid}`}>
            <strong>{version.name}</strong> v{version.number}
          </Link>
          <StatusSeparator />
          <StatusItem text={filter === null ? '处理全部行' : `只处理筛选后的行：${filter}`} active={filter !== null} />
          {edited ? <StatusItem text="正在修改已有的步骤" active /> : null}
        </>
      }
      right={
        <>
          {children}
          <StatusSeparator />
          <Link to={`/mydata/detail/${version.vid}`}>查看全部数据</Link>
        </>
      }
    />
  );
}

/** With the preview out of sight, what it says stands beside the button. */
function footText(preview: Preview, stacked: boolean, edited: Edited | null): string {
  const step = preview.state === 'fresh' ? stepOf(preview.report) : null;
  if (stacked && step !== null) return changesText(step);
  return edited === null ? '存为新版本，原数据不变' : '这一步和后面的步骤会重新运行';
}

interface ResultProps {
  version: Version;
  preview: Preview;
  trouble: string | null;
}

function Result({ version, preview, trouble }: ResultProps) {
  const { rowsAt, known } = useForm();
  const { send } = useBoxes();
  const step = stepOf(preview.report);
  const problem = trouble ?? preview.trouble;
  const old = preview.state !== 'fresh';
  const pick = (id: string): void => void send([id]);
  // Nothing to compare yet: the table as it is. Once there was something it stays, marked as old.
  const isBare = step === null && preview.state !== 'asking';
  return (
    <section className={styles['result']} aria-label="预览" aria-busy={preview.state === 'asking'}>
      {problem === null ? null : (
        <div className={styles['trouble']} role="alert">
          <CheckMark state="care" />
          <div>
            {problem}
            {preview.faults
              .filter((fault) => fault.field?.startsWith('_'))
              .map((fault) => (
                <Remedies key={fault.code} fault={fault} />
              ))}
          </div>
        </div>
      )}
      {preview.state === 'open' && problem === null ? <p className={styles['hint']}>{openText(preview)}</p> : null}
      {isBare ? (
        <DataPeek version={version} onPick={pick} title="放入合适的框" />
      ) : step === null ? (
        <ReportSkeleton />
      ) : (
        <>
          <Compare step={step} known={known} old={old} rowsAt={rowsAt} onPick={pick} />
          <details className={styles['account']}>
            <summary>处理说明</summary>
            <Suspense fallback={<ReportSkeleton />}>
              <ReportView report={preview.report} compact readonly updating={old} scope="preview" />
            </Suspense>
          </details>
        </>
      )}
    </section>
  );
}

function openText({ faults }: Preview): string {
  const wrong = faults.find((fault) => !isOpen(fault));
  return wrong?.text ?? '选好变量和选项，这里标出处理后的变化。点列名可放入变量。';
}
