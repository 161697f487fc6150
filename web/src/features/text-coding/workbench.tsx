/** The workbench: the code book on the left, the answers beside it, what is done with all of them above. */
import { LeftOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons';
import type { Acted, Answer, Code, CodeEdit, Coding } from '@hengxi/server/answer-coding/schema';
import { Button, Input, Progress, Segmented, Select, type InputRef } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Link } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { isTyping, useShortcut, useShortcutsOn } from '../../lib/shortcuts.ts';
import { toast } from '../../lib/toast.ts';
import { AnswerList, type AnswerListHandle } from './answer-list.tsx';
import type { RowActs } from './answer-row.tsx';
import { writeBook } from './book-file.ts';
import { CodeDialog } from './code-dialog.tsx';
import { CodePanel } from './code-panel.tsx';
import styles from './coding.module.css';
import { AcceptDialog } from './accept-dialog.tsx';
import { DraftDialog } from './draft-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { keysOf } from './keys.ts';
import { mergeCodes, redoLast, refreshCoding, saveBook, suggest, undoLast } from './queries.ts';
import type { AnswerFilter } from './queries.ts';
import { RoundsDialog } from './rounds-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { useAnswers } from './use-answers.ts';
import { useMarks } from './use-marks.ts';
import { WriteDialog } from './write-dialog.tsx';

type Shown = 'accept' | 'draft' | 'import' | 'restore' | 'rounds' | 'write' | null;

const STATES = { all: '全部', uncoded: '未编码', suggested: '有建议', coded: '已编码' } as const;
const SORTS = { place: '按出现次序', rows: '相同回答多的在前', length: '长的在前' } as const;

const editOf = (codes: readonly Code[]): CodeEdit[] => codes.map((one) => ({ ...one }));

