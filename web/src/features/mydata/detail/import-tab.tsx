/** 导入报告: what was read from the file, whether it adds up, and what was decided about every column. */
import type { ImportReport, Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { errorText, isNotFound } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { importReportQuery } from '../queries.ts';
import { AddCatalogue } from './add-catalogue.tsx';
import type { Place } from './grid/move.ts';
import styles from './import-tab.module.css';

const SETTING: Record<string, string> = {
  encoding: '编码',
  delimiter: '分隔符',
  quote: '引号',
  escape: '引号内的引号',
  decimal: '小数点',
  header_row: '表头行',
  header_rows: '表头行数',
  sheet: '工作表',
  member: '数据集',
  range: '区域',
};

const SIGN: Record<string, string> = {
  '\t': '制表符',
  ',': '逗号',
  ';': '分号',
  '|': '竖线',
  ' ': '空格',
  '\\': '前加反斜杠',
  '': '无',
};
/** Said only where they were used. */
const RARE: ReadonlySet<string> = new Set(['range', 'escape']);

/** The labels of the data set lie in a file of their own. */
const LABELS_WANTED = 'sas7bcat.wanted';

const CHECK = {
  same: { state: 'pass', text: '与原文件核对一致' },
  different: { state: 'fail', text: '与原文件核对不一致' },
  none: { state: 'unknown', text: '没有可核对的数值列' },
} as const;

interface ImportTabProps {
  version: Version;
  /** Shows a cell in the table. */
  onGo: (place: Place) => void;
}

export function ImportTab({ version, onGo }: ImportTabProps) {
  const report = useQuery(importReportQuery(version.vid));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key
    <div role="region" aria-label="导入报告" tabIndex={0} className={styles['page']}>
      {report.isPending ? <ListSkeleton /> : null}
      {report.isLoadingError ? (
        isNotFound(report.error) ? (
          <EmptyState title="没有导入报告" hint="这一版不是从文件导入的。" />
        ) : (
          <EmptyState title="导入报告没有加载出来" hint={errorText(report.error)} />
        )
      ) : null}
      {report.data ? <Report report={report.data} version={version} onGo={onGo} /> : null}
    </div>
  );
}

function Report({ report, version, onGo }: ImportTabProps & { report: ImportReport }) {
  const check = CHECK[report.check.sums];
  const places = useMemo(() => new Map(version.columns.map(({ id }, at) => [id, at])), [version.columns]);
  // Rows may have been taken away since; then their numbers are those of the file alone.
  const isWhole = version.rows === report.check.rows;
  return (
    <>
      <p className={styles['check']}>
        <CheckMark state={check.state} decorative />
        <b>{check.text}</b>
        <span>{report.check.text}</span>
      </p>
      <p className={styles['settings']}>
        {Object.entries(report.settings).flatMap(([key, value]) => {
          const name = SETTING[key];
          if (!name || (RARE.has(key) && value === '') || (typeof value !== 'string' && typeof value !== 'number'))
            return [];
          return [
            <span key={key}>
              {name}{' '}
              <b>{key === 'decimal' || key === 'quote' ? String(value) : (SIGN[String(value)] ?? String(value))}</b>
            </span>,
          ];
        })}
      </p>
      {report.warnings.map((warning) => (
        <p key={warning.text} className={styles['warning']}>
          <CheckMark state="care" /> {warning.text}
          {warning.code === LABELS_WANTED ? <AddCatalogue version={version} /> : null}
        </p>
      ))}
      <table className={styles['table']}>
        <caption className="hx-hidden">每一列怎么读的</caption>
        <thead>
          <tr>
            <th scope="col">变量</th>
            <th scope="col">类型</th>
            <th scope="col">为什么</th>
            <th scope="col" className={styles['number']}>
              缺失
            </th>
            <th scope="col">特别的单元格</th>
          </tr>
        </thead>
        <tbody>
          {report.columns.map((column) => (
            <tr key={column.id}>
              <th scope="row">
                {column.name}
                {column.original_name && column.original_name !== column.name ? (
                  <small>原名“{column.original_name}”</small>
                ) : null}
              </th>
              <td className={styles['type']}>{column.type}</td>
              <td>{column.why}</td>
              <td className={styles['number']}>{formatCount(column.missing)}</td>
              <td>
                <Odd
                  column={column}
                  cells={report.check.rows - column.missing}
                  onGo={isWhole ? (row) => onGo({ row, column: places.get(column.id) ?? 0 }) : null}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** “-” 3 个作缺失；第 12、40 行：1,234; a row leads to its cell. */
function Odd({
  column,
  cells,
  onGo,
}: {
  column: ImportReport['columns'][number];
  cells: number;
  onGo: ((row: number) => void) | null;
}) {
  const tokens = Object.entries(column.tokens).map(([text, count]) => `“${text}” ${formatCount(count)} 个作缺失`);
  // Where all are written alike it is their reading that was open: 03/04/2024.
  const what = column.odd < cells ? '写法特别' : '有不同读法';
  const odd = column.odd > 0 ? [`${formatCount(column.odd)} 个${what}`] : [];
  const words = [...tokens, ...odd].join('，');
  if (words === '') return '–';
  const samples = column.odd > 0 ? column.samples.slice(0, 3) : [];
  return (
    <>
      {words}
      {samples.map(({ row, value }) => (
        <span key={row}>
          ，
          {onGo ? (
            <button type="button" className="hx-link" onClick={() => onGo(row - 1)}>
              第 {formatCount(row)} 行
            </button>
          ) : (
            `第 ${formatCount(row)} 行`
          )}
          “{value}”
        </span>
      ))}
    </>
  );
}
