/** 变量: every property of every variable in one table; what is changed is marked and saved together as one step. */
import type { Column, ColumnEdit, Version } from '@hengxi/server/files/schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { SearchOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input } from 'antd';
import { type Dispatch, type SetStateAction, useRef, useState } from 'react';

import { toast } from '../../../lib/toast.ts';
import { MeasureIcon } from '../../../ui/measure-icon.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { changed, type Draft, toEdits, withDraft } from './draft.ts';
import { LevelsDialog } from './levels-dialog.tsx';
import { draftFault, leftOver, pasted } from './paste-properties.ts';
import { SetsDialog } from './sets-dialog.tsx';
import { useEdits } from './use-edits.ts';
import { useVariableSearch } from './use-variable-search.ts';
import { VariableLine } from './variable-line.tsx';
import styles from './variables-tab.module.css';

const ROW = 42;
const HEADS = ['类型', '变量名', '标签', '单位', '值标签', '缺失编码'] as const;

/** Chosen rows of the list shown: a click adds or removes, Shift reaches from the last click. */
export function chosenWith(
  chosen: ReadonlySet<string>,
  ids: readonly string[],
  at: number,
  anchor: number | null,
): ReadonlySet<string> {
  const id = ids[at];
  if (id === undefined) return chosen;
  const next = new Set(chosen);
  if (anchor === null) {
    if (!next.delete(id)) next.add(id);
    return next;
  }
  for (const one of ids.slice(Math.min(at, anchor), Math.max(at, anchor) + 1)) next.add(one);
  return next;
}

interface VariablesTabProps {
  version: Version;
  draft: Draft;
  onDraft: Dispatch<SetStateAction<Draft>>;
}

export function VariablesTab({ version, draft, onDraft: setDraft }: VariablesTabProps) {
  const [levels, setLevels] = useState<Column | null>(null);
  /** Columns of a new question, or none to look at those there are. */
  const [sets, setSets] = useState<readonly Column[] | null>(null);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<number | null>(null);
  const { edit } = useEdits(version);
  const box = useRef<HTMLDivElement>(null);
  const shown = useVariableSearch(version.columns, query) ?? version.columns;
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const ids = shown.map((column) => column.id);
  const fault = draft.size > 0 ? draftFault(version.columns, draft) : null;
  const change = (column: Column, what: Omit<ColumnEdit, 'id'>) => setDraft((old) => changed(old, column, what));
  const choose = (at: number, extend: boolean) => {
    setChosen((old) => chosenWith(old, ids, at, extend ? anchor.current : null));
    anchor.current = at;
  };
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id));
  const save = () => {
    const edits = toEdits(draft);
    // Cleared first: the new version opens as another page, and leaving with unsaved changes would ask.
    setDraft(new Map());
    edit.mutate(edits, { onError: () => setDraft(draft), onAgain: () => setDraft(new Map()) });
  };
  return (
    <div className={styles['page']}>
      <div className={styles['tools']}>
        <Input
          allowClear
          className={styles['search']}
          prefix={<SearchOutlined aria-hidden />}
          placeholder="名称、标签、拼音"
          aria-label="在变量属性里搜索"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        {chosen.size > 0 ? (
          <BulkBar
            chosen={version.columns.filter((column) => chosen.has(column.id)).map((one) => withDraft(one, draft))}
            onChange={(changes) =>
              setDraft((old) =>
                Array.from(changes).reduce((next, [{ id }, what]) => {
                  const column = version.columns.find((one) => one.id === id);
                  return column ? changed(next, column, what) : next;
                }, old),
              )
            }
            onSet={draft.size === 0 ? () => setSets(version.columns.filter((one) => chosen.has(one.id))) : null}
            onClear={() => setChosen(new Set())}
          />
        ) : (
          <span className={styles['hint']}>勾选多个变量可批量修改；支持从 Excel 粘贴。</span>
        )}
        {version.sets.length > 0 ? (
          <Button size="small" className={styles['sets'] ?? ''} onClick={() => setSets([])}>
            <MeasureIcon kind="多选题集" decorative /> 多选题集 {version.sets.length}
          </Button>
        ) : null}
      </div>
      <div ref={box} className={styles['box']}>
        <div role="table" aria-label="变量属性" aria-rowcount={shown.length + 1} className={styles['table']}>
          <div role="row" aria-rowindex={1} className={styles['heads']}>
            <div role="columnheader">
              <Checkbox
                aria-label="选择全部变量"
                checked={isAll}
                indeterminate={!isAll && ids.some((id) => chosen.has(id))}
                onChange={() => setChosen(isAll ? new Set() : new Set(ids))}
              />
            </div>
            {HEADS.map((head) => (
              <div key={head} role="columnheader">
                {head}
              </div>
            ))}
          </div>
          <div role="rowgroup" style={{ position: 'relative', height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const column = shown[item.index];
              if (!column) return null;
              return (
                <VariableLine
                  key={column.id}
                  column={withDraft(column, draft)}
                  place={version.columns.indexOf(column)}
                  top={item.start}
                  isChanged={draft.has(column.id)}
                  isChosen={chosen.has(column.id)}
                  onChoose={(extend) => choose(item.index, extend)}
                  onChange={(what) => change(column, what)}
                  onPaste={(field, block) => {
                    const next = pasted(draft, shown, item.index, field, block);
                    if ('fault' in next) {
                      toast.warn(next.fault);
                      return;
                    }
                    setDraft(next);
                    const cut = leftOver(shown, item.index, field, block);
                    if (cut !== null) toast.note(cut);
                  }}
                  onLevels={() => setLevels(column)}
                />
              );
            })}
          </div>
        </div>
      </div>
      <div className={styles['foot']}>
        <span role="status">
          {fault ??
            (draft.size > 0 ? `改动了 ${draft.size} 个变量，还没有保存` : '点类型可以更改；原始数据不会被改动。')}
        </span>
        {draft.size > 0 ? (
          <>
            <Button onClick={() => setDraft(new Map())}>放弃</Button>
            <Button type="primary" disabled={fault !== null} loading={edit.isPending} onClick={save}>
              保存
            </Button>
          </>
        ) : null}
      </div>
      {sets ? <SetsDialog version={version} chosen={sets} onClose={() => setSets(null)} /> : null}
      {levels ? (
        <LevelsDialog
          column={withDraft(levels, draft)}
          onSave={(next) => {
            change(levels, { levels: next });
            setLevels(null);
          }}
          onClose={() => setLevels(null)}
        />
      ) : null}
    </div>
  );
}
