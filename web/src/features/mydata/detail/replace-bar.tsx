/** 查找和替换 (Ctrl+H): what is looked for, where and how; one place after the other, or all of them as one step. */
import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons';
import type { Column, Seek, Version } from '@hengxi/server/files/schema';
import { Button, Checkbox, Input, type InputRef, Select, Tooltip } from 'antd';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { useShortcut } from '../../../lib/shortcuts.ts';
import { toast } from '../../../lib/toast.ts';
import { namedValues } from './grid/cell-text.ts';
import type { GridHandle } from './grid/data-grid.tsx';
import styles from './replace-bar.module.css';
import { type ReplaceSettings, changeAsked, closeReplaceBar, useReplaceBar } from './replace-store.ts';
import type { UseCellEdits } from './use-cell-edits.ts';
import { type ReplaceSearchState, useReplaceSearch } from './use-replace-search.ts';
import { useReplaceAll } from './use-table-edits.ts';
import type { TableView } from './use-table-view.ts';

const FIND_MS = 350;

function words(state: ReplaceSearchState): string {
  switch (state.is) {
    case 'found':
      return `第 ${formatCount(state.at)} / ${formatCount(state.cells)} 处`;
    case 'seeking':
      return '查找中…';
    case 'none':
      return '没有找到';
    case 'done':
      return '其余各处都已改，还没有保存';
    case 'failed':
      return state.why;
    default:
      return '';
  }
}

export function seekOf(
  { text, whole, case: hasCase, pattern, columns }: ReplaceSettings,
  labels: boolean,
): Seek | null {
  return text === '' ? null : { text, whole, case: hasCase, pattern, columns, labels };
}

/** Is a value of the column shown by another word? */
const hasLabels = (column: Column): boolean =>
  namedValues(column).some(({ value, label }) => label !== null && label !== String(value));

interface ReplaceBarProps {
  version: Version;
  known: ReadonlyMap<string, Column>;
  view: TableView;
  grid: RefObject<GridHandle | null>;
  edits: UseCellEdits;
  /** Cells can be changed one by one only while editing. */
  onEditing: (on: boolean) => void;
}

