/** The form's tools, made of the analysis on screen: what fields.../form-context asks for. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { FieldFault, Remedy } from '@hengxi/contracts/http';
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { setColumns, setOf } from '../../../fields/answer-sets.ts';
import { byId, titleOf } from '../../../fields/column.ts';
import { idsIn } from '../../../fields/boxes/box.ts';
import type { Form } from '../../../fields/form.ts';
import { withValues } from '../../../fields/form.ts';
import type { FormTools } from '../../../fields/form-context.tsx';
import { methodsQuery, versionQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import type { MeasureKind } from '../../../ui/measure-icon.tsx';
import { editColumns, filterCount, judge, textPreview } from '../queries.ts';
import { boxesOf } from './boxes-of.ts';
import { retyped } from '../../../fields/retype.ts';
import { UNSCORABLE, unscorable } from '../../../fields/scoring.ts';
import type { Judgement } from './run-state.ts';
import { faultsOf } from './run-state.ts';
import type { Operation, OperationState } from './store.ts';

export interface Tools extends FormTools {
  /** For the live region. */
  said: string;
  retypeTo(ids: readonly string[], kind: MeasureKind, form?: Form): Promise<void>;
}

const WANTED: Record<string, MeasureKind> = { 定类: '定类', 有序: '定序', 定量: '定量', 时间: '时间', 文本: '文本' };

/** One and the same, so that a form without notes is not drawn anew. */
const NO_NOTES: NonNullable<Judgement['notes']> = [];

export function useFormTools(
  operation: Operation,
  state: OperationState,
  declaration: Declaration,
  version: Version,
): Tools {
  const navigate = useNavigate();
  const methods = useQuery(methodsQuery);
  const [announcement, setSaid] = useState('');
  const { machine, selection } = state;
  const { form, vid } = state.history.now;
  const { columns, fid } = version;
  const { path } = declaration;
  const sets = useMemo(() => setColumns(version.sets, columns), [version.sets, columns]);
  const known = useMemo(() => byId([...columns, ...sets]), [columns, sets]);
  const resolved = machine.draft?.resolved ?? form;
  const boxes = useMemo(() => boxesOf(declaration, form, resolved, known), [declaration, form, resolved, known]);
  const faults = faultsOf(machine);
  const notes = machine.draft?.notes ?? NO_NOTES;
  const paths = useMemo(() => new Set((methods.data ?? []).map((row) => row.algo_code)), [methods.data]);

  // The same words twice must be said twice: a trailing blank makes the region change.
  const last = useRef('');
  const announce = useCallback((text: string): void => {
    last.current = last.current === text ? `${text}\u00a0` : text;
    setSaid(last.current);
  }, []);

  const retypeTo = useCallback(
    async (ids: readonly string[], kind: MeasureKind, next?: Form): Promise<void> => {
      const changed = ids.flatMap((id) => known.get(id) ?? []).filter((column) => setOf(column) === null);
      if (changed.length === 0) return;
      const [word] = kind === '定量' ? unscorable(changed) : [];
      if (word !== undefined) {
        announce(`“${titleOf(word)}”${UNSCORABLE}`);
        toast.note(`“${titleOf(word)}”${UNSCORABLE}`);
        return;
      }
      const { vid: newVid, warnings } = await editColumns(
        vid,
        changed.map((column) => retyped(column, kind)),
      );
      await queryClient.ensureQueryData(versionQuery(newVid));
      void queryClient.invalidateQueries({ queryKey: ['files', fid] });
      const what = changed.length === 1 ? `“${changed[0]?.name ?? ''}”` : `${changed.length} 个变量`;
      const text = `已把${what}改为${kind}${warnings.length > 0 ? `；${warnings.join('；')}` : ''}`;
      operation.commit({ vid: newVid, form: next ?? operation.work.form }, `把${what}改为${kind}`);
      announce(text);
      toast.done(text, { action: { text: '撤销', run: () => operation.undo() } });
    },
    [known, vid, fid, operation, announce],
  );

  const remedy = useCallback(
    (remedy: Remedy, fault: FieldFault): void => {
      if (remedy.set !== undefined) operation.apply(withValues(operation.work.form, remedy.set), remedy.title);
      else if (remedy.method !== undefined) {
        const { form: now, vid: at } = operation.work;
        const keys = remedy.carry ?? [];
        const carry = Object.fromEntries(keys.map((key) => [key, now[key]]));
        // The boxes of the other method have other names: it takes the variables and deals them out itself.
        const used = boxes.flatMap((box) => (box.opens === true || box.key.startsWith('_') ? [] : idsIn(now, box)));
        const ids = [...new Set([...used, ...(typeof fault.column === 'string' ? [fault.column] : [])])];
        const address = `/analysis/operation/${at}?method=${remedy.method}`;
        if (keys.length > 0) void navigate(address, { state: { carry } });
        else void navigate(ids.length === 0 ? address : `${address}&columns=${ids.join(',')}`);
      } else if (remedy.step === 'measure') {
        const wanted = boxes.find((box) => box.key === fault.field)?.needs.measure ?? '';
        void retypeTo(remedy.columns ?? [], WANTED[wanted] ?? '定类').catch(() => undefined);
      } else if (remedy.step !== undefined) {
        const columns = (remedy.columns ?? []).join(',');
        void navigate(`/dataprocessing/dispose/${operation.work.vid}?method=${remedy.step}&columns=${columns}`);
      }
    },
    [operation, navigate, boxes, retypeTo],
  );

  const offers = useCallback(
    (remedy: Remedy): boolean =>
      remedy.set !== undefined ||
      remedy.step === 'measure' ||
      paths.has(remedy.step ?? '') ||
      (remedy.method !== undefined && paths.has(remedy.method)),
    [paths],
  );
  const probe = useCallback(async (considered: Form) => (await judge(path, vid, considered)).fields, [path, vid]);
  const count = useCallback((condition: string) => filterCount(vid, condition), [vid]);
  const previewText = useCallback((column: string) => textPreview(vid, column), [vid]);

  return useMemo<Tools>(
    () => ({
      fields: declaration.fields,
      path,
      form,
      resolved,
      columns,
      sets,
      known,
      boxes,
      faults,
      notes,
      selection,
      readOnly: machine.frozen,
      said: announcement,
      set: (key, value, how) => operation.set(key, value, how),
      apply: (next, text) => operation.apply(next, text),
      remedy,
      retype: (ids, measure, next) => void retypeTo(ids, measure, next).catch(() => undefined),
      retypeTo,
      offers,
      probe,
      count,
      previewText,
      announce,
    }),
    [
      declaration.fields,
      path,
      form,
      resolved,
      columns,
      sets,
      known,
      boxes,
      faults,
      notes,
      selection,
      machine.frozen,
      announcement,
      operation,
      remedy,
      retypeTo,
      offers,
      probe,
      count,
      previewText,
      announce,
    ],
  );
}
