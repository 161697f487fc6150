/** One analysis: variables, settings, result, and everything that acts on all three. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { FieldFault } from '@hengxi/contracts/http';
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';

import { VariableBoxes } from '../../../fields/boxes/variable-boxes.tsx';
import { titleOf } from '../../../fields/column.ts';
import { DimensionStrip } from '../../../fields/dimensions/dimension-strip.tsx';
import { FormProvider } from '../../../fields/form-context.tsx';
import { MethodForm } from '../../../fields/method-form.tsx';
import { ownFoldersQuery } from '../../../fields/own-folders.ts';
import type { VariableListProps } from '../../../fields/variables/variable-list.tsx';
import { VariableList } from '../../../fields/variables/variable-list.tsx';
import { NO_VID, versionOrNoneQuery } from '../../../lib/catalogue.ts';
import { type MethodAccess, useMethodAccess, useTellLocked } from '../../../lib/method-access.ts';
import { HelpPage } from '../../../report/help-page.ts';
import { DataStatus, savedText } from '../data-status.tsx';
import { writeAutoRun } from '../local.ts';
import type { WorkbenchProps } from './create-analysis.ts';
import { createAnalysis } from './create-analysis.ts';
import { FILTER, SPLIT, splitOf, WEIGHT, weightOf } from './boxes-of.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { redoText, undoText } from '../../../fields/history.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { MethodHead } from './method-head.tsx';
import { Panes, useFold } from './panes.tsx';
import { ReportHistory } from './report-history.tsx';
import { ResultPane } from './result-pane.tsx';
import { RunFooter } from './run-footer.tsx';
import { Slots } from './slots.tsx';
import { needsSave, type Operation } from './store.ts';
import { useActions } from './use-actions.ts';
import { useFilter } from './use-filter.ts';
import { useFormTools } from './use-form-tools.ts';
import { useKeys } from './use-keys.ts';
import styles from './workbench.module.css';

/** What the version has active decides the result too: settings are judged anew when it changes under them. */
function useRejudged(operation: Operation, version: Version): void {
  const now = `${version.vid}/${JSON.stringify(version.active)}`;
  const judged = useRef(now);
  useEffect(() => {
    if (judged.current === now) return;
    judged.current = now;
    operation.start();
  }, [operation, now]);
}

/** A method one may not run starts nothing by itself; unlocked, it goes on with what has been filled in. */
function useAccess(operation: Operation, { path, title, tier }: Declaration): MethodAccess {
  const access = useMethodAccess(path, tier);
  useTellLocked(path, title, access.state === 'locked');
  useEffect(() => operation.run.setLocked(access.state !== 'open'), [operation, access.state]);
  return access;
}

const SLOT = {
  filter: { key: FILTER, word: '筛选' },
  weight: { key: WEIGHT, word: '加权' },
  split: { key: SPLIT, word: '分层' },
} as const;

/** A remedy offered by the report belongs to no field. */
const NO_FIELD: FieldFault = { field: null, code: '', text: '' };

export function Workbench(props: WorkbenchProps) {
  const { method } = props;
  const { declaration, help } = method;
  const [operation] = useState(() => createAnalysis(props));
  const state = useStore(operation.store);
  const { history, machine } = state;
  const { form } = history.now;
  // The version follows the history: undoing a change of type returns to the version before it.
  const current = useQuery({
    ...versionOrNoneQuery(history.now.vid),
    placeholderData: (before) => before,
    // Another tab may have changed the active filter, weight or split meanwhile.
    refetchOnWindowFocus: 'always',
  });
  const version = current.data ?? props.version;
  const takesData = declaration.needs_data !== false && version.vid !== NO_VID;
  const list = useQuery({ ...ownFoldersQuery(version.vid), enabled: takesData }).data;
  useRejudged(operation, version);
  const access = useAccess(operation, declaration);
  const tools = useFormTools(operation, state, declaration, version);
  const [sought, setSought] = useState(props.sought);
  const [showHistory, setShowHistory] = useState(false);
  const { active } = version;
  const filter = useFilter(operation, form, version, tools);
  const acts = useActions({ operation, state, declaration, version, tools });

  useEffect(() => {
    operation.start();
    return () => operation.dispose();
  }, [operation]);
  useKeys({ operation, onFilter: filter.open, onDuplicate: acts.duplicate });

  const name = (id: string): string => {
    const column = tools.known.get(id);
    return column === undefined ? id : titleOf(column);
  };
  const [split, weight] = [splitOf(form, active), weightOf(form, active)];
  const clear = (what: 'filter' | 'weight' | 'split'): void => {
    const { key, word } = SLOT[what];
    operation.set(key, active[what] === null ? undefined : null, { text: `取消${word}` });
  };
  return (
    <FormProvider value={tools}>
      <div className={styles['bench']}>
        <DataStatus
          data={takesData ? { version, onFile: acts.switchFile, onVersion: acts.switchVersion } : null}
          inForce={{
            filter: filter.inForce,
            weight: weight === null ? null : name(weight.column),
            split: split === null ? null : name(split.column),
          }}
          onFilter={filter.open}
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
        <VariableBoxes onOpen={filter.openWith}>
          <Panes
            variables={
              takesData ? (
                <Variables
                  {...list}
                  onSelect={(ids) => operation.select(ids)}
                  onRetype={(ids, kind) => void acts.retype(ids, kind)}
                />
              ) : null
            }
            settings={
              <>
                <MethodHead
                  declaration={declaration}
                  help={help}
                  menu={acts.menu}
                  unlockedUntil={access.until}
                  onExample={acts.fillExample}
                />
                <div className={styles['scroll']}>
                  {takesData ? <DimensionStrip declaration={declaration} version={version} /> : null}
                  <MethodForm declaration={declaration} sought={sought} />
                  <Slots
                    declaration={declaration}
                    active={active}
                    counted={filter.inForce?.counted ?? null}
                    onFilter={filter.open}
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
              <HelpPage value={method.help.doc_link}>
                <ResultPane
                  declaration={declaration}
                  machine={machine}
                  vid={version.vid}
                  reportUrl={acts.reportUrl}
                  onRun={() => void operation.run.run()}
                  onFreeze={(frozen) => void acts.freeze(frozen)}
                  onRemedy={(remedy) => {
                    tools.remedy(remedy, NO_FIELD);
                    if ('set' in remedy) setSought({ keys: Object.keys(remedy.set) });
                  }}
                  isLocked={access.state === 'locked'}
                  verified={method.oracle}
                />
              </HelpPage>
            }
          />
        </VariableBoxes>
        <div className="hx-hidden" role="status" aria-live="polite">
          {tools.said}
        </div>
        {filter.editing === null ? null : (
          <FilterDialog {...filter.editing} onApply={filter.apply} onClose={filter.close} />
        )}
        <ReportHistory open={showHistory} operation={operation} state={state} onClose={() => setShowHistory(false)} />
        <LeaveGuard needSave={needsSave(state)} onSave={acts.saveToLeave} onDiscard={() => operation.discard()} />
      </div>
    </FormProvider>
  );
}

/** The list in its pane, which can be folded away. */
function Variables(props: VariableListProps) {
  const fold = useFold();
  return <VariableList {...props} onFold={() => fold('variables')} />;
}
