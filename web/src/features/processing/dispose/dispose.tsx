/** One processing step: variables, settings, what it would do, and the steps so far. */
import type { Declaration, HelpLink } from '@hengxi/contracts/contract';
import type { StepRow, Version } from '@hengxi/server/files/schema';
import { CheckOutlined, OrderedListOutlined, ReadOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Drawer, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { VariableBoxes } from '../../../fields/boxes/variable-boxes.tsx';
import { byId } from '../../../fields/column.ts';
import { conditionWords } from '../../../fields/condition/words.ts';
import type { Form } from '../../../fields/form.ts';
import { isRecord } from '../../../fields/form.ts';
import { FormProvider, isOpen, useForm } from '../../../fields/form-context.tsx';
import { MethodForm } from '../../../fields/method-form.tsx';
import { ownFoldersQuery } from '../../../fields/own-folders.ts';
import { Remedies } from '../../../fields/parts.tsx';
import { changeSteps, finished, moveHead, refreshVersions, runMethod } from '../../../fields/steps/queries.ts';
import { StepsRail } from '../../../fields/steps/steps-rail.tsx';
import { useStepMoves } from '../../../fields/steps/use-step-moves.ts';
import { VariableList } from '../../../fields/variables/variable-list.tsx';
import { useShortcut } from '../../../lib/shortcuts.ts';
import { toast } from '../../../lib/toast.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ReportSkeleton } from '../../../ui/skeleton.tsx';
import { StatusBar, StatusItem, StatusSeparator } from '../../../ui/status-bar.tsx';
import { Compare, stepOf } from './compare.tsx';
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
              await navigate(`/mydata/detail/${file.vid}`);
            },
            () => undefined,
          );
        };
        await navigate(`/mydata/detail/${outcome.vid}`);
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
  // As on the data page: first what was changed here, then the last step.
  const steps = useStepMoves(version, toVersion);
  const undo = moves.undo ?? named(edited === null ? steps.undo : null, '上一步');
  const redo = moves.redo ?? named(edited === null ? steps.redo : null, '下一步');
  useUndoKeys(undo, redo);
  const narrow = useMedia('(max-width: 1179px)');
  const [drawn, setDrawn] = useState(false);
  const rail = (
    <StepsRail
      // A step that is changed is seen among all steps, not only those before it.
      version={edited === null ? version : { ...version, vid: edited.of }}
      onVersion={toVersion}
      onEdit={editStep}
    />
  );
  return (
    <FormProvider value={tools}>
      <div className={styles['page']}>
        <Status version={version} edited={edited !== null} filter={filterOf(form, version)}>
          <UndoButtons undo={undo} redo={redo} />
          {narrow ? (
            <Button type="text" size="small" icon={<OrderedListOutlined aria-hidden />} onClick={() => setDrawn(true)}>
              步骤
            </Button>
          ) : null}
        </Status>
        <VariableBoxes onOpen={() => undefined}>
          <div className={styles['panes']}>
            <section className={styles['variables']} aria-label="变量">
              <VariableList {...list} onSelect={tools.select} onRetype={tools.retypeTo} />
            </section>
            <section className={styles['settings']} aria-label="设置">
              <header className={styles['head']}>
                <h1>{declaration.title}</h1>
                <p>{declaration.purpose}</p>
                <a href={help.doc_link} target="_blank" rel="noreferrer">
                  <ReadOutlined aria-hidden /> 帮助文档
                </a>
              </header>
              <div className={styles['scroll']}>
                <MethodForm declaration={declaration} />
              </div>
              <footer className={styles['foot']}>
                <span>{edited === null ? '存为新版本，原数据不变' : '这一步和后面的步骤会重新运行'}</span>
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
            <Result preview={preview} trouble={trouble} />
            {narrow ? null : <div className={styles['rail']}>{rail}</div>}
          </div>
        </VariableBoxes>
        {narrow ? (
          <Drawer
            open={drawn}
            onClose={() => setDrawn(false)}
            size={340}
            title="步骤"
            mask={{ blur: false }}
            closable={{ 'aria-label': '关闭' }}
            styles={{ body: { padding: 0 } }}
          >
            {rail}
          </Drawer>
        ) : null}
        <div className="hx-hidden" role="status" aria-live="polite">
          {tools.said}
        </div>
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
          <Link to={`/dataprocessing/index?vid=${version.vid}`}>换一个方法</Link>
        </>
      }
    />
  );
}

function Result({ preview, trouble }: { preview: Preview; trouble: string | null }) {
  const { rowsAt, known } = useForm();
  const step = stepOf(preview.report);
  const problem = trouble ?? preview.trouble;
  const old = preview.state !== 'fresh';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <section className={styles['result']} aria-label="前后对照" aria-busy={preview.state === 'asking'} tabIndex={0}>
      <h2>前后对照</h2>
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
      {step === null ? (
        problem === null ? (
          preview.state === 'open' ? (
            <EmptyState
              title={preview.faults.every(isOpen) ? '选好变量和选项后，这里显示处理前后的数据' : '请检查设置'}
              hint={preview.faults.find((fault) => !isOpen(fault))?.text ?? null}
            />
          ) : (
            <ReportSkeleton />
          )
        ) : null
      ) : (
        <>
          <Compare step={step} known={known} old={old} rowsAt={rowsAt} />
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