export function Workbench({ coding }: { coding: Coding }) {
  const { id } = coding;
  const [filter, setFilter] = useState<AnswerFilter>({ q: '', state: 'all', code: null, sort: 'place' });
  const answers = useAnswers(id, filter);
  const mark = useMarks(id, answers);
  const [focus, setFocus] = useState(0);
  const [picked, setPicked] = useState<ReadonlyMap<number, Answer>>(new Map());
  const [shown, setShown] = useState<Shown>(null);
  const [editing, setEditing] = useState<Code | null>(null);
  const [isSuggesting, setSuggesting] = useState(false);
  const list = useRef<AnswerListHandle>(null);
  const search = useRef<InputRef>(null);
  const book = useMemo(() => new Map(coding.codes.map((one) => [one.id, one])), [coding.codes]);
  const keys = useMemo(() => new Map([...keysOf(coding.codes)].map(([code, key]) => [key, code])), [coding.codes]);

  const narrow = (part: Partial<AnswerFilter>): void => {
    setFilter({ ...filter, ...part });
    setFocus(0);
    setPicked(new Map());
  };

  const targets = (): Answer[] => {
    if (picked.size > 0) return [...picked.values()].map((one) => answers.find(one.at) ?? one);
    const one = answers.at(focus);
    return one ? [one] : [];
  };
  const held = heldBy(targets());
  const toggle = (code: number): void => {
    const all = targets();
    if (all.length > 0) void mark(all, held.has(code) ? { off: [code] } : { on: [code] });
  };
  const go = (by: number): void => {
    const next = Math.min(Math.max(0, focus + by), Math.max(0, (answers.total ?? 1) - 1));
    setFocus(next);
    list.current?.show(next);
  };
  const acceptAndGo = (): void => {
    const all = targets();
    const open = all.filter(({ suggested }) => suggested.length > 0);
    if (open.length > 0) void mark(open, { accept: true });
    if (picked.size > 0) setPicked(new Map());
    else go(1);
  };

  const acted = async (act: Promise<Acted>, word: string): Promise<void> => {
    const { title, answers: n, kept } = await act;
    toast.done(
      `${word}：${title}${kept > 0 ? `；${kept} 条后来被别人改过，保持不变` : ''}${n === 0 && kept === 0 ? '，没有回答改变' : ''}`,
    );
    answers.reload();
    await refreshCoding(id);
  };
  const undo = (): void => void (coding.undo && acted(undoLast(id), '已撤销').catch(() => undefined));
  const redo = (): void => void (coding.redo && acted(redoLast(id), '已重做').catch(() => undefined));

  const renew = async (): Promise<void> => {
    setSuggesting(true);
    try {
      const { suggestions } = await suggest(id);
      await refreshCoding(id);
      answers.reload();
      toast.done(suggestions ? `有 ${suggestions.toLocaleString('en-US')} 条建议，等你确认` : '没有找到可以建议的编码');
    } catch (error) {
      toast.bad(errorText(error));
    } finally {
      setSuggesting(false);
    }
  };
  const save = async (codes: CodeEdit[]): Promise<void> => {
    const rules = (all: readonly CodeEdit[]): string =>
      JSON.stringify(all.filter(({ gone, rule }) => !gone && rule !== '').map(({ name, rule }) => [name, rule]));
    const before = rules(coding.codes);
    const fresh = await saveBook(id, codes, coding.book_version);
    if (rules(fresh.codes) !== before) void renew();
    else answers.reload();
  };
  const saveCode = (code: Code): Promise<void> =>
    save(editOf(coding.codes).map((one) => (one.id === code.id ? { ...code } : one)));
  const add = async (name: string): Promise<void> => {
    await saveBook(id, [...editOf(coding.codes), fresh(name)], coding.book_version);
  };

  useKeys({ keys, toggle, go, acceptAndGo, pick: () => pickFocused(), isOff: shown !== null || editing !== null });
  useShortcut('/', () => search.current?.focus());
  useShortcut('Ctrl+Z', undo);
  useShortcut('Ctrl+Shift+Z', redo);

  const pick = useCallback((answer: Answer, isPicked: boolean) => {
    setPicked((was) => {
      const next = new Map(was);
      if (isPicked) next.set(answer.at, answer);
      else next.delete(answer.at);
      return next;
    });
  }, []);
  const pickFocused = (): void => {
    const one = answers.at(focus);
    if (one) pick(one, !picked.has(one.at));
  };
  const acts = useMemo<RowActs>(
    () => ({
      focus: setFocus,
      pick,
      give: (answer, code) => void mark([answer], { on: [code] }),
      take: (answer, code) => void mark([answer], { off: [code] }),
    }),
    [mark, pick],
  );

  return (
    <div className={styles['bench']}>
      <Head
        coding={coding}
        isSuggesting={isSuggesting}
        onUndo={undo}
        onRedo={redo}
        onSuggest={() => void renew()}
        onShow={setShown}
      />
      <CodePanel
        coding={coding}
        held={held}
        filtered={filter.code}
        onToggle={toggle}
        onFilter={(code) => narrow({ code })}
        onEdit={setEditing}
        onAdd={add}
        onDraft={() => setShown('draft')}
        onImport={() => setShown('import')}
        onExport={() => download(`${coding.question}_码表.csv`, writeBook(coding.codes))}
        onRestore={() => setShown('restore')}
      />
      <section aria-label="回答" className={styles['answers']}>
        <Tools filter={filter} search={search} coding={coding} onNarrow={narrow} />
        <p className={styles['sum']} aria-live="polite">
          {answers.total === null ? '正在读取…' : sumText(answers.total, answers.rows, picked.size)}
          {filter.code === null ? null : (
            <Button size="small" type="link" onClick={() => narrow({ code: null })}>
              不再只看“{book.get(filter.code)?.name}”
            </Button>
          )}
          {picked.size > 0 ? (
            <Button size="small" type="link" onClick={() => setPicked(new Map())}>
              取消选中
            </Button>
          ) : null}
        </p>
        {answers.error ? (
          <p role="alert" className={styles['fault']}>
            {answers.error}{' '}
            <Button size="small" onClick={answers.reload}>
              重试
            </Button>
          </p>
        ) : null}
        <AnswerList
          ref={list}
          answers={answers}
          focus={focus}
          picked={picked}
          query={filter.q}
          book={book}
          acts={acts}
          isNarrowed={filter.q !== '' || filter.state !== 'all' || filter.code !== null}
        />
        <p className={styles['hint']}>
          数字或字母给编码 · Enter 接受建议并到下一条 · ↑ ↓ 换一条 · 空格选中 · / 搜索 · Ctrl+Z 撤销
        </p>
      </section>
      <CodeDialog
        coding={coding}
        code={editing}
        onSave={saveCode}
        onMerge={async (from, into) => acted(mergeCodes(id, from.id, into), '已合并')}
        onClose={() => setEditing(null)}
      />
      <AcceptDialog
        coding={coding}
        open={shown === 'accept'}
        onDone={(act) => acted(act, '已接受')}
        onClose={() => setShown(null)}
      />
      <DraftDialog coding={coding} open={shown === 'draft'} onSave={save} onClose={() => setShown(null)} />
      <ImportDialog coding={coding} open={shown === 'import'} onSave={save} onClose={() => setShown(null)} />
      <RestoreDialog coding={coding} open={shown === 'restore'} onSave={saveCode} onClose={() => setShown(null)} />
      <RoundsDialog
        coding={coding}
        open={shown === 'rounds'}
        onSettled={() => {
          answers.reload();
          void refreshCoding(id);
        }}
        onClose={() => setShown(null)}
      />
      <WriteDialog coding={coding} open={shown === 'write'} onClose={() => setShown(null)} />
    </div>
  );
}

