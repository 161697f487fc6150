/** A file on its way in, as the first rows of the list. */
import { Button } from 'antd';
import { useState } from 'react';

import { formatBytes, formatInstant, formatLeft } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { FormatIcon } from '../format-icon.tsx';
import { secondsLeft } from './meter.ts';
import { Picker } from './picker.tsx';
import type { UploadItem, UploadState } from './upload-item.ts';
import styles from './upload-row.module.css';
import type { Waiting } from './transfer.ts';
import { cancelUpload, canResend, resumeUpload, retrySending } from './uploads.ts';

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
            {item.state === 'stopped' ? (
              <ResumeButton item={item} />
            ) : (
              <Button type="link" size="small" onClick={onOpen}>
                {OPEN_WORD[item.state] ?? '预览'}
              </Button>
            )}
            {item.ends === null ? (
              <Button type="text" size="small" onClick={() => cancelUpload(item.id)}>
                取消
              </Button>
            ) : (
              <RemoveButton item={item} />
            )}
          </span>
        </div>
      </td>
    </tr>
  );
}

const OPEN_WORD: Partial<Record<UploadState, string>> = { sent: '继续导入', asking: '回答', failed: '查看' };

/** The browser forgets a chosen file with the page; only choosing it again gives its bytes back. */
function ResumeButton({ item }: { item: UploadItem }) {
  return (
    <Picker
      type="link"
      accept={[item.name.split('.').at(-1) ?? '']}
      label={`再次选择“${item.name}”`}
      onPick={(file) => {
        if (!resumeUpload(item.id, file))
          toast.warn(`这不是同一个文件。请选“${item.name}”（${formatBytes(item.size)}）`);
      }}
    >
      继续上传
    </Picker>
  );
}

/** What lies on the server has no undo. */
function RemoveButton({ item }: { item: UploadItem }) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button type="text" size="small" onClick={() => setAsked(true)}>
        删除
      </Button>
      <ConfirmDialog
        open={asked}
        title={`删除“${item.name}”？`}
        text={`已传的 ${formatBytes(item.sent)} 会从服务器删除，要用时须重新上传。`}
        act="删除"
        danger
        onAct={() => cancelUpload(item.id)}
        onClose={() => setAsked(false)}
      />
    </>
  );
}

/** Until 11-23 22:41. */
const expiryText = ({ ends }: UploadItem): string =>
  ends === null ? '' : `；保留到 ${formatInstant(ends).slice(5, 16)}`;

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
    case 'stopped':
      return item.step === ''
        ? `传到 ${formatBytes(item.sent)} / ${formatBytes(item.size)} 时中断；再选同一个文件就接着传${expiryText(item)}`
        : `${item.step}，已传 ${formatBytes(item.sent)} / ${formatBytes(item.size)}`;
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
      return `已传完，确认后导入${expiryText(item)}`;
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
