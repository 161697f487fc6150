/** The grid, what it is narrowed to, and a line about it below. */
import type { ActiveFilter, Column, Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, type MenuProps } from 'antd';
import { type ReactNode, type RefObject, useCallback, useMemo } from 'react';

import { conditionWords } from '../../../fields/condition/words.ts';
import { figureText } from '../../../fields/clock.ts';
import { titleOf } from '../../../fields/column.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { findEdge, importReportQuery, readRows } from '../queries.ts';
import styles from './data-tab.module.css';
import { DataGrid, type GridHandle } from './grid/data-grid.tsx';
import type { SeekEdge } from './grid/jump.ts';
import type { FetchBlock } from './grid/row-blocks.ts';
import { useColumnLayout } from './grid/use-column-layout.ts';
import { headMenu } from './head-menu.tsx';
import { ReplaceBar } from './replace-bar.tsx';
import { useRowColumnMenu } from './use-row-column-menu.tsx';
import { ConvertedCells } from './converted-cells.tsx';
import type { GridStart, UseCellEdits } from './use-cell-edits.ts';
import { lookOf, type Picked, type TableView } from './use-table-view.ts';

interface DataTabProps {
  version: Version;
  known: ReadonlyMap<string, Column>;
  view: TableView;
  grid: RefObject<GridHandle | null>;
  start: GridStart;
  edits: UseCellEdits;
  selected: string | null;
  onSelect: (column: string | null) => void;
  /** Whether the bar of 查找和替换 is open. */
  replacing: boolean;
  onReplace: () => void;
  onEditing: (on: boolean) => void;
}

export function DataTab(props: DataTabProps) {
  const { version, known, view, grid, start, edits, selected, onSelect, replacing, onReplace, onEditing } = props;
  const { sort, find, picked } = view;
  const look = useMemo(() => lookOf({ sort, picked }), [sort, picked]);
  const layout = useColumnLayout(version.fid, version.columns);
  const source = JSON.stringify([version.vid, look, find]);
  const fetch: FetchBlock = useCallback(
    ({ offset, limit, columns }, signal) => {
      const body = { ...look, offset, limit, columns, find: find === '' ? null : find };
      return readRows(version.vid, body, signal);
    },
    [version.vid, look, find],
  );
  const seekEdge: SeekEdge = ({ row, column }, to) =>
    findEdge(version.vid, { ...look, row, column, to, find: find === '' ? null : find });
  const menu = (column: Column): NonNullable<MenuProps['items']> => {
    const at = version.columns.indexOf(column);
    return [
      ...headMenu(column, view, layout, layout.layout.widths[at] ?? 0),
      { type: 'divider' },
      ...hand.columnItems(at),
    ];
  };
  const hand = useRowColumnMenu(version, view, edits, onReplace);
  return (
    <>
      {replacing ? (
        <ReplaceBar version={version} known={known} view={view} grid={grid} edits={edits} onEditing={onEditing} />
      ) : null}
      {hand.dialog}
      <Narrowing version={version} known={known} view={view} />
      {version.columns.length === 0 || version.rows === 0 ? (
        <p className={styles['empty']}>这一版没有数据行。</p>
      ) : (
        <DataGrid
          ref={grid}
          columns={version.columns}
          rows={version.rows}
          source={source}
          fetch={fetch}
          seekEdge={seekEdge}
          labels={view.labels}
          selected={selected}
          sort={sort}
          layout={layout}
          editing={edits.editing}
          start={start.place}
          menu={menu}
          hand={hand.hand}
          onSelect={(id) => onSelect(id === selected ? null : id)}
          onTotal={view.setTotal}
        />
      )}
      <Foot
        version={version}
        column={selected === null ? undefined : known.get(selected)}
        edits={edits}
        odd={<ConvertedCells version={version} view={view} grid={grid} />}
      />
    </>
  );
}

