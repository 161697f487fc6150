/** Coupon codes that were exchanged for, each with a button to copy it. */
import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';

import { copyText } from '../../lib/copy-text.ts';
import styles from './credits.module.css';

export function Codes({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return null;
  return (
    <ul className={styles['codes']}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
          <Button
            type="text"
            size="small"
            icon={<CopyOutlined aria-hidden />}
            aria-label={`复制优惠码 ${code}`}
            onClick={() => void copyText(code)}
          >
            复制
          </Button>
        </li>
      ))}
    </ul>
  );
}
