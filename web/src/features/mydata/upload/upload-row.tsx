/** A file on its way in, as the first rows of the list. */
import { Button } from 'antd';

import { formatBytes, formatLeft } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { FormatIcon } from '../format-icon.tsx';
import { secondsLeft } from './meter.ts';
import styles from './upload-row.module.css';
import type { Waiting } from './transfer.ts';
import { cancelUpload, canResend, retrySending, type UploadItem } from './uploads.ts';

const COLUMNS = 7;

const WAITING: Record<Waiting, string> = {
  connection: '连接中断，正在重试',
  requests: '请求太多，稍等片刻自动继续',
  server: '服务器暂时不能接收，正在重试',
};

export function UploadRow({ item, onOpen }: { item: UploadItem; onOpen: () => void }) {
  const format = item.name.split('.').at(-1)?.toLowerCase() ?? '';
  return (
    <tr className={styles['row']}>
      <td colSpan={COLUMNS}>
        <div className={styles['line']}>
          <FormatIcon format={format} />
          <div className={styles['name']}>
            <span>{item.name}</span>
            <Progress item={item} />
          </div>
          <span className={styles['status']} role="status">
            {statusText(item)}
          </span>
          <span className={styles['actions']}>
            {canResend(item) ? (
              <Button type="link" size="small" onClick={() => retrySending(item.id)}>
                重试
              </Button>
            ) : null}
            <Button type="link" size="small" onClick={onOpen}>
              {item.state === 'asking' ? '回答' : item.state === 'failed' ? '查看' : '预览'}
            </Button>
            <Button type="text" size="small" onClick={() => cancelUpload(item.id)}>
              取消
            </Button>
          </span>
        </div>
      </td>
    </tr>
  );
}

export function Progress({ item }: { item: UploadItem }) {
  const share = item.size > 0 ? Math.min(100, (item.sent / item.size) * 100) : 0;
  return (
    <div
      className={styles['track']}
      role="progressbar"
      aria-label={`${item.name} 上传进度`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share)}
    >
      <div className={styles['done']} style={{ width: `${share}%` }} />
    </div>
  );
}

/** 已传 8.6 / 14.2 MB，3.1 MB/s，约剩 2 秒. */
export function statusText(item: UploadItem) {
  switch (item.state) {
    case 'sending': {
      if (item.uploadId === null) return '等待上传';
      const left = secondsLeft(item.size, item.sent, item.speed);
      const parts = [`已传 ${formatBytes(item.sent)} / ${formatBytes(item.size)}`];
      if (item.speed !== null) parts.push(`${formatBytes(item.speed)}/s`);
      if (left !== null) parts.push(formatLeft(left));
      return parts.join('，');
    }
    case 'waiting':
      return (
        <>
          <CheckMark state="care" decorative /> {WAITING[item.waiting ?? 'connection']}；已传的 {formatBytes(item.sent)}{' '}
          不会丢
        </>
      );
    case 'sent':
      return '已传完，确认后导入';
    case 'importing':
      return item.step || '正在读取';
    case 'asking':
      return (
        <>
          <CheckMark state="care" decorative /> 有 {item.questions.length} 列要你确认怎么读
        </>
      );
    case 'failed':
      return (
        <>
          <CheckMark state="fail" decorative /> {item.fault?.text ?? '没有完成'}
        </>
      );
    case 'done':
      return '已导入';
  }
}
