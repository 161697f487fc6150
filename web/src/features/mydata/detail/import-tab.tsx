/** 导入报告: what was read from the file, whether it adds up, and what was decided about every column. */
import type { ImportReport, Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';

import { errorText, isNotFound } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { importReportQuery } from '../queries.ts';
import styles from './import-tab.module.css';

const SETTING: Record<string, string> = {
  encoding: '编码',
  delimiter: '分隔符',
  quote: '引号',
  decimal: '小数点',
  header_row: '表头行',
  header_rows: '表头行数',
  sheet: '工作表',
};

const SIGN: Record<string, string> = { '\t': '制表符', ',': '逗号', ';': '分号', '|': '竖线', ' ': '空格', '': '无' };

const CHECK = {
  same: { state: 'pass', text: '与原文件核对一致' },
  different: { state: 'fail', text: '与原文件核对不一致' },
  none: { state: 'unknown', text: '没有可核对的数值列' },
} as const;

export function ImportTab({ version }: { version: Version }) {
  const report = useQuery(importReportQuery(version.vid));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key
    <div role="region" aria-label="导入报告" tabIndex={0} className={styles['page']}>
      {report.isPending ? <ListSkeleton /> : null}
      {report.isError ? (
        isNotFound(report.error) ? (
          <EmptyState title="没有导入报告" hint="这一版不是从文件导入的。" />
        ) : (
          <EmptyState title="导入报告没有加载出来" hint={errorText(report.error)} />
        )
      ) : null}
      {report.data ? <Report report={report.data} /> : null}
    </div>
  );
}

function Report({ report }: { report: ImportReport }) {
  const check = CHECK[report.check.sums];
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
          if (!name || (typeof value !== 'string' && typeof value !== 'number')) return [];
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
              <td>{column.type}</td>
              <td>{column.why}</td>
              <td className={styles['number']}>{formatCount(column.missing)}</td>
              <td>{oddText(column)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** “-” 3 个作缺失；第 12、40 行：1,234. */
function oddText(column: ImportReport['columns'][number]): string {
  const tokens = Object.entries(column.tokens).map(([text, count]) => `“${text}” ${formatCount(count)} 个作缺失`);
  const samples = column.samples.slice(0, 3).map((cell) => `第 ${cell.row} 行“${cell.value}”`);
  const odd = column.odd > 0 ? [`${formatCount(column.odd)} 个与其他写法不同`, ...samples] : [];
  return [...tokens, ...odd].join('，') || '–';
}
