/** The making of a file, and what came of it. */
import { Button } from 'antd';

import { formatBytes } from '../lib/format-size.ts';
import { CheckMark } from './check-mark.tsx';
import styles from './export-progress.module.css';

export interface FileMade {
  name: string;
  bytes: number;
  /** What has to be said about it. */
  notes: readonly { code: string; text: string }[];
}

export function Working({ share, text }: { share: number; text: string }) {
  const percent = Math.round(share * 100);
  return (
    <div className={styles['working']}>
      <p role="status">
        正在导出：{text}
        <span>{percent}%</span>
      </p>
      <div
        className={styles['track']}
        role="progressbar"
        aria-label="导出进度"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={styles['done']} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}

export function MadeFile({ file, said, onDownload }: { file: FileMade; said?: string; onDownload: () => void }) {
  return (
    <div className={styles['choose']}>
      <p role="status">
        <CheckMark state="pass" decorative /> <b>{file.name}</b>，{said === undefined ? '' : `${said}，`}
        {formatBytes(file.bytes)}，已开始下载。
      </p>
      {file.notes.length > 0 ? (
        <ul className={styles['notes']} aria-label="要知道的事">
          {file.notes.map((note) => (
            <li key={note.code + note.text}>{note.text}</li>
          ))}
        </ul>
      ) : null}
      <p className={styles['again']}>
        没有开始？24 小时内可以
        <Button type="link" size="small" onClick={onDownload}>
          再次下载
        </Button>
      </p>
    </div>
  );
}
