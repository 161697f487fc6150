/** One analysis: variables, settings, result, and everything that acts on all three. */
import type { FieldFault } from '@hengxi/contracts/http';
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';

import type { Box } from '../../../fields/boxes/box.ts';
import { VariableBoxes } from '../../../fields/boxes/variable-boxes.tsx';
import { conditionWords } from '../../../fields/condition/words.ts';
import { titleOf } from '../../../fields/column.ts';
import type { Form } from '../../../fields/form.ts';
import { FormProvider } from '../../../fields/form-context.tsx';
import { versionQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { noticeEnd } from '../background.ts';
import { DataStatus, savedText } from '../data-status.tsx';
import { readAutoRun, readDraft, writeAutoRun, writeDraft } from '../local.ts';
import type { Method, OpenReport } from '../queries.ts';
import { activateFilter, countQuery, outsideOf, saveForm } from '../queries.ts';
import { FILTER, filterOf, SPLIT, splitOf, WEIGHT, weightOf } from './boxes-of.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { redoText, undoText } from './history.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { MethodForm } from './method-form.tsx';
import { MethodHead } from './method-head.tsx';
import { Panes } from './panes.tsx';
import { ResultPane } from './result-pane.tsx';
import { RunFooter } from './run-footer.tsx';
import { Slots } from './slots.tsx';
import { needsSave, Operation } from './store.ts';
import { useActs } from './use-acts.ts';
import { useFormTools } from './use-form-tools.ts';
import { useKeys } from './use-keys.ts';
import { ReportHistory } from './report-history.tsx';
import { VariableList } from './variable-list.tsx';
import styles from './workbench.module.css';

export interface WorkbenchProps {
  method: Method;
  vid: number;
  version: Version;
  form: Form;
  restored: boolean;
  report: OpenReport | null;
}

const SLOT = {
  filter: { key: FILTER, word: '筛选' },
  weight: { key: WEIGHT, word: '加权' },
  split: { key: SPLIT, word: '分层' },
} as const;

/** A remedy offered by the report belongs to no field. */
const NO_FIELD: FieldFault = { field: null, code: '', text: '' };

function begin({ method, vid, version, form, restored, report }: WorkbenchProps): Operation {
  const { path } = method.declaration;
  const place = (report_id: number | null) => ({ fid: version.fid, path, report_id });
  return new Operation(
    {
      outside: outsideOf(path),
      keep(work, report_id, at) {
        const draft = { form: work.form, vid: work.vid, at: at.toISOString() };
        writeDraft(place(report_id), draft);
        // Also the method's last assignment on this file: what a new analysis of it starts from.
        if (report_id !== null) writeDraft(place(null), draft);
      },
      forget: (report_id) => writeDraft(place(report_id), null),
      left: (run_id, at) => noticeEnd(run_id, method.declaration.title, at),
      save: async (at, work, time) => {
        await saveForm(at, work.form, time.toISOString());
      },
    },
    {
      work: { vid, form },
      project_id: report?.project_id ?? null,
      report_id: report?.rid ?? null,
      result:
        report === null
          ? null
          : {
              key: report.key,
              project_id: report.project_id,
              report_id: report.rid,
              rev: report.rev,
              report: report.document,
              cached: true,
              stopped: report.document.stopped,
            },
      frozen: report?.frozen ?? false,
      auto: readAutoRun(),
      restored: restored && readDraft(place(report?.rid ?? null)) !== null,
    },
  );
}

export function Workbench(props: WorkbenchProps) {
  const { method } = props;
  const { declaration, help } = method;
  const [operation] = useState(() => begin(props));
  const state = useStore(operation.store);
  const { history, machine } = state;
  const { form } = history.now;
  // The version follows the history: undoing a change of type returns to the version before it.
  const current = useQuery({ ...versionQuery(history.now.vid), placeholderData: (before) => before });
  const version = current.data ?? props.version;
  const tools = useFormTools(operation, state, declaration, version);
  const [filtering, setFiltering] = useState<{ start: string; add: string | null } | null>(null);
  const [showHistory, setShowHistory] = useState(false);
  const { active } = version;
  const filter = filterOf(form, active);
  const counted = useQuery({
    ...countQuery(version.vid, filter?.condition ?? '', filter?.filter_type ?? 'keep'),
    enabled: filter !== null,
  });
  const acts = useActs({ operation, state, declaration, version, tools });

  useEffect(() => {
    operation.start();
    return () => operation.dispose();
  }, [operation]);
  const filterStart =
    filter === null ? '' : filter.filter_type === 'drop' ? `not (${filter.condition})` : filter.condition;
  const openFilter = useCallback((): void => setFiltering({ start: filterStart, add: null }), [filterStart]);
  const dropOnFilter = useCallback(
    (_: Box, ids: readonly string[]): void => setFiltering({ start: filterStart, add: ids[0] ?? null }),
    [filterStart],
  );
  useKeys({ operation, onFilter: openFilter, onDuplicate: acts.duplicate });

  const name = (id: string): string => {
    const column = tools.known.get(id);
    return column === undefined ? id : titleOf(column);
  };
  const [split, weight] = [splitOf(form, active), weightOf(form, active)];
  const clear = (what: 'filter' | 'weight' | 'split'): void => {
    const { key, word } = SLOT[what];
    operation.set(key, active[what] === null ? undefined : null, { text: `取消${word}` });
  };
  const applyFilter = (condition: string, everywhere: boolean): void => {
    setFiltering(null);
    operation.set(FILTER, condition === '' ? (active.filter === null ? undefined : null) : condition, {
      text: condition === '' ? '取消筛选' : `筛选：${conditionWords(condition, tools.known)}`,
    });
    if (!everywhere) return;
    activateFilter(version.vid, condition).then(
      () => void queryClient.invalidateQueries({ queryKey: ['version', version.vid] }),
      () => toast.warn('筛选只用在了这个分析'),
    );
  };

  return (
    <FormProvider value={tools}>
      <div className={styles['bench']}>
        <DataStatus
          data={{ version, onFile: acts.switchFile, onVersion: acts.switchVersion }}
          inForce={{
            filter:
              filter === null
                ? null
                : { text: conditionWords(filter.condition, tools.known), counted: counted.data ?? null },
            weight: weight === null ? null : name(weight.column),
            split: split === null ? null : name(split.column),
          }}
          onFilter={openFilter}
          onClear={clear}
          saved={savedText(state.saved.at, state.saved.where, state.saved.saving)}
          steps={{
            undo: undoText(history),
            redo: redoText(history),
            onUndo: () => operation.undo(),
            onRedo: () => operation.redo(),
            onHistory: () => setShowHistory(true),
          }}
        />
        <VariableBoxes onOpen={dropOnFilter}>
          <Panes
            variables={
              <VariableList
                onSelect={(ids) => operation.select(ids)}
                onRetype={(ids, kind) => void acts.retype(ids, kind)}
              />
            }
            settings={
              <>
                <MethodHead declaration={declaration} help={help} menu={acts.menu} />
                <div className={styles['scroll']}>
                  <MethodForm declaration={declaration} />
                  <Slots
                    declaration={declaration}
                    active={active}
                    counted={filter === null ? null : (counted.data ?? null)}
                    onFilter={openFilter}
                  />
                </div>
                <RunFooter
                  machine={machine}
                  saving={acts.saving}
                  onAuto={(on) => {
                    writeAutoRun(on);
                    operation.run.setAuto(on);
                  }}
                  onSave={() => void acts.save()}
                  onRun={() => void operation.run.run()}
                  onCancel={() => void operation.run.cancel()}
                  onStop={() => void operation.run.stop()}
                />
              </>
            }
            result={
              <ResultPane
                declaration={declaration}
                machine={machine}
                reportUrl={acts.reportUrl}
                onRun={() => void operation.run.run()}
                onFreeze={(frozen) => void acts.freeze(frozen)}
                onRemedy={(remedy) => tools.remedy(remedy, NO_FIELD)}
                verified={method.oracle}
              />
            }
          />
        </VariableBoxes>
        <div className="hx-hidden" role="status" aria-live="polite">
          {tools.said}
        </div>
        {filtering === null ? null : (
          <FilterDialog
            start={filtering.start}
            add={filtering.add}
            onApply={applyFilter}
            onClose={() => setFiltering(null)}
          />
        )}
        <ReportHistory open={showHistory} operation={operation} state={state} onClose={() => setShowHistory(false)} />
        <LeaveGuard needSave={needsSave(state)} onSave={acts.saveToLeave} onDiscard={() => operation.discard()} />
      </div>
    </FormProvider>
  );
}
