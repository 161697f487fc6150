/** What a reader does to a word of a text report: add it, drop it, count it with another. Each sets a field of the form. */
import { ACTIONS } from '@hengxi/contracts/cell-text';
import type { Action, SetRemedy } from '@hengxi/contracts/contract';
import { useState } from 'react';

import { RenameDialog } from '../ui/rename-dialog.tsx';
import { useReport } from './context.ts';

/** The dictionary fields of text methods have these keys. */
const FIELDS: Record<Action, string> = { add_word: 'user_dict', add_stopword: 'stopwords', rename: 'synonyms' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The change of the form with one line more in its dictionary; null where the form has none of that kind. */
export function wordRemedy(
  form: Readonly<Record<string, unknown>>,
  does: Action,
  word: string,
  to = '',
): SetRemedy | null {
  const key = FIELDS[does];
  if (!(key in form)) return null;
  const value = form[key];
  const known = isObject(value) ? value : { builtin: null, id: null, version: null };
  const extra = Array.isArray(known['extra']) ? known['extra'] : [];
  const line = does === 'rename' ? `${to}=${word}` : word;
  if (extra.includes(line)) return null;
  return { title: `${ACTIONS[does]}：${word}`, set: { [key]: { ...known, extra: [...extra, line] } } };
}

/** One button; a word that is counted with another asks which. */
export function WordAction({ does, word }: { does: Action; word: string }) {
  const { document, onRemedy } = useReport();
  const [asking, setAsking] = useState(false);
  const remedy = document === null ? null : wordRemedy(document.form, does, word, word);
  if (remedy === null || onRemedy === undefined) return null;
  const merge = (to: string): void => {
    setAsking(false);
    const named = document === null ? null : wordRemedy(document.form, 'rename', word, to.trim());
    if (named !== null && to.trim() !== '' && to.trim() !== word) onRemedy(named);
  };
  return (
    <>
      <button
        type="button"
        className="hx-link"
        aria-label={`${ACTIONS[does]}“${word}”`}
        onClick={() => (does === 'rename' ? setAsking(true) : onRemedy(remedy))}
      >
        {ACTIONS[does]}
      </button>
      {asking ? (
        <RenameDialog
          open
          title={`“${word}”与哪个词合并计数`}
          value={word}
          onClose={() => setAsking(false)}
          onSave={merge}
        />
      ) : null}
    </>
  );
}
