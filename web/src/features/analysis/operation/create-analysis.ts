/** The analysis on screen, made of what the page gathered: where its drafts are kept, where it is saved, how it runs. */
import type { Version } from '@hengxi/server/files/schema';

import type { OptionTarget } from '../../../fields/focus-option.ts';
import type { Form } from '../../../fields/form.ts';
import { noticeEnd } from '../background.ts';
import { readAutoRun, readDraft, writeDraft } from '../local.ts';
import type { Method, OpenReport } from '../queries.ts';
import { outsideOf, saveForm } from '../queries.ts';
import { Operation } from './store.ts';

export interface WorkbenchProps {
  method: Method;
  vid: number;
  version: Version;
  form: Form;
  restored: boolean;
  report: OpenReport | null;
  /** What a remedy of a report has set in the form. */
  sought: OptionTarget | null;
}

export function createAnalysis({ method, vid, version, form, restored, report }: WorkbenchProps): Operation {
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