const fresh = (name: string): CodeEdit => ({
  id: null,
  name,
  group: '',
  definition: '',
  includes: '',
  excludes: '',
  rule: '',
  kind: 'plain',
  gone: false,
});

function heldBy(answers: readonly Answer[]): ReadonlySet<number> {
  const [first, ...rest] = answers;
  return new Set(first?.codes.filter((code) => rest.every(({ codes }) => codes.includes(code))));
}

function sumText(total: number, rows: number, picked: number): string {
  const all = `${total.toLocaleString('en-US')} 条不同的回答，共 ${rows.toLocaleString('en-US')} 行`;
  return picked > 0 ? `${all}；选中 ${picked.toLocaleString('en-US')} 条，一起编码` : all;
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

interface KeysProps {
  keys: ReadonlyMap<string, number>;
  toggle: (code: number) => void;
  go: (by: number) => void;
  acceptAndGo: () => void;
  pick: () => void;
  isOff: boolean;
}

const CONTROLS = 'button, a, input, [role="button"], [role="radio"], [role="combobox"], [role="menuitem"]';

/** Keys of coding; on buttons and boxes Enter and the space keep their own meaning. */
function useKeys(props: KeysProps): void {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { keys, toggle, go, acceptAndGo, pick, isOff } = latest.current;
      if (isOff || event.isComposing || event.defaultPrevented || !useShortcutsOn.getState().on) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isControl = event.target instanceof HTMLElement && event.target.closest(CONTROLS) !== null;
      const code = event.shiftKey ? undefined : keys.get(event.key.toLowerCase());
      if (code !== undefined) toggle(code);
      else if (event.key === 'ArrowDown') go(1);
      else if (event.key === 'ArrowUp') go(-1);
      else if (event.key === 'PageDown') go(10);
      else if (event.key === 'PageUp') go(-10);
      else if (event.key === 'Enter' && !isControl) acceptAndGo();
      else if (event.key === ' ' && !isControl) pick();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

interface HeadProps {
  coding: Coding;
  isSuggesting: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onSuggest: () => void;
  onShow: (dialog: Shown) => void;
}

function Head({ coding, isSuggesting, onUndo, onRedo, onSuggest, onShow }: HeadProps) {
  const { rows, coded_rows: coded } = coding.progress;
  const percent = rows > 0 ? Math.floor((100 * coded) / rows) : 0;
  const open = coding.by_p.at(-1)?.marks ?? 0;
  return (
    <header className={styles['top']}>
      <div className={styles['name']}>
        <Link to="/analysis/coding" aria-label="全部文本编码">
          <LeftOutlined aria-hidden />
        </Link>
        <div>
          <h1>{coding.question}</h1>
          <p className={styles['quiet']}>
            {coding.vid === null ? coding.file : <Link to={`/mydata/detail/${coding.vid}`}>{coding.file}</Link>}
            {coding.covered > 0 ? `；${coding.covered} 行里的手机号、证件号、邮箱已遮住` : ''}
          </p>
        </div>
      </div>
      <div className={styles['progress']}>
        <Progress percent={percent} size="small" aria-label="已编码的行" />
        <span className={styles['quiet']}>
          已编码 {coded.toLocaleString('en-US')} / {rows.toLocaleString('en-US')} 行
        </span>
      </div>
      <div className={styles['acts']}>
        <Button
          icon={<UndoOutlined aria-hidden />}
          aria-label="撤销"
          disabled={!coding.undo}
          title={coding.undo ? `撤销：${coding.undo}` : undefined}
          onClick={onUndo}
        />
        <Button
          icon={<RedoOutlined aria-hidden />}
          aria-label="重做"
          disabled={!coding.redo}
          title={coding.redo ? `重做：${coding.redo}` : undefined}
          onClick={onRedo}
        />
        <Button loading={isSuggesting} disabled={coding.vid === null} onClick={onSuggest}>
          更新建议
        </Button>
        <Button disabled={open === 0} onClick={() => onShow('accept')}>
          批量接受
        </Button>
        <Button disabled={coded === 0} onClick={() => onShow('rounds')}>
          双人编码
        </Button>
        <Button type="primary" disabled={coded === 0 || coding.vid === null} onClick={() => onShow('write')}>
          写回数据
        </Button>
      </div>
    </header>
  );
}

interface ToolsProps {
  filter: AnswerFilter;
  search: RefObject<InputRef | null>;
  coding: Coding;
  onNarrow: (part: Partial<AnswerFilter>) => void;
}

const SEARCH_MS = 300;

function Tools({ filter, search, coding, onNarrow }: ToolsProps) {
  const [text, setText] = useState(filter.q);
  const latest = useRef(onNarrow);
  useEffect(() => {
    latest.current = onNarrow;
  });
  useEffect(() => {
    if (text.trim() === filter.q) return;
    const timer = setTimeout(() => latest.current({ q: text.trim() }), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [text, filter.q]);
  const { answers, coded_answers: coded } = coding.progress;
  const counts = { all: answers, uncoded: answers - coded, suggested: coding.open, coded };
  return (
    <div className={styles['tools']}>
      <span className={styles['search']}>
        <Input
          ref={search}
          value={text}
          allowClear
          maxLength={100}
          placeholder="搜索回答里的字"
          aria-label="搜索回答"
          onChange={(event) => setText(event.target.value)}
        />
      </span>
      <Segmented
        value={filter.state}
        aria-label="看哪些回答"
        options={(Object.keys(STATES) as (keyof typeof STATES)[]).map((value) => ({
          value,
          label: `${STATES[value]} ${counts[value].toLocaleString('en-US')}`,
        }))}
        onChange={(state) => onNarrow({ state })}
      />
      <Select
        value={filter.sort}
        aria-label="次序"
        options={(Object.keys(SORTS) as (keyof typeof SORTS)[]).map((value) => ({ value, label: SORTS[value] }))}
        onChange={(sort) => onNarrow({ sort })}
      />
    </div>
  );
}
