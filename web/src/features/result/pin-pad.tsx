/** The side pad of pinned numbers: what, from where, unrounded, and the way back. */
import { CloseOutlined, PushpinOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { Link } from 'react-router';

import { useMedia } from '../../lib/use-media.ts';
import { copyForms } from '../../report/clipboard.ts';
import styles from './pin-pad.module.css';
import { type Pin, type PinActions, placeOf } from './use-pins.ts';

const nameOf = ({ row, column }: Pin): string => [row, column].filter(Boolean).join(' · ');

export function PinPad({ pins, project }: { pins: PinActions; project: number }) {
  const isNarrow = useMedia('(max-width: 699px)');
  const [asked, setOpen] = useState<boolean | null>(null);
  // On a phone the pad would cover what is read.
  const open = asked ?? !isNarrow;
  const { list } = pins;
  if (list.length === 0) return null;
  if (!open) {
    return (
      <button type="button" className={styles['chip']} onClick={() => setOpen(true)}>
        <PushpinOutlined aria-hidden /> 固定的数字 {list.length}
      </button>
    );
  }
  const copy = (): void => {
    const lines = list.map((p) => [p.title, p.source, nameOf(p), p.shown, p.exact.replaceAll('−', '-')].join('\t'));
    void copyForms({ text: ['报告\t位置\t名称\t显示\t未取整', ...lines].join('\r\n') }, '固定的数字已复制');
  };
  return (
    <aside className={styles['pad']} aria-label="固定的数字">
      <header className={styles['head']}>
        <b>固定的数字</b>
        <span className={styles['count']}>{list.length}</span>
        <button type="button" className="hx-link" onClick={copy}>
          复制
        </button>
        <button type="button" className="hx-link" onClick={pins.clear}>
          清空
        </button>
        <button type="button" className="hx-link" onClick={() => setOpen(false)}>
          收起
        </button>
      </header>
      <ul className={styles['list']}>
        {list.map((pin, at) => (
          <li key={placeOf(pin)} className={styles['pin']}>
            <span className={styles['value']} title={`未取整 ${pin.exact}`}>
              {pin.shown}
            </span>
            <span className={styles['name']}>{nameOf(pin)}</span>
            <Link
              className={styles['from']}
              to={`/analysis/result/${pin.vid ?? 0}?project_id=${project}&report_id=${pin.rid}&rev=${pin.rev}`}
            >
              {pin.title} {pin.source}
            </Link>
            <button
              type="button"
              className={styles['off']}
              aria-label={`移走 ${nameOf(pin)}`}
              onClick={() => pins.remove(at)}
            >
              <CloseOutlined aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
}
