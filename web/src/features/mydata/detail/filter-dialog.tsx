/** The filter in force for every analysis of this version, built from rows with a live count. */
import type { Column, Version } from '@hengxi/server/files/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Segmented } from 'antd';
import { useMemo, useState } from 'react';

import { type Condition, isComplete } from '../../../fields/condition/condition.ts';
import { ConditionEditor } from '../../../fields/condition/condition-editor.tsx';
import { FormProvider, type FormTools } from '../../../fields/form-context.tsx';
import { versionQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { countFilter, setFilter } from '../queries.ts';
import styles from './filter-dialog.module.css';
import { type FilterDraft, readFilterDraft, writeFilterDraft } from './filter-draft.ts';
import { NamedFilters } from './named-filters.tsx';

interface FilterDialogProps {
  version: Version;
  known: ReadonlyMap<string, Column>;
  onClose: () => void;
}

type Kind = FilterDraft['kind'];

/** Rows that say something and do not count yet. */
const hasUnfinished = (rows: Condition | null): boolean =>
  rows !== null && rows.groups.some((group) => group.rows.some((row) => row.column !== '' && !isComplete(row)));

/** The condition editor stands outside of a method's form here: it asks for the columns and the count, for nothing else. */
function useEditorTools(version: Version, known: ReadonlyMap<string, Column>, kind: Kind): FormTools {
  return useMemo(
    () => ({
      fields: [],
      form: {},
      resolved: {},
      columns: version.columns,
      sets: [],
      known,
      boxes: [],
      faults: [],
      selection: [],
      readOnly: false,
      set: () => undefined,
      apply: () => undefined,
      remedy: () => undefined,
      retype: () => undefined,
      offers: () => false,
      probe: () => Promise.resolve([]),
      count: (condition) => countFilter(version.vid, condition, kind, new AbortController().signal),
      announce: () => undefined,
    }),
    [version, known, kind],
  );
}

export function FilterDialog({ version, known, onClose }: FilterDialogProps) {
  const active = version.active.filter;
  const inForce: FilterDraft = { formula: active?.condition ?? '', kind: active?.filter_type ?? 'keep', rows: null };
  const [savedDraft, setKept] = useState(() => readFilterDraft(version.vid));
  const { formula, kind, rows } = savedDraft ?? inForce;
  /** The editor reads its rows anew when they are not the ones it holds: a saved filter is taken up, changes are dropped. */
  const [taken, setTaken] = useState(0);
  const write = (change: Partial<FilterDraft>): void => {
    const next = { formula, kind, rows, ...change };
    const isSame = next.formula === inForce.formula && next.kind === inForce.kind && !hasUnfinished(next.rows);
    const draft = isSame ? null : next;
    writeFilterDraft(version.vid, draft);
    setKept(draft);
  };
  const anew = (draft: Partial<FilterDraft>): void => {
    write({ rows: null, ...draft });
    setTaken((old) => old + 1);
  };
  const tools = useEditorTools(version, known, kind);
  const apply = useMutation({
    mutationFn: (condition: string) => setFilter(version.vid, condition, kind),
    onSuccess: async () => {
      writeFilterDraft(version.vid, null);
      await queryClient.invalidateQueries({ queryKey: versionQuery(version.vid).queryKey });
      onClose();
    },
  });
  return (
    <Dialog
      open
      title="筛选"
      width="wide"
      onClose={onClose}
      outsideCloses={false}
      footer={
        <>
          {savedDraft === null ? null : (
            <Button type="text" onClick={() => anew(inForce)}>
              放弃修改
            </Button>
          )}
          <Button disabled={active === null} onClick={() => apply.mutate('')}>
            清除条件
          </Button>
          <Button
            type="primary"
            disabled={formula.trim() === ''}
            loading={apply.isPending}
            onClick={() => apply.mutate(formula)}
          >
            应用筛选
          </Button>
        </>
      }
    >
      <div className={styles['kind']}>
        <Segmented<Kind>
          aria-label="满足条件的行"
          options={[
            { value: 'keep', label: '保留满足条件的行' },
            { value: 'drop', label: '去掉满足条件的行' },
          ]}
          value={kind}
          onChange={(next) => write({ kind: next })}
        />
        <NamedFilters
          fid={version.fid}
          condition={formula}
          kind={kind}
          onTake={(filter) => anew({ formula: filter.condition, kind: filter.filter_type })}
        />
        <span>数据不会被删除；这一版的分析只用筛选后的行。</span>
      </div>
      <FormProvider value={tools}>
        <ConditionEditor
          key={`${kind} ${taken}`}
          value={formula}
          rows={rows}
          onChange={(next, written) => write({ formula: next, rows: written })}
        />
      </FormProvider>
    </Dialog>
  );
}
