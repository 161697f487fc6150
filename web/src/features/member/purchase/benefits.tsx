/** What a membership brings; the same list in the dialog and on the package page, read from what the server enforces. */
import { CheckOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { editionsQuery, gains, useEditionLines } from '../../../lib/editions.ts';
import styles from './purchase.module.css';

export function Benefits({ onLeave }: { onLeave?: () => void }) {
  const editions = useQuery(editionsQuery);
  const lines = useEditionLines();
  return (
    <section className={styles['benefits']} aria-label="会员权益">
      <h3 className={styles['quiet']}>会员权益</h3>
      <ul>
        {gains(editions.data ?? [], lines, 'member').map(({ title, now, before }) => (
          <li key={title}>
            <CheckOutlined aria-hidden />
            <span>
              {title}　<b>{now}</b>
              <small className={styles['former']}>标准版 {before}</small>
            </span>
          </li>
        ))}
      </ul>
      <Link to="/enterprise-compare" {...(onLeave ? { onClick: onLeave } : {})}>
        各版本完整对比
      </Link>
    </section>
  );
}
