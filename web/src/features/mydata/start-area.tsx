/** The ways to begin: drop, pick, paste, an example. */
import { CloudUploadOutlined, CopyOutlined, TableOutlined, UploadOutlined } from '@ant-design/icons';
import { UPLOAD_FORMATS } from '@hengxi/contracts/upload-formats';
import { Button } from 'antd';
import { useRef } from 'react';

import { useMedia } from '../../lib/use-media.ts';
import styles from './start-area.module.css';

const ACCEPT = UPLOAD_FORMATS.map((format) => `.${format}`).join(',');

interface PickButtonProps {
  onAdd: (files: File[]) => void;
  title: string;
  primary?: boolean;
}

function PickButton({ onAdd, title, primary = false }: PickButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPT}
        aria-label="选择数据文件"
        onChange={(event) => {
          const files = Array.from(event.target.files ?? []);
          // The same file may be chosen again after it was cancelled.
          event.target.value = '';
          if (files.length > 0) onAdd(files);
        }}
      />
      <Button
        type={primary ? 'primary' : 'default'}
        icon={primary ? <UploadOutlined aria-hidden /> : undefined}
        onClick={() => input.current?.click()}
      >
        {title}
      </Button>
    </>
  );
}

interface StartActionsProps {
  onAdd: (files: File[]) => void;
  onPaste: () => void;
  onCounts: () => void;
}

export function StartActions({ onAdd, onPaste, onCounts }: StartActionsProps) {
  return (
    <>
      <Button icon={<TableOutlined aria-hidden />} onClick={onCounts}>
        录入频数表
      </Button>
      <Button icon={<CopyOutlined aria-hidden />} onClick={onPaste}>
        粘贴表格
      </Button>
      <PickButton primary title="上传数据" onAdd={onAdd} />
    </>
  );
}

interface StartAreaProps {
  onAdd: (files: File[]) => void;
  onExample: () => void;
  /** Nothing there yet: the area is the page. */
  tall: boolean;
}

export function StartArea({ onAdd, onExample, tall }: StartAreaProps) {
  // Fingers drag no files.
  const isTouch = useMedia('(pointer: coarse)');
  const way = isTouch ? '选一个数据文件上传' : '把文件拖到页面任何位置';
  return (
    <div className={tall ? `${styles['area']} ${styles['tall']}` : styles['area']}>
      <CloudUploadOutlined aria-hidden className={styles['icon']} />
      <div>
        <p className={styles['lead']}>{tall ? `还没有数据。${way}` : way}</p>
        <p className={styles['hint']}>
          CSV、Excel、SPSS、Stata、SAS、Parquet、JSON；编码、分隔符和表头自动识别，可以改
        </p>
        {tall ? (
          <div className={styles['ways']}>
            <PickButton title="选择文件" onAdd={onAdd} />
            <Button onClick={onExample}>用示例数据走一遍</Button>
          </div>
        ) : null}
      </div>
      <div className={styles['side']}>
        {tall ? null : (
          <p>
            没有数据？
            <button type="button" className="hx-link" onClick={onExample}>
              用示例数据走一遍
            </button>
          </p>
        )}
        <p>文件只存在你的账号下，可随时彻底删除</p>
      </div>
    </div>
  );
}