export function ReplaceBar({ version, known, view, grid, edits, onEditing }: ReplaceBarProps) {
  const { asked } = useReplaceBar();
  // Variables that are gone with a step are not asked for any more.
  const left = asked.columns?.filter((id) => known.has(id)) ?? null;
  const columns = left?.length === 0 ? null : left;
  const seek = seekOf({ ...asked, columns }, view.labels && version.columns.some(hasLabels));
  const search = useReplaceSearch({ version, view, grid, seek, by: asked.by, edits: edits.edits.cells });
  const all = useReplaceAll(version, edits, view);
  const input = useRef<InputRef>(null);
  useFirst(JSON.stringify(seek), asked.text === '', () => void search.first());
  const focus = () => {
    input.current?.focus();
    input.current?.select();
  };
  useEffect(focus, []);
  useShortcut('Ctrl+F', focus);
  useShortcut('Ctrl+H', focus);
  useShortcut('F3', () => void search.step(false));
  useShortcut('Shift+F3', () => void search.step(true));

  const close = () => {
    closeReplaceBar();
    grid.current?.focus();
  };
  const replaceOne = async () => {
    const current = await search.current().catch(() => null);
    if (current === null) return search.step(false);
    if ('fault' in current) {
      toast.warn(current.fault);
      return undefined;
    }
    onEditing(true);
    edits.change([current.change]);
    return search.step(false);
  };
  const isOff = version.locked || seek === null;
  const replaceAll = () => {
    if (seek && !isOff) all.mutate({ seek, with: asked.by });
  };
  const onKey = (event: KeyboardEvent, enter: () => void) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') enter();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  const message = words(search.state);
  return (
    <div className={styles['bar']} role="search" aria-label="查找和替换">
      <div className={styles['line']}>
        <Input
          ref={input}
          className={styles['text']}
          maxLength={200}
          placeholder={asked.pattern ? '查找（正则表达式）' : '查找'}
          aria-label="查找内容"
          status={search.state.is === 'failed' ? 'error' : ''}
          value={asked.text}
          onChange={(event) => changeAsked({ text: event.target.value })}
          onKeyDown={(event) => onKey(event, () => void search.step(event.shiftKey))}
        />
        <Tooltip title="上一处（Shift Enter）">
          <Button aria-label="上一处" icon={<UpOutlined aria-hidden />} onClick={() => void search.step(true)} />
        </Tooltip>
        <Tooltip title="下一处（Enter）">
          <Button aria-label="下一处" icon={<DownOutlined aria-hidden />} onClick={() => void search.step(false)} />
        </Tooltip>
        <Scope columns={columns} known={known} version={version} grid={grid} />
        <span className={styles['how']}>
          <How name="whole" text="整格" hint="整个单元格都相同才算" on={asked.whole} />
          <How name="case" text="区分大小写" on={asked.case} />
          <How
            name="pattern"
            text="正则"
            hint="如 ^\d+$ 表示全是数字；替换内容里 $1 表示第一个括号"
            on={asked.pattern}
          />
        </span>
        <span
          role="status"
          className={search.state.is === 'failed' || search.state.is === 'none' ? styles['none'] : styles['said']}
        >
          {message}
        </span>
        <Button
          type="text"
          className={styles['close'] ?? ''}
          aria-label="关闭查找和替换"
          icon={<CloseOutlined aria-hidden />}
          onClick={close}
        />
      </div>
      <div className={styles['line']}>
        <Input
          className={styles['text']}
          placeholder="替换为（空着表示删去）"
          aria-label="替换为"
          value={asked.by}
          disabled={version.locked}
          onChange={(event) => changeAsked({ by: event.target.value })}
          onKeyDown={(event) => onKey(event, () => (event.ctrlKey ? replaceAll() : void replaceOne()))}
        />
        <Tooltip title={version.locked ? '数据已锁定' : '替换这一处并到下一处（Enter）'}>
          <Button disabled={isOff} onClick={() => void replaceOne()}>
            替换
          </Button>
        </Tooltip>
        <Tooltip title={version.locked ? '数据已锁定' : '保存为一步，可以撤销（Ctrl Enter）'}>
          <Button disabled={isOff} loading={all.isPending} onClick={replaceAll}>
            全部替换
          </Button>
        </Tooltip>
        <span className={styles['hint']}>
          {view.picked ? '只在现在显示的行里查找和替换。' : ''}
          {seek?.labels ? '按显示的标签查找。' : ''}
        </span>
      </div>
    </div>
  );
}

/** The first place, once nothing more is typed. */
function useFirst(question: string, isEmpty: boolean, first: () => void) {
  const latest = useRef(first);
  useEffect(() => {
    latest.current = first;
  });
  useEffect(() => {
    if (isEmpty) return undefined;
    const timer = setTimeout(() => latest.current(), FIND_MS);
    return () => clearTimeout(timer);
  }, [question, isEmpty]);
}

function How({
  name,
  text,
  hint,
  on,
}: {
  name: 'whole' | 'case' | 'pattern';
  text: string;
  hint?: string;
  on: boolean;
}) {
  const box = (
    <Checkbox checked={on} onChange={(event) => changeAsked({ [name]: event.target.checked })}>
      {text}
    </Checkbox>
  );
  return hint === undefined ? box : <Tooltip title={hint}>{box}</Tooltip>;
}

/** All columns, or those that are selected in the table. */
function Scope({
  columns,
  known,
  version,
  grid,
}: {
  columns: readonly string[] | null;
  known: ReadonlyMap<string, Column>;
  version: Version;
  grid: RefObject<GridHandle | null>;
}) {
  const [first] = columns ?? [];
  const column = first === undefined ? undefined : known.get(first);
  const chosen =
    columns === null || !column
      ? '所选的列'
      : columns.length === 1
        ? `只在“${titleOf(column)}”`
        : `只在所选 ${columns.length} 列`;
  const choose = (value: string) => {
    if (value === 'all') {
      changeAsked({ columns: null });
      return;
    }
    const rect = grid.current?.rect() ?? null;
    const ids = version.columns.slice(rect?.left ?? 0, (rect?.right ?? 0) + 1).map(({ id }) => id);
    changeAsked({ columns: ids });
  };
  return (
    <Select
      className={styles['scope'] ?? ''}
      aria-label="查找范围"
      value={columns === null ? 'all' : 'chosen'}
      onSelect={choose}
      popupMatchSelectWidth={false}
      options={[
        { value: 'all', label: '全部列' },
        { value: 'chosen', label: chosen },
      ]}
    />
  );
}
