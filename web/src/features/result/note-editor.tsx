/** A note on the report, for oneself: saved when one leaves the box; what a reload cut off is there again, and is then saved. */
import { Input } from 'antd';
import { useId, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';

import { readNoteDraft, writeNoteDraft } from '../../report/note/note-draft.ts';
import { act, type OpenReport, type Place, reportQuery } from './queries.ts';
import styles from './note-editor.module.css';

/** The note of the report itself: no block has an empty name. */
const WHOLE = '';

export function NoteEditor({ report, place }: { report: OpenReport; place: Place }) {
  const client = useQueryClient();
  const id = useId();
  const keptAs = `${place.project_id}/${place.report_id}`;
  const [text, setText] = useState(() => readNoteDraft(keptAs, WHOLE) ?? report.note);
  const [state, setState] = useState<'still' | 'saving' | 'saved' | 'failed'>('still');
  const [saved, setKept] = useState(report.note);
  if (saved !== report.note) {
    setKept(report.note);
    // Changed elsewhere, or just saved: what was typed since then stays.
    if (text === saved) setText(report.note);
  }
  const write = (next: string): void => {
    setText(next);
    writeNoteDraft(keptAs, WHOLE, next === report.note ? null : next);
  };
  const save = (): void => {
    if (text === report.note) return;
    setState('saving');
    act(place, { note: text }).then(
      (next) => {
        client.setQueryData(reportQuery(place).queryKey, next);
        if (readNoteDraft(keptAs, WHOLE) === text) writeNoteDraft(keptAs, WHOLE, null);
        setState('saved');
      },
      () => setState('failed'),
    );
  };
  return (
    <div className={styles['note']}>
      <label htmlFor={id}>备注</label>
      <Input.TextArea
        id={id}
        value={text}
        autoSize={{ minRows: 2, maxRows: 10 }}
        maxLength={10_000}
        placeholder="只有自己看得到"
        onChange={(e) => write(e.target.value)}
        onBlur={save}
      />
      <span className={styles['state']} role="status">
        {state === 'saving' ? '正在保存' : state === 'saved' ? '已保存' : state === 'failed' ? '没有保存，请再试' : ''}
      </span>
    </div>
  );
}
