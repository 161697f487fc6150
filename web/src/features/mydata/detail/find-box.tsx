/** Ctrl+F: a text in the table; Enter goes to the next place, Shift+Enter to the one before, 只看 keeps only these rows. */
import { DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons';
import type { Version } from '@hengxi/server/files/schema';
import { Button, Input, type InputRef, Tooltip } from 'antd';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';

import { formatCount } from '../../../lib/format-size.ts';
import { useShortcut } from '../../../lib/shortcuts.ts';
import type { GridHandle } from './grid/data-grid.tsx';
import styles from './tab-bar.module.css';
import { type FindState, useFind } from './use-find.ts';
import type { TableView } from './use-table-view.ts';

const FIND_MS = 350;

function words(state: FindState): string {
  switch (state.is) {
    case 'found':
      return `${formatCount(state.at)} / ${formatCount(state.total)} 行`;
    case 'seeking':
      return '查找中…';
    case 'none':
      return '没有';
    case 'failed':
      return '没有查到，请重试';
    default:
      return '';
  }
}

interface FindBoxProps {
  version: Version;
  view: TableView;
  grid: RefObject<GridHandle | null>;
  /** Stands there while nothing is looked for: there is no room for both. */
  beside: ReactNode;
}

export function FindBox({ version, view, grid, beside }: FindBoxProps) {
  const find = useFind(version, view, grid);
  const input = useRef<InputRef>(null);
  const typed = useRef(find.text);
  const first = useRef(find.first);
  useEffect(() => {
    first.current = find.first;
  });
  useEffect(() => {
    if (typed.current === find.text) return;
    const timer = setTimeout(() => {
      typed.current = find.text;
      first.current();
    }, FIND_MS);
    return () => clearTimeout(timer);
  }, [find.text]);
  const open = () => {
    input.current?.focus();
    input.current?.select();
  };
  useShortcut('/', open);
  useShortcut('Ctrl+F', open);
  useShortcut('F3', () => find.step(false));
  useShortcut('Shift+F3', () => find.step(true));
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') find.step(event.shiftKey);
    else if (event.key === 'Escape') {
      find.type('');
      grid.current?.focus();
    } else return;
    event.preventDefault();
  };
  const isOn = find.text.trim() !== '';
  return (
    <div className={styles['finding']}>
      <Input
        ref={input}
        allowClear
        className={styles['find']}
        prefix={<SearchOutlined aria-hidden />}
        suffix={<span className={styles['hits']}>{words(find.state)}</span>}
        placeholder="在数据里查找"
        aria-label="在数据里查找"
        value={find.text}
        onChange={(event) => find.type(event.target.value)}
        onKeyDown={onKey}
      />
      <span className="hx-hidden" role="status">
        {find.state.is === 'idle' ? '' : words(find.state)}
      </span>
      {isOn ? (
        <>
          <Tooltip title="上一处（Shift Enter）">
            <Button type="text" aria-label="上一处" icon={<UpOutlined aria-hidden />} onClick={() => find.step(true)} />
          </Tooltip>
          <Tooltip title="下一处（Enter）">
            <Button
              type="text"
              aria-label="下一处"
              icon={<DownOutlined aria-hidden />}
              onClick={() => find.step(false)}
            />
          </Tooltip>
          <Tooltip title="只显示含有这段文字的行">
            <Button type="text" aria-pressed={find.narrowed} onClick={() => find.narrow(!find.narrowed)}>
              {find.narrowed ? '看全部' : '只看'}
            </Button>
          </Tooltip>
        </>
      ) : (
        beside
      )}
    </div>
  );
}
