/** Says that the server is out of reach, why as far as the browser knows, and takes itself away when it is back. */
import { useEffect } from 'react';

import { api } from '../../lib/api.ts';
import { useConnection } from '../../lib/connection.ts';
import { queryClient } from '../../lib/query-client.ts';
import { CheckMark } from '../../ui/check-mark.tsx';
import styles from './connection-banner.module.css';

const RETRY_MS = 5000;

async function retry(): Promise<void> {
  try {
    await api.get('/v1/index/statistics', { quiet: true, timeout: RETRY_MS });
    await queryClient.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' });
  } catch {
    // Still out of reach; the next try follows.
  }
}

export function ConnectionBanner() {
  const { offline, down } = useConnection();
  useEffect(() => {
    if (!down || offline) return;
    const timer = setInterval(() => void retry(), RETRY_MS);
    return () => clearInterval(timer);
  }, [down, offline]);
  return (
    <div role="status">
      {offline || down ? (
        <div className={styles['banner']}>
          <CheckMark state="care" decorative />
          <span>
            {offline
              ? '网络已断开。页面上的内容还在，联网后自动继续。'
              : '连接不上服务器，正在每 5 秒重试。页面上的内容还在。'}
          </span>
          {offline ? null : (
            <button type="button" className="hx-link" onClick={() => void retry()}>
              立即重试
            </button>
          )}
        </div>
      ) : null}
    </div>
  );
}
