/** The filter of the analysis: what is in force, its count, and the dialog that changes it. */
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

import { setOf } from '../../../fields/answer-sets.ts';
import type { Box } from '../../../fields/boxes/box.ts';
import { conditionWords } from '../../../fields/condition/words.ts';
import type { Form } from '../../../fields/form.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { activateFilter, countQuery } from '../queries.ts';
import { FILTER, filterOf } from './boxes-of.ts';
import type { Operation } from './store.ts';
import type { Tools } from './use-form-tools.ts';

export function useFilter(operation: Operation, form: Form, version: Version, tools: Tools) {
  const { known } = tools;
  const [editing, setEditing] = useState<{ start: string; add: string | null } | null>(null);
  const { active } = version;
  const filter = filterOf(form, active);
  const counted = useQuery({
    ...countQuery(version.vid, filter?.condition ?? '', filter?.filter_type ?? 'keep'),
    enabled: filter !== null,
  });
  // The rows of the dialog keep; a filter that drops is shown as its opposite.
  const start = filter === null ? '' : filter.filter_type === 'drop' ? `not (${filter.condition})` : filter.condition;
  const open = useCallback((): void => setEditing({ start, add: null }), [start]);
  const openWith = useCallback(
    (_: Box, ids: readonly string[]): void => {
      const column = known.get(ids[0] ?? '');
      // A condition is about one column: of a set the first option starts it.
      const set = column === undefined ? null : setOf(column);
      setEditing({ start, add: set === null ? (ids[0] ?? null) : (set.columns[0] ?? null) });
    },
    [start, known],
  );
  const apply = (condition: string, everywhere: boolean): void => {
    setEditing(null);
    const none = active.filter === null ? undefined : null;
    const text = condition === '' ? '取消筛选' : `筛选：${conditionWords(condition, tools.known)}`;
    operation.set(FILTER, condition === '' ? none : condition, { text });
    if (!everywhere) return;
    activateFilter(version.vid, condition).then(
      () => void queryClient.invalidateQueries({ queryKey: ['version', version.vid] }),
      () => toast.warn('筛选只用在了这个分析'),
    );
  };
  return {
    inForce:
      filter === null ? null : { text: conditionWords(filter.condition, tools.known), counted: counted.data ?? null },
    editing,
    open,
    openWith,
    apply,
    close: () => setEditing(null),
  };
}
