/** 历史: what was done here, step by step, and the results made of it. A click goes there; nothing is lost by it. */
import { Drawer } from 'antd';
import dayjs from 'dayjs';

import type { History } from '../../../fields/history.ts';
import styles from './history-drawer.module.css';

export interface Revision {
  rev: number;
  made_at: string;
}

export interface HistoryDrawerProps {
  open: boolean;
  history: History;
  revisions: readonly Revision[];
  /** The revision on screen. */
  rev: number | null;
  onGo: (steps: number) => void;
  onRevision: (rev: number) => void;
  onClose: () => void;
}

const time = (at: number | string): string => (at === 0 ? '' : dayjs(at).format('HH:mm'));

export function HistoryDrawer({ open, history, revisions, rev, onGo, onRevision, onClose }: HistoryDrawerProps) {
  const moments = [...history.past, history.now, ...history.future];
  const at = history.past.length;
  return (
    <Drawer open={open} onClose={onClose} size={340} title="历史" mask={{ blur: false }}>
      <h2>设置</h2>
      <ol className={styles['list']}>
        {moments
          .map((moment, place) => (
            <li key={place}>
              <button
                type="button"
                className={styles['moment']}
                aria-current={place === at ? 'step' : undefined}
                data-future={place > at ? '' : undefined}
                onClick={() => onGo(place - at)}
              >
                <span className={styles['time']}>{time(moment.at)}</span>
                <span>{moment.text}</span>
              </button>
            </li>
          ))
          .toReversed()}
      </ol>
      {revisions.length === 0 ? null : (
        <>
          <h2 className={styles['second']}>结果</h2>
          <ol className={styles['list']}>
            {revisions
              .map((entry) => (
                <li key={entry.rev}>
                  <button
                    type="button"
                    className={styles['moment']}
                    aria-current={entry.rev === rev ? 'step' : undefined}
                    onClick={() => onRevision(entry.rev)}
                  >
                    <span className={styles['time']}>{dayjs(entry.made_at).format('MM-DD HH:mm')}</span>
                    <span>第 {entry.rev} 次结果</span>
                  </button>
                </li>
              ))
              .toReversed()}
          </ol>
        </>
      )}
    </Drawer>
  );
}
