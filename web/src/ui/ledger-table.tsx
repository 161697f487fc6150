/** Movements of a balance, newest first: when, what for, of which kind, how much, and what it came to. */
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
  return (
    <>
      <div className={styles['scroll']}>
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
            </tr>
          </thead>
          <tbody>
            {movements.map(({ id, at, title, kind, amount, balance }) => (
              <tr key={id}>
                <td>{formatInstant(at)}</td>
                <td>{title}</td>
                <td className={styles['kind']}>{kind}</td>
                <td className={plain['number']}>{amount > 0 ? `+${integer(amount)}` : integer(amount)}</td>
                <td className={plain['number']}>{integer(balance)}</td>
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
