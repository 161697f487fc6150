/** Rows of the variable list: a folder, a variable. */
import { DownOutlined, RightOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import type { CSSProperties, MouseEvent } from 'react';

import type { Use } from '../boxes/box.ts';
import { useDraggableRow } from '../boxes/variable-boxes.tsx';
import { setOf } from '../answer-sets.ts';
import type { Column } from '../column.ts';
import { titleOf } from '../column.ts';
import type { MeasureKind } from '../../ui/measure-icon.tsx';
import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import type { Row } from '../folders.ts';
import { TypeMenu } from './type-menu.tsx';
import styles from './variable-list.module.css';

interface Placed {
  place: CSSProperties;
  count: { 'aria-setsize': number; 'aria-posinset': number };
}

export interface FolderRowProps extends Placed {
  row: Extract<Row, { is: 'folder' }>;
  onToggle: () => void;
}

export function FolderRow({ row, place, count, onToggle }: FolderRowProps) {
  return (
    // The tree holds the focus; keys reach it there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      className={styles['folder']}
      style={place}
      role="treeitem"
      aria-level={1}
      aria-expanded={row.open}
      aria-selected={false}
      {...count}
      onClick={onToggle}
    >
      {row.open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
      <span className={styles['name']}>{row.title}</span>
      <span className={styles['folderCount']}>{row.count}</span>
    </div>
  );
}

export interface SetRowProps extends Omit<VariableRowProps, 'column' | 'deep' | 'said' | 'together' | 'onRetype'> {
  row: Extract<Row, { is: 'folder' }>;
  set: string;
  onToggle: () => void;
}

/** A multiple-answer question: chosen, dragged and sent as one thing; its options are listed below. */
export function SetRow(props: SetRowProps) {
  const { row, set, place, count, uses, selected, focused, readOnly, onPick, onSend, onToggle } = props;
  const { ref, listeners, isDragging } = useDraggableRow(set);
  const used = uses.filter((use) => use.key !== '_filter');
  return (
    // The tree holds the focus; keys reach it there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={ref}
      id={`var-${set}`}
      className={styles['row']}
      style={place}
      role="treeitem"
      aria-level={1}
      aria-expanded={row.open}
      aria-selected={selected}
      {...count}
      data-selected={selected ? '' : undefined}
      data-focused={focused ? '' : undefined}
      data-used={used.length > 0 ? '' : undefined}
      data-dragging={isDragging ? '' : undefined}
      onClick={(event) => onPick(event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only')}
      onDoubleClick={readOnly ? undefined : onSend}
      {...listeners}
    >
      <button
        type="button"
        tabIndex={-1}
        className={styles['kind']}
        aria-label={row.open ? `收起“${row.title}”的选项` : `列出“${row.title}”的选项`}
        onMouseDown={(event) => event.stopPropagation()}
        onTouchStart={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        {row.open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
      </button>
      <MeasureIcon kind="多选题集" />
      <span className={styles['name']} title={`多选题集：${row.title}，整组拖入`}>
        {row.title}
      </span>
      <span className={styles['folderCount']}>{row.count} 项</span>
      <Badges uses={uses} />
    </div>
  );
}

function Badges({ uses }: { uses: readonly Use[] }) {
  return uses.map((use) => (
    <Tooltip key={use.key} title={`已在${use.title}`}>
      <span className={styles['badge']} data-quiet={use.key.startsWith('_') ? '' : undefined}>
        <span aria-hidden="true">{use.badge}</span>
        <span className="hx-hidden">已在{use.title}</span>
      </span>
    </Tooltip>
  ));
}

export interface VariableRowProps extends Placed {
  column: Column;
  deep: boolean;
  /** The start of its title that the folder above shows already. */
  said: string;
  uses: readonly Use[];
  selected: boolean;
  focused: boolean;
  /** How many variables a change of type would reach. */
  together: number;
  readOnly: boolean;
  onPick: (how: 'only' | 'toggle' | 'range') => void;
  onSend: () => void;
  onRetype: (kind: MeasureKind) => void;
}

export function VariableRow(props: VariableRowProps) {
  const { column, deep, said, place, count, uses, selected, focused, together, readOnly, onPick, onSend, onRetype } =
    props;
  const { ref, listeners, isDragging } = useDraggableRow(column.id);
  const kind = measureKind(column);
  const title = titleOf(column);
  const used = uses.filter((use) => use.key !== '_filter');
  const click = (event: MouseEvent): void => {
    onPick(event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
  };
  return (
    // The tree holds the focus; keys reach it there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={ref}
      id={`var-${column.id}`}
      className={styles['row']}
      style={place}
      role="treeitem"
      aria-level={deep ? 2 : 1}
      aria-selected={selected}
      {...count}
      data-selected={selected ? '' : undefined}
      data-focused={focused ? '' : undefined}
      data-used={used.length > 0 ? '' : undefined}
      data-dragging={isDragging ? '' : undefined}
      data-deep={deep ? '' : undefined}
      onClick={click}
      onDoubleClick={readOnly ? undefined : onSend}
      {...listeners}
    >
      {readOnly || setOf(column) !== null ? (
        <MeasureIcon kind={kind} />
      ) : (
        <TypeMenu column={column} count={together} onChange={onRetype} />
      )}
      <span
        className={styles['name']}
        title={column.label === null || column.label === '' ? column.name : `${column.label}（${column.name}）`}
      >
        {said === '' ? null : <span className="hx-hidden">{said}</span>}
        {title.slice(said.length)}
      </span>
      <Badges uses={uses} />
    </div>
  );
}
