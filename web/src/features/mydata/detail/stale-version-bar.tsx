/** Says that the version on screen is not the one the file stands at: another tab went on, or an older one was opened. */
import type { Version } from '@hengxi/server/files/schema';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { quoted } from '../../../lib/quoted.ts';
import { watchedFileQuery } from '../queries.ts';
import styles from './data-tab.module.css';

export function StaleVersionBar({ version, unsaved }: { version: Version; unsaved: boolean }) {
  const file = useQuery(watchedFileQuery(version.fid));
  const navigate = useNavigate();
  // A change made here moves the head first and this page after it.
  const isMoving = useIsMutating() > 0;
  const head = file.data?.history.find((one) => one.is_head);
  if (isMoving || head === undefined || head.vid === version.vid) return null;
  return (
    <div className={styles['bar']} role="status">
      <span>
        这里是 v{version.number}，当前版本是 v{head.number}
        {quoted(head.title)}。
        {unsaved
          ? `没有保存的改动还在；保存时可以应用到 v${head.number}，也可以从 v${version.number} 另起一个版本。`
          : ''}
      </span>
      <Button size="small" onClick={() => void navigate(`/mydata/detail/${head.vid}`)}>
        去当前版本
      </Button>
    </div>
  );
}
