/** The filter in force for every analysis of this version, built from rows with a live count. */
import type { Column, Version } from '@hengxi/server/files/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Segmented } from 'antd';
import { useMemo, useState } from 'react';

import { ConditionEditor } from '../../../fields/condition/condition-editor.tsx';
import { FormProvider, type FormTools } from '../../../fields/form-context.tsx';
import { versionQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { countFilter, setFilter } from '../queries.ts';
import styles from './filter-dialog.module.css';
import { NamedFilters } from './named-filters.tsx';

interface FilterDialogProps {
  version: Version;
  known: ReadonlyMap<string, Column>;
  onClose: () => void;
}

type Kind = 'keep' | 'drop';

/** The condition editor stands outside of a method's form here: it asks for the columns and the count, for nothing else. */
function useEditorTools(version: Version, known: ReadonlyMap<string, Column>, kind: Kind): FormTools {
  return useMemo(
    () => ({
      fields: [],
      form: {},
      resolved: {},
      columns: version.columns,
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
  const [formula, setFormula] = useState(active?.condition ?? '');
  const [kind, setKind] = useState<Kind>(active?.filter_type ?? 'keep');
  /** The editor reads its rows anew when a saved filter is taken up. */
  const [taken, setTaken] = useState(0);
  const tools = useEditorTools(version, known, kind);
  const apply = useMutation({
    mutationFn: (condition: string) => setFilter(version.vid, condition, kind),
    onSuccess: async () => {
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
          onChange={setKind}
        />
        <NamedFilters
          fid={version.fid}
          condition={formula}
          kind={kind}
          onTake={(filter) => {
            setFormula(filter.condition);
            setKind(filter.filter_type);
            setTaken(filter.id);
          }}
        />
        <span>数据不会被删除；这一版的分析只用筛选后的行。</span>
      </div>
      <FormProvider value={tools}>
        <ConditionEditor key={`${kind} ${taken}`} value={formula} onChange={setFormula} />
      </FormProvider>
    </Dialog>
  );
}
