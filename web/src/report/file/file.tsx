/** A file the method made. */
import { DownloadOutlined } from '@ant-design/icons';
import type { FileElement } from '@hengxi/contracts/contract';
import { bytes } from '@hengxi/contracts/format';
import { Button } from 'antd';

import { useReport } from '../context.ts';
import styles from '../line.module.css';

export function ReportFile({ file }: { file: FileElement }) {
  const { onFile } = useReport();
  return (
    <div className={styles['line']} data-block={file.id}>
      <b>{file.title}</b>
      <span className={styles['text']}>
        {file.file_name}（{bytes(file.bytes)}）
      </span>
      {onFile === undefined ? null : (
        <Button
          size="small"
          icon={<DownloadOutlined aria-hidden />}
          onClick={() => onFile(file.file_id, file.file_name)}
        >
          下载
        </Button>
      )}
    </div>
  );
}
