/** The form's tools for a processing step: settings in state, judged by the preview; another type makes a version. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Remedy } from '@hengxi/contracts/http';
import type { Version } from '@hengxi/server/files/schema';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import { setColumns, setOf } from '../../../fields/answer-sets.ts';
import { byId, titleOf } from '../../../fields/column.ts';
import type { Form } from '../../../fields/form.ts';
import { withValues } from '../../../fields/form.ts';
import type { FormTools } from '../../../fields/form-context.tsx';
import { ownBoxes } from '../../../fields/form-start.ts';
import { retyped } from '../../../fields/retype.ts';
import { UNSCORABLE, unscorable } from '../../../fields/scoring.ts';
import { refreshVersions } from '../../../fields/steps/queries.ts';
import { rowsUrl } from '../../../lib/rows-url.ts';
import { toast } from '../../../lib/toast.ts';
import type { MeasureKind } from '../../../ui/measure-icon.tsx';
import { editColumns, filterCount, judge } from '../queries.ts';
import type { Preview } from './use-preview.ts';

export interface Tools extends FormTools {
  select: (ids: readonly string[]) => void;
  retypeTo: (ids: readonly string[], kind: MeasureKind) => void;
  /** For the live region. */
  said: string;
}

interface Given {
  declaration: Declaration;
  version: Version;
  form: Form;
  /** `key`: the one setting that changed. */
  setForm: (form: Form, key?: string) => void;
  preview: Preview;
  /** A change of type made this version; the settings go on with it. */
  onVersion: (vid: number, form: Form) => void;
}

export function useTools({ declaration, version, form, setForm, preview, onVersion }: Given): Tools {
  const { vid, columns } = version;
  const { path, fields } = declaration;
  const [selection, setSelection] = useState<readonly string[]>([]);
  const [announcement, setSaid] = useState('');
  const sets = useMemo(() => setColumns(version.sets, columns), [version.sets, columns]);
  const known = useMemo(() => byId([...columns, ...sets]), [columns, sets]);
  const resolved = preview.resolved ?? form;
  const boxes = useMemo(() => ownBoxes(declaration, form, resolved, known), [declaration, form, resolved, known]);
  // Quick changes follow each other within one event: each builds on the one before.
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  }, [form]);
  const apply = useCallback(
    (next: Form, key?: string): void => {
      latest.current = next;
      setForm(next, key);
    },
    [setForm],
  );
  const retypeTo = useCallback(
    (ids: readonly string[], kind: MeasureKind, next?: Form): void => {
      const changed = ids.flatMap((id) => known.get(id) ?? []).filter((column) => setOf(column) === null);
      if (changed.length === 0) return;
      const [word] = kind === '定量' ? unscorable(changed) : [];
      if (word !== undefined) {
        toast.note(`“${titleOf(word)}”${UNSCORABLE}`);
        return;
      }
      editColumns(
        vid,
        changed.map((column) => retyped(column, kind)),
      ).then(
        async ({ vid: newVid, warnings }) => {
          await refreshVersions();
          toast.done([`已改为${kind}，存为新版本`, ...warnings].join('；'));
          onVersion(newVid, next ?? latest.current);
        },
        () => undefined,
      );
    },
    [vid, known, onVersion],
  );
  const probe = useCallback(async (considered: Form) => (await judge(path, vid, considered)).fields, [path, vid]);
  const count = useCallback((condition: string) => filterCount(vid, condition), [vid]);
  return useMemo<Tools>(
    () => ({
      fields,
      form,
      resolved,
      columns,
      sets,
      known,
      boxes,
      faults: preview.faults,
      selection,
      readOnly: false,
      said: announcement,
      select: setSelection,
      set: (key, value) => apply(withValues(latest.current, { [key]: value }), key),
      apply: (next) => apply(next),
      remedy: (one: Remedy) => {
        if (one.set !== undefined) apply(withValues(latest.current, one.set));
      },
      offers: (one: Remedy) => one.set !== undefined,
      retype: (ids, measure, next) => retypeTo(ids, measure, next),
      retypeTo,
      probe,
      count,
      rowsAt: (condition) => rowsUrl(vid, condition),
      announce: setSaid,
    }),
    [
      fields,
      form,
      resolved,
      columns,
      sets,
      known,
      boxes,
      preview.faults,
      selection,
      announcement,
      apply,
      retypeTo,
      probe,
      count,
      vid,
    ],
  );
}
