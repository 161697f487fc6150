/** Something that went on but must be known: stands where it belongs, shape and word, never red. */
import type { WarningElement } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';

import { CheckMark } from '../../ui/check-mark.tsx';
import { useReport } from '../context.ts';
import { Sentence } from '../words.tsx';
import styles from './warning.module.css';

export function Warning({ warning }: { warning: WarningElement }) {
  const { onRows } = useReport();
  return (
    <p className={styles['warning']} role="note">
      <CheckMark state="care" size={13} />
      <span>
        {warning.at === null ? null : <b>{warning.at}：</b>}
        <Sentence text={warning.text} facts={warning.facts} />
        {onRows === undefined || warning.rows.length === 0 ? null : (
          <button
            type="button"
            className={`hx-link ${styles['rows']}`}
            onClick={() => onRows({ set: 'rows', rows: warning.rows })}
          >
            查看 {integer(warning.rows.length)} 行
          </button>
        )}
      </span>
    </p>
  );
}
