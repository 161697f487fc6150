/** 数据 | 变量 | 问卷 | 概览 | 导入报告, and beside them how the table is shown. */
import { FilterOutlined, SwapOutlined } from '@ant-design/icons';
import type { Version } from '@hengxi/server/files/schema';
import { Button, Segmented, Switch, Tooltip } from 'antd';
import { type KeyboardEvent, type RefObject, useRef } from 'react';

import { closeReplaceBar } from './replace-store.ts';
import { FindBox } from './find-box.tsx';
import type { GridHandle } from './grid/data-grid.tsx';
import styles from './tab-bar.module.css';
import type { TableView } from './use-table-view.ts';

export const TABS = [
  { key: 'data', title: '数据' },
  { key: 'variables', title: '变量' },
  { key: 'survey', title: '问卷' },
  { key: 'overview', title: '概览' },
  { key: 'import', title: '导入报告' },
] as const;

export type TabKey = (typeof TABS)[number]['key'];

export function tabOf(text: string | null): TabKey {
  return TABS.find((tab) => tab.key === text)?.key ?? 'data';
}

interface TabBarProps {
  version: Version;
  grid: RefObject<GridHandle | null>;
  tab: TabKey;
  onTab: (tab: TabKey) => void;
  view: TableView;
  editing: boolean;
  /** Changed cells that are not saved: editing cannot end with them. */
  unsaved: number;
  /** Variables with changed properties that are not saved. */
  drafted: number;
  onEditing: (on: boolean) => void;
  replacing: boolean;
  onReplace: () => void;
  onFilter: () => void;
}

export function TabBar(props: TabBarProps) {
  const { version, grid, tab, onTab, view, editing, unsaved, drafted, onEditing, replacing, onReplace, onFilter } =
    props;
  const waits: Partial<Record<TabKey, number>> = { data: unsaved, variables: drafted };
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = TABS.findIndex((one) => one.key === tab);
    const next = TABS[(at + step + TABS.length) % TABS.length];
    if (!next) return;
    onTab(next.key);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus();
  };
  return (
    <div className={styles['bar']}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs inside take the focus */}
      <div role="tablist" aria-label="数据的视图" className={styles['tabs']} ref={list} onKeyDown={onKey}>
        {TABS.map((item) => (
          <button
            key={item.key}
            type="button"
            role="tab"
            data-tab={item.key}
            aria-selected={item.key === tab}
            tabIndex={item.key === tab ? 0 : -1}
            className={styles['tab']}
            onClick={() => onTab(item.key)}
          >
            {item.title}
            {(waits[item.key] ?? 0) > 0 ? (
              <span className={styles['waits']} role="img" aria-label="有未保存的改动" />
            ) : null}
          </button>
        ))}
      </div>
      {tab === 'data' ? (
        <div className={styles['tools']}>
          {replacing ? (
            <ReplaceButton on onClick={closeReplaceBar} />
          ) : (
            <FindBox
              version={version}
              view={view}
              grid={grid}
              beside={<ReplaceButton on={false} onClick={onReplace} />}
            />
          )}
          <Button icon={<FilterOutlined aria-hidden />} onClick={onFilter}>
            筛选
          </Button>
          <Tooltip title="Ctrl Alt L">
            <Segmented
              aria-label="显示值或标签"
              options={[
                { value: false, label: '值' },
                { value: true, label: '标签' },
              ]}
              value={view.labels}
              onChange={view.setLabels}
            />
          </Tooltip>
          <Tooltip
            title={
              version.locked
                ? '数据已锁定；在右上角解除后才能编辑'
                : unsaved > 0
                  ? '先保存或放弃改动'
                  : '打开后可以改单元格；每次保存生成新版本'
            }
          >
            <label className={styles['edit']} htmlFor="edit-cells">
              <Switch
                id="edit-cells"
                size="small"
                checked={editing}
                disabled={version.locked}
                aria-disabled={unsaved > 0}
                onChange={(on) => {
                  if (unsaved === 0) onEditing(on);
                }}
              />
              编辑
            </label>
          </Tooltip>
        </div>
      ) : null}
    </div>
  );
}

function ReplaceButton({ on, onClick }: { on: boolean; onClick: () => void }) {
  return (
    <Tooltip title="查找和替换（Ctrl H）">
      <Button
        className={styles['replace'] ?? ''}
        aria-label="查找和替换"
        aria-pressed={on}
        icon={<SwapOutlined aria-hidden />}
        onClick={onClick}
      />
    </Tooltip>
  );
}
