/** Rows of the variable list of the data page: a folder, a variable. Variables are dragged onto folders. */
import {
  DownOutlined,
  EyeInvisibleOutlined,
  FolderOpenOutlined,
  FolderOutlined,
  RightOutlined,
} from '@ant-design/icons';
import type { DragEvent, MouseEvent } from 'react';

import { titleOf } from '../../../fields/column.ts';
import type { Row } from '../../../fields/folders.ts';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import styles from './variable-list.module.css';

export interface RowProps {
  row: Row;
  id: string;
  top: number;
  place: { 'aria-setsize': number; 'aria-posinset': number };
  /** Out of sight, and shown because it was looked for. */
  isHidden: boolean;
  isChosen: boolean;
  isFocused: boolean;
  /** A drag is over the folder that this row is or lies in. */
  isAimed: boolean;
  onClick: (event: MouseEvent) => void;
  onMenu: () => void;
  onDragStart: (event: DragEvent) => void;
}

export function ListRow({ row, ...rest }: RowProps) {
  return row.is === 'folder' ? <FolderLine row={row} {...rest} /> : <VariableLine row={row} {...rest} />;
}

function FolderLine(props: RowProps & { row: Extract<Row, { is: 'folder' }> }) {
  const { row, id, top, place, isChosen, isFocused, isAimed, onClick, onMenu } = props;
  const own = row.open ? <FolderOpenOutlined aria-hidden /> : <FolderOutlined aria-hidden />;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the list
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={1}
      aria-expanded={row.open}
      aria-selected={isChosen}
      {...place}
      data-row={row.key}
      data-focused={isFocused}
      data-aimed={isAimed}
      className={styles['folder']}
      style={{ top }}
      title={row.title}
      onClick={onClick}
      onContextMenu={onMenu}
    >
      {row.open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
      {row.own === null ? null : own}
      {row.isSet ? <MeasureIcon kind="多选题集" /> : null}
      <span>{row.title}</span>
      <small>{row.isSet ? `${row.count} 项` : row.count}</small>
    </div>
  );
}

function VariableLine(props: RowProps & { row: Extract<Row, { is: 'column' }> }) {
  const { row, id, top, place, isHidden, isChosen, isFocused, isAimed, onClick, onMenu, onDragStart } = props;
  const { column } = row;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the list
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.deep ? 2 : 1}
      aria-selected={isChosen}
      {...place}
      data-row={row.key}
      data-deep={row.deep}
      data-focused={isFocused}
      data-aimed={isAimed}
      className={styles['item']}
      style={{ top }}
      title={column.label ? `${column.name}　${column.label}` : column.name}
      draggable
      onDragStart={onDragStart}
      onClick={onClick}
      onContextMenu={onMenu}
    >
      <MeasureIcon kind={measureKind(column)} />
      <span>
        {row.said === '' ? null : <span className="hx-hidden">{row.said}</span>}
        {titleOf(column).slice(row.said.length)}
      </span>
      {isHidden ? <EyeInvisibleOutlined aria-label="已隐藏" className={styles['mark'] ?? ''} /> : null}
    </div>
  );
}
