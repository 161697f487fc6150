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
      {packages.map((offer) => (
        <label key={offer.id} className={styles['card']} data-chosen={offer.id === chosen}>
          <input
            type="radio"
            className="hx-hidden"
            name={name}
            checked={offer.id === chosen}
            onChange={() => onChoose(offer.id)}
          />
          <b>{offer.title}</b>
          <span className={styles['gives']}>{gives(offer)}</span>
          <span className={styles['price']}>
            <small>¥</small>
            {money(offer.price)}
          </span>
          {offer.price < offer.fee ? (
            <s className={styles['former']}>
              <span className="hx-hidden">原价 </span>¥{money(offer.fee)}
            </s>
          ) : null}
          <CheckOutlined aria-hidden className={styles['tick'] ?? ''} />
        </label>
      ))}
    </div>
  );
}
