/** Small parts the pages of enterprises share. */
import type { Page } from '@hengxi/contracts/http';
import { Pagination } from 'antd';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { toast } from '../../lib/toast.ts';
import { Loaded } from '../../ui/loaded.tsx';
import plain from '../../ui/plain-table.module.css';
import styles from './enterprise.module.css';
import { PAGE } from './queries.ts';

/** What is wrong with a form, told at its field. */
export function FaultLine({ text }: { text: string | null }) {
  return text === null ? null : (
    <span className={styles['fault']} role="alert">
      {text}
    </span>
  );
}

interface Column<T> {
  title: string;
  render: (row: T) => ReactNode;
  number?: boolean;
}

/** A plain table with pages; `empty` says what belongs here. */
export function PagedTable<T>(props: {
  label: string;
  query: UseQueryResult<Page<T>>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
  empty: ReactNode;
  page: number;
  onPage: (page: number) => void;
}) {
  const { label, query, columns, keyOf, empty, page, onPage } = props;
  return (
    <Loaded query={query}>
      {({ total, list }) =>
        total === 0 ? (
          <p className={styles['quiet']}>{empty}</p>
        ) : (
          <>
            {/* A table wider than a phone is scrolled by keys too. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <div className={styles['scroll']} role="region" aria-label={`${label}，表格`} tabIndex={0}>
              <table className={`${plain['table']} ${styles['rows']}`}>
                <thead>
                  <tr>
                    {columns.map(({ title, number }) => (
                      <th key={title} className={number ? plain['number'] : undefined} scope="col">
                        {title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {list.map((row) => (
                    <tr key={keyOf(row)}>
                      {columns.map(({ title, render, number }) => (
                        <td key={title} data-title={title} className={number ? plain['number'] : undefined}>
                          {render(row)}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {total > PAGE ? (
              <Pagination
                className={styles['pages'] ?? ''}
                size="small"
                current={page}
                pageSize={PAGE}
                total={total}
                showSizeChanger={false}
                onChange={onPage}
              />
            ) : null}
          </>
        )
      }
    </Loaded>
  );
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.done('复制成功');
  } catch {
    toast.warn('浏览器不允许复制，请手动选择文字');
  }
}
