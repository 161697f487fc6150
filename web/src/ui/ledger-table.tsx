/** Movements of a balance, newest first: when, what for, of which kind, how much, what it came to, and until when it is good. */
import { integer } from '@hengxi/contracts/format';
import { Pagination } from 'antd';

import { formatInstant } from '../lib/format-size.ts';
import styles from './ledger-table.module.css';
import plain from './plain-table.module.css';

export interface Movement {
  id: number;
  /** ISO. */
  at: string;
  title: string;
  kind: string;
  amount: number;
  balance: number;
  /** Until when it can be spent, in words; only where the balance expires. */
  until?: string;
}

interface LedgerProps {
  /** What is counted, over the column of the amounts. */
  unit: string;
  movements: readonly Movement[];
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

export function LedgerTable({ unit, movements, page, pageSize, total, onPage }: LedgerProps) {
  const expires = movements.some(({ until }) => until !== undefined);
  return (
    <>
      {/* Wider than a phone: scrolled by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles['scroll']} role="region" aria-label={`${unit}明细，表格`} tabIndex={0}>
        <table className={plain['table']}>
          <thead>
            <tr>
              <th scope="col">时间</th>
              <th scope="col">事项</th>
              <th scope="col" className={styles['kind']}>
                类型
              </th>
              <th scope="col" className={plain['number']}>
                {unit}
              </th>
              <th scope="col" className={plain['number']}>
                余额
              </th>
              {expires ? (
                <th scope="col" className={styles['until']}>
                  有效期至
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {movements.map(({ id, at, title, kind, amount, balance, until }) => (
              <tr key={id}>
                <td>{formatInstant(at)}</td>
                <td>{title}</td>
                <td className={styles['kind']}>{kind}</td>
                <td className={plain['number']}>{amount > 0 ? `+${integer(amount)}` : integer(amount)}</td>
                <td className={plain['number']}>{integer(balance)}</td>
                {expires ? <td className={styles['until']}>{until}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > pageSize ? (
        <Pagination
          className={styles['pages'] ?? ''}
          current={page}
          pageSize={pageSize}
          total={total}
          showSizeChanger={false}
          onChange={onPage}
        />
      ) : null}
    </>
  );
}
