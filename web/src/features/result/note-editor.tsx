/** A note on the report, for oneself: saved when one leaves the box. */
import { Input } from 'antd';
import { useId, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';

import { act, type OpenReport, type Place, reportQuery } from './queries.ts';
import styles from './note-editor.module.css';

export function NoteEditor({ report, place }: { report: OpenReport; place: Place }) {
  const client = useQueryClient();
  const id = useId();
  const [text, setText] = useState(report.note);
  const [state, setState] = useState<'still' | 'saving' | 'saved' | 'failed'>('still');
  const [kept, setKept] = useState(report.note);
  if (kept !== report.note) {
    setKept(report.note);
    setText(report.note);
  }
  const save = (): void => {
    if (text === report.note) return;
    setState('saving');
    act(place, { note: text }).then(
      (next) => {
        client.setQueryData(reportQuery(place).queryKey, next);
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
        onChange={(e) => setText(e.target.value)}
        onBlur={save}
      />
      <span className={styles['state']} role="status">
        {state === 'saving' ? '正在保存' : state === 'saved' ? '已保存' : state === 'failed' ? '没有保存，请再试' : ''}
      </span>
    </div>
  );
}
