/** Which columns or rows a table shows, in which order and under which names. The stored report stays as it is. */
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import type { TableElement } from '@hengxi/contracts/contract';
import { plain } from '@hengxi/contracts/format';
import { columnId } from '@hengxi/contracts/table-head';
import { chosenLabels, chosenRows, rowIds } from '@hengxi/contracts/table-rows';
import { chosenColumns } from '@hengxi/contracts/table-text';
import { Button, Checkbox, Input } from 'antd';
import { useState } from 'react';

import { Dialog } from '../../ui/dialog.tsx';
import { useReport } from '../context.ts';
import { withTable } from '@hengxi/contracts/report/presentation';
import styles from './arrange-dialog.module.css';

/** Longer lists nobody goes through by hand. */
export const ARRANGED_MOST = 200;

interface Line {
  id: string;
  title: string;
  name: string;
  shown: boolean;
}

type Edit = Parameters<typeof chosenColumns>[1];

function columnLines(table: TableElement, edit: Edit): Line[] {
  const { hidden: _, ...order } = edit ?? {};
  return chosenColumns(table, order).flatMap((index): Line[] => {
    const column = table.columns[index];
    if (column === undefined) return [];
    const id = columnId(column);
    const title = [column.wide, ...column.span, plain(column.title)].filter((t) => t !== null && t !== '').join(' · ');
    return [{ id, title, name: edit?.names?.[id] ?? '', shown: !(edit?.hidden ?? []).includes(id) }];
  });
}

function rowLines(table: TableElement, edit: Edit): Line[] {
  const rows = edit?.rows;
  const order = rows === undefined ? undefined : { ...rows, hidden: [] };
  const ids = table.matrix === null ? rowIds(table) : table.matrix.labels;
  const places = table.matrix === null ? chosenRows(table, order) : chosenLabels(ids, order);
  return places.map((i): Line => {
    const id = ids[i] ?? '';
    return { id, title: id, name: rows?.names[id] ?? '', shown: !(rows?.hidden ?? []).includes(id) };
  });
}

export interface ArrangeDialogProps {
  table: TableElement;
  name: string;
  what: 'columns' | 'rows';
  onClose: () => void;
}

export function ArrangeDialog({ table, name, what, onClose }: ArrangeDialogProps) {
  const { presentation } = useReport();
  const [lines, setLines] = useState(() =>
    (what === 'columns' ? columnLines : rowLines)(table, presentation.value.tables[name]),
  );
  const set = (id: string, part: Partial<Line>): void =>
    setLines(lines.map((l) => (l.id === id ? { ...l, ...part } : l)));
  const move = (at: number, by: number): void => {
    const next = [...lines];
    const [line] = next.splice(at, 1);
    if (line !== undefined) next.splice(at + by, 0, line);
    setLines(next);
  };
  const save = (): void => {
    const names = Object.fromEntries(lines.filter((l) => l.name.trim() !== '').map((l) => [l.id, l.name.trim()]));
    const edit = { order: lines.map((l) => l.id), hidden: lines.filter((l) => !l.shown).map((l) => l.id), names };
    presentation.change(withTable(presentation.value, name, what === 'columns' ? edit : { rows: edit }));
    onClose();
  };
  const none = lines.every((l) => !l.shown);
  return (
    <Dialog
      open
      title={what === 'columns' ? '表的列' : '表的行'}
      width="choose"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            onClick={save}
            disabled={none}
            title={none ? `至少留一${what === 'columns' ? '列' : '行'}` : undefined}
          >
            应用
          </Button>
        </>
      }
    >
      <ul className={styles['list']}>
        {lines.map((line, at) => (
          <li key={line.id} className={styles['line']}>
            <Checkbox checked={line.shown} onChange={(e) => set(line.id, { shown: e.target.checked })}>
              {line.title}
            </Checkbox>
            <Input
              size="small"
              aria-label={`${line.title}的新名称`}
              placeholder="改名"
              maxLength={40}
              value={line.name}
              onChange={(e) => set(line.id, { name: e.target.value })}
            />
            <Button
              size="small"
              type="text"
              icon={<ArrowUpOutlined aria-hidden />}
              aria-label={`上移${line.title}`}
              disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <Button
              size="small"
              type="text"
              icon={<ArrowDownOutlined aria-hidden />}
              aria-label={`下移${line.title}`}
              disabled={at === lines.length - 1}
              onClick={() => move(at, 1)}
            />
          </li>
        ))}
      </ul>
      <p className={styles['hint']}>只改变显示，不改变结果；可撤销。</p>
    </Dialog>
  );
}