/** What the table is, or what in it is not saved yet. */
function Foot({
  version,
  column,
  edits,
  odd,
}: {
  version: Version;
  column: Column | undefined;
  edits: UseCellEdits;
  odd: ReactNode;
}) {
  const imported = useQuery(importReportQuery(version.vid)).data;
  const changed = edits.edits.cells.size;
  if (changed > 0) {
    return (
      <div className={`${styles['foot']} ${styles['unsaved']}`}>
        <span role="status">
          改动了 {formatCount(changed)} 个单元格，还没有保存
          {edits.isKept
            ? edits.isRestored
              ? '（上次留下的，已恢复）'
              : '（Ctrl Z 撤销）'
            : '。改动太多，浏览器记不下，关闭页面会丢失，请先保存'}
        </span>
        <span className={styles['acts']}>
          <Button size="small" onClick={edits.drop}>
            放弃
          </Button>
          <Button size="small" type="primary" loading={edits.save.isPending} onClick={() => edits.save.mutate({})}>
            保存为一步
          </Button>
        </span>
      </div>
    );
  }
  return (
    <div className={styles['foot']}>
      <span>
        {formatCount(version.rows)} 行 × {formatCount(version.columns.length)} 列
        {edits.editing
          ? '　｜　正在编辑：直接输入、粘贴或按 F2；保存后生成新版本，原始数据不变'
          : version.step.op === 'import' && imported?.check.sums === 'same'
            ? '　｜　与原文件核对一致：数值列合计相同'
            : ''}
      </span>
      {odd}
      {column ? <span className={styles['about']}>{aboutColumn(column)}</span> : null}
    </div>
  );
}

/** Name, mean, median, standard deviation; of what has no mean, how many values. */
function aboutColumn(column: Column): string {
  const { mean, median, sd, distinct, n } = column.profile;
  const parts = [titleOf(column)];
  if (typeof mean === 'number' && column.measure === '定量') {
    parts.push(`均值 ${figureText(mean, column)}`);
    if (typeof median === 'number') parts.push(`中位数 ${figureText(median, column)}`);
    if (typeof sd === 'number') parts.push(`标准差 ${figureText(sd, column)}`);
  } else parts.push(`有效 ${formatCount(n)}`, `${formatCount(distinct ?? 0)} 个不同取值`);
  return parts.join('　');
}

/** The rows a filter leaves for analyses, and those it takes away. */
function sidesOf({ condition, filter_type }: ActiveFilter, words: string): [used: Picked, unused: Picked] {
  const isKeep = filter_type === 'keep';
  const sign = isKeep ? '' : '去掉 ';
  return [
    { title: `筛选：${sign}${words}`, condition, filter_type },
    { title: `筛选（${sign}${words}）去掉的行`, condition, filter_type: isKeep ? 'drop' : 'keep' },
  ];
}

/** Says when not all rows are shown, and which. */
function Narrowing({
  version,
  known,
  view,
}: {
  version: Version;
  known: ReadonlyMap<string, Column>;
  view: TableView;
}) {
  const { picked, find, total } = view;
  const { filter } = version.active;
  if (!picked && find === '') {
    if (!filter) return null;
    const [used, unused] = sidesOf(filter, conditionWords(filter.condition, known));
    return (
      <div className={styles['bar']}>
        <span>
          下面是全部 {formatCount(version.rows)} 行；分析只用筛选后的 {formatCount(filter.filter_count)} 行
        </span>
        <Button size="small" onClick={() => view.setPicked(used)}>
          只看这些行
        </Button>
        <Button size="small" onClick={() => view.setPicked(unused)}>
          看去掉的行
        </Button>
      </div>
    );
  }
  const what = [picked?.title, find === '' ? null : `含“${find}”的行`].filter(Boolean).join('，');
  return (
    <div className={styles['bar']} role="status">
      <span>
        只看{what}：{total === null ? '…' : formatCount(total)} / {formatCount(version.rows)} 行
      </span>
      {picked ? (
        <Button size="small" onClick={() => view.setPicked(null)}>
          看全部行
        </Button>
      ) : null}
    </div>
  );
}
