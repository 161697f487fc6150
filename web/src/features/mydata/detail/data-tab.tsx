/** The grid, what it is narrowed to, and a line about it below. */
import type { Column, Version } from '@hengxi/server/files/schema';
import { num } from '@hengxi/contracts/format';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type RefObject, useCallback } from 'react';

import { conditionWords } from '../../../fields/condition/words.ts';
import { titleOf } from '../../../fields/column.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { importReportQuery, readRows } from '../queries.ts';
import styles from './data-tab.module.css';
import { DataGrid, type GridHandle } from './grid/data-grid.tsx';
import type { FetchBlock } from './grid/row-blocks.ts';
import type { TableView } from './use-table-view.ts';

interface DataTabProps {
  version: Version;
  known: ReadonlyMap<string, Column>;
  view: TableView;
  grid: RefObject<GridHandle | null>;
  selected: string | null;
  onSelect: (column: string | null) => void;
}

export function DataTab({ version, known, view, grid, selected, onSelect }: DataTabProps) {
  const { sort, find, picked } = view;
  const source = JSON.stringify([version.vid, sort, find, picked?.condition]);
  const condition = picked?.condition ?? null;
  const fetch: FetchBlock = useCallback(
    ({ offset, limit, columns }, signal) => {
      const body = { offset, limit, columns, sort: sort ? [sort] : [], condition, find: find === '' ? null : find };
      return readRows(version.vid, body, signal);
    },
    [version.vid, sort, condition, find],
  );
  const imported = useQuery(importReportQuery(version.vid)).data;
  const column = selected === null ? undefined : known.get(selected);
  return (
    <>
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
          labels={view.labels}
          selected={selected}
          sort={sort}
          onSelect={(id) => onSelect(id === selected ? null : id)}
          onTotal={view.setTotal}
        />
      )}
      <div className={styles['foot']}>
        <span>
          {formatCount(version.rows)} 行 × {formatCount(version.columns.length)} 列
          {imported?.check.sums === 'same' ? '　｜　与原文件核对一致：数值列合计相同' : ''}
        </span>
        {column ? <span className={styles['about']}>{aboutColumn(column)}</span> : null}
      </div>
    </>
  );
}

/** Name, mean, median, standard deviation; of what has no mean, how many values. */
function aboutColumn(column: Column): string {
  const { mean, median, sd, distinct, n } = column.profile;
  const parts = [titleOf(column)];
  if (typeof mean === 'number' && column.measure === '定量') {
    parts.push(`均值 ${num(mean)}`);
    if (typeof median === 'number') parts.push(`中位数 ${num(median)}`);
    if (typeof sd === 'number') parts.push(`标准差 ${num(sd)}`);
  } else parts.push(`有效 ${formatCount(n)}`, `${formatCount(distinct ?? 0)} 个不同取值`);
  return parts.join('　');
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
    const words = conditionWords(filter.condition, known);
    // What a filter drops is everything but its condition; the engine's words for that stand with the server.
    const canShow = filter.filter_type === 'keep';
    return (
      <div className={styles['bar']}>
        <span>
          下面是全部 {formatCount(version.rows)} 行；分析只用筛选后的 {formatCount(filter.filter_count)} 行
        </span>
        {canShow ? (
          <Button size="small" onClick={() => view.setPicked({ title: `筛选：${words}`, condition: filter.condition })}>
            只看这些行
          </Button>
        ) : null}
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
