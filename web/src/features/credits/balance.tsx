/** 可用积分 320 · 待到账 50 · 30 天内到期 40（12 月 31 日）, and why an account may not use its credits. */
import { integer } from '@hengxi/contracts/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Loaded } from '../../ui/loaded.tsx';
import { Appeal } from './appeal.tsx';
import styles from './credits.module.css';
import { accountQuery } from './queries.ts';
import { balanceNotes } from './words.ts';

export function Balance({ onRules }: { onRules: () => void }) {
  const account = useQuery(accountQuery);
  const [now] = useState(() => Date.now());
  return (
    <Loaded query={account} rows={1}>
      {(data) => (
        <>
          <p className={styles['balance']}>
            <span>
              可用积分 <b>{integer(data.total_amount)}</b>
            </span>
            {balanceNotes(data, now).map((note) => (
              <span key={note} className={styles['note']}>
                {note}
              </span>
            ))}
            <button type="button" className={`hx-link ${styles['rulesLink']}`} onClick={onRules}>
              积分规则
            </button>
          </p>
          {data.held_reason === null ? null : (
            <div className={styles['held']} role="status">
              <p>账户暂停使用积分：{data.held_reason}</p>
              <Appeal record={null} about="积分账户" />
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
