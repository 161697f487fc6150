/** 数据 | 变量 | 概览 | 导入报告, and beside them how the table is shown. */
import { FilterOutlined, SearchOutlined } from '@ant-design/icons';
import { Button, Input, type InputRef, Segmented, Tooltip } from 'antd';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

import { useShortcut } from '../../../lib/shortcuts.ts';
import styles from './tab-bar.module.css';
import type { TableView } from './use-table-view.ts';

export const TABS = [
  { key: 'data', title: '数据' },
  { key: 'variables', title: '变量' },
  { key: 'overview', title: '概览' },
  { key: 'import', title: '导入报告' },
] as const;

export type TabKey = (typeof TABS)[number]['key'];

export function tabOf(text: string | null): TabKey {
  return TABS.find((tab) => tab.key === text)?.key ?? 'data';
}

interface TabBarProps {
  tab: TabKey;
  onTab: (tab: TabKey) => void;
  view: TableView;
  onFilter: () => void;
}

export function TabBar({ tab, onTab, view, onFilter }: TabBarProps) {
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
        {TABS.map((one) => (
          <button
            key={one.key}
            type="button"
            role="tab"
            data-tab={one.key}
            aria-selected={one.key === tab}
            tabIndex={one.key === tab ? 0 : -1}
            className={styles['tab']}
            onClick={() => onTab(one.key)}
          >
            {one.title}
          </button>
        ))}
      </div>
      {tab === 'data' ? (
        <div className={styles['tools']}>
          <Find view={view} />
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
        </div>
      ) : null}
    </div>
  );
}

const FIND_MS = 300;

/** Keeps only the rows that hold the text anywhere. */
function Find({ view }: { view: TableView }) {
  const [text, setText] = useState(view.find);
  const input = useRef<InputRef>(null);
  const { setFind } = view;
  useShortcut('/', () => input.current?.focus());
  useEffect(() => {
    const timer = setTimeout(() => setFind(text.trim()), FIND_MS);
    return () => clearTimeout(timer);
  }, [text, setFind]);
  return (
    <Input
      ref={input}
      allowClear
      className={styles['find']}
      prefix={<SearchOutlined aria-hidden />}
      placeholder="在数据里查找"
      aria-label="在数据里查找"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
