/** 变量: every property of every variable in one table; what is changed is marked and saved together as one step. */
import type { Column, ColumnEdit, Version } from '@hengxi/server/files/schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button } from 'antd';
import { useRef, useState } from 'react';

import { changed, type Draft, toEdits, withDraft } from './draft.ts';
import { LevelsDialog } from './levels-dialog.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { useEdits } from './use-edits.ts';
import { VariableLine } from './variable-line.tsx';
import styles from './variables-tab.module.css';

const ROW = 42;
const HEADS = ['类型', '变量名', '标签', '单位', '值标签', '缺失编码'] as const;

export function VariablesTab({ version }: { version: Version }) {
  const [draft, setDraft] = useState<Draft>(new Map());
  const [levels, setLevels] = useState<Column | null>(null);
  const { edit } = useEdits(version);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: version.columns.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const change = (column: Column, what: Omit<ColumnEdit, 'id'>) => setDraft((old) => changed(old, column, what));
  const pasteLabels = (from: number, lines: readonly string[]) =>
    setDraft((old) =>
      lines.reduce((next, line, at) => {
        const column = version.columns[from + at];
        return column ? changed(next, column, { label: line.trim() || null }) : next;
      }, old),
    );
  const save = () => {
    const edits = toEdits(draft);
    // Cleared first: the new version opens as another page, and leaving with unsaved changes would ask.
    setDraft(new Map());
    edit.mutate(edits, { onError: () => setDraft(draft) });
  };
  return (
    <div className={styles['page']}>
      <div ref={box} className={styles['box']}>
        <div role="table" aria-label="变量属性" aria-rowcount={version.columns.length + 1} className={styles['table']}>
          <div role="row" aria-rowindex={1} className={styles['heads']}>
            {HEADS.map((head) => (
              <div key={head} role="columnheader">
                {head}
              </div>
            ))}
          </div>
          <div role="rowgroup" style={{ position: 'relative', height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const column = version.columns[item.index];
              if (!column) return null;
              return (
                <VariableLine
                  key={column.id}
                  column={withDraft(column, draft)}
                  place={item.index}
                  top={item.start}
                  isChanged={draft.has(column.id)}
                  onChange={(what) => change(column, what)}
                  onPaste={(lines) => pasteLabels(item.index, lines)}
                  onLevels={() => setLevels(column)}
                />
              );
            })}
          </div>
        </div>
      </div>
      <div className={styles['foot']}>
        <span role="status">
          {draft.size > 0
            ? `改动了 ${draft.size} 个变量，还没有保存`
            : '点类型可以更改；标签列可以粘贴一整列。原始数据不会被改动。'}
        </span>
        {draft.size > 0 ? (
          <>
            <Button onClick={() => setDraft(new Map())}>放弃</Button>
            <Button type="primary" loading={edit.isPending} onClick={save}>
              保存
            </Button>
          </>
        ) : null}
      </div>
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
      <UnsavedGuard dirty={draft.size > 0} title="变量的改动还没有保存" />
    </div>
  );
}
