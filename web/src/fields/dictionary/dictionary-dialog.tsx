/** The saved dictionaries of one kind: choose, edit, delete, make a new one from lines typed or read from a text file. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import {
  DICTIONARIES_KEY,
  dictionariesQuery,
  type DictionaryEntry,
  type DictionaryKind,
  readDictionary,
  removeDictionary,
  saveDictionary,
} from '../../lib/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './dictionary-field.module.css';
import { WRITING } from './read-dictionary.ts';

const FILE_MOST = 2 * 1024 * 1024;

interface Draft {
  id: number | null;
  name: string;
  text: string;
  version: number;
}

interface Props {
  kind: DictionaryKind;
  /** Lines of the form, which a new dictionary begins with. */
  extra: readonly string[];
  onClose: () => void;
  onPick: (id: number, name: string) => void;
}

export function DictionaryDialog({ kind, extra, onClose, onPick }: Props) {
  const client = useQueryClient();
  const all = useQuery(dictionariesQuery(kind));
  const [draft, setDraft] = useState<Draft | null>(null);
  const [trouble, setTrouble] = useState('');
  const [leaving, setLeaving] = useState<number | null>(null);
  const { noun, example } = WRITING[kind];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      setTrouble('');
    } catch (error) {
      setTrouble(errorText(error));
    }
  };
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: [DICTIONARIES_KEY, kind] });
  const open = (entry: DictionaryEntry): Promise<void> =>
    attempt(async () => {
      const { id, name, lines, version } = await readDictionary(entry.id);
      setDraft({ id, name, text: lines.join('\n'), version });
    });
  const save = (made: Draft): Promise<void> =>
    attempt(async () => {
      const lines = made.text.split(/\r?\n/u).filter((line) => line.trim() !== '');
      const { id, name } = await saveDictionary(made.id, kind, { name: made.name, lines, version: made.version });
      await refresh();
      setDraft(null);
      onPick(id, name);
    });
  const remove = (id: number): Promise<void> =>
    attempt(async () => {
      await removeDictionary(id);
      setLeaving(null);
      await refresh();
    });
  return (
    <Dialog open title={`我的${noun}`} width="wide" onClose={onClose}>
      {trouble === '' ? null : (
        <p role="alert" className={styles['note']}>
          {trouble}
        </p>
      )}
      {draft === null ? (
        <>
          {all.isSuccess && all.data.list.length === 0 ? <p className={styles['note']}>还没有保存的{noun}。</p> : null}
          <ul className={styles['list']}>
            {(all.data?.list ?? []).map((entry) => (
              <li key={entry.id} className={styles['item']}>
                <span>
                  {entry.name}（{entry.size} 行，第 {entry.version} 版）
                </span>
                {leaving === entry.id ? (
                  <>
                    <span>删除后不能恢复，已有的报告不受影响。</span>
                    <Button size="small" danger onClick={() => void remove(entry.id)}>
                      删除
                    </Button>
                    <Button size="small" onClick={() => setLeaving(null)}>
                      保留
                    </Button>
                  </>
                ) : (
                  <>
                    <Button size="small" aria-label={`使用“${entry.name}”`} onClick={() => pick(entry)}>
                      使用
                    </Button>
                    <Button size="small" aria-label={`编辑“${entry.name}”`} onClick={() => void open(entry)}>
                      编辑
                    </Button>
                    <Button
                      size="small"
                      type="text"
                      aria-label={`删除“${entry.name}”`}
                      onClick={() => setLeaving(entry.id)}
                    >
                      删除
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
          <Button type="primary" onClick={() => setDraft({ id: null, name: '', text: extra.join('\n'), version: 1 })}>
            新建{noun}
          </Button>
        </>
      ) : (
        <Editor draft={draft} example={example} onChange={setDraft} onTrouble={setTrouble} onSave={save} />
      )}
    </Dialog>
  );

  function pick({ id, name }: DictionaryEntry): void {
    onPick(id, name);
    onClose();
  }
}

interface EditorProps {
  draft: Draft;
  example: string;
  onChange: (draft: Draft | null) => void;
  onTrouble: (text: string) => void;
  onSave: (draft: Draft) => Promise<void>;
}

function Editor({ draft, example, onChange, onTrouble, onSave }: EditorProps) {
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > FILE_MOST) onTrouble('文件超过 2 MB，请拆成几个词典');
    else onChange({ ...draft, text: await file.text() });
  };
  return (
    <div className={styles['field']}>
      <Input
        aria-label="词典名称"
        placeholder="名称"
        maxLength={30}
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <Input.TextArea
        aria-label="词典内容"
        placeholder={example}
        rows={10}
        value={draft.text}
        onChange={(event) => onChange({ ...draft, text: event.target.value })}
      />
      <label>
        从文本文件导入：
        <input type="file" accept=".txt,.csv,text/plain" onChange={(event) => void read(event.target.files?.[0])} />
      </label>
      <div className={styles['line']}>
        <Button
          type="primary"
          disabled={draft.name.trim() === '' || draft.text.trim() === ''}
          onClick={() => void onSave(draft)}
        >
          保存并使用
        </Button>
        <Button onClick={() => onChange(null)}>返回</Button>
      </div>
    </div>
  );
}
