/** Packages as cards to choose from: a radio group, one price each, the former price struck through while a discount runs. */
import { CheckOutlined } from '@ant-design/icons';
import type { Package } from '@hengxi/server/membership/schema';
import { useId } from 'react';

import { money } from '../queries.ts';
import styles from './purchase.module.css';

/** What a package gives, in one short line. */
export function gives({ lifetime, valid_vip_days: days, points }: Package): string {
  const parts = [
    lifetime ? '长期有效' : days === null ? null : `${days} 天`,
    points === null ? null : `${points} 点 AI 点数`,
  ];
  return parts.filter((part) => part !== null).join(' + ');
}

export function PackageCards({
  packages,
  chosen,
  onChoose,
  label,
}: {
  packages: readonly Package[];
  chosen: number | null;
  onChoose: (id: number) => void;
  label: string;
}) {
  const name = useId();
  return (
    <div className={styles['cards']} role="radiogroup" aria-label={label}>
      {packages.map((one) => (
        <label key={one.id} className={styles['card']} data-chosen={one.id === chosen}>
          <input
            type="radio"
            className="hx-hidden"
            name={name}
            checked={one.id === chosen}
            onChange={() => onChoose(one.id)}
          />
          <b>{one.title}</b>
          <span className={styles['gives']}>{gives(one)}</span>
          <span className={styles['price']}>
            <small>¥</small>
            {money(one.price)}
          </span>
          {one.price < one.fee ? (
            <s className={styles['former']}>
              <span className="hx-hidden">原价 </span>¥{money(one.fee)}
            </s>
          ) : null}
          <CheckOutlined aria-hidden className={styles['tick'] ?? ''} />
        </label>
      ))}
    </div>
  );
}
