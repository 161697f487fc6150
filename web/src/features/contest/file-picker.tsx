/** One file to choose: what it is for, a button, its name and size once chosen. */
import { Button } from 'antd';
import { useId, useRef } from 'react';

import { formatBytes } from '../../lib/format-size.ts';
import styles from './contest.module.css';

interface FilePickerProps {
  label: string;
  hint: string;
  accept: string;
  file: File | null;
  fault: string | null;
  disabled?: boolean;
  onChoose: (file: File | null) => void;
}

export function FilePicker({ label, hint, accept, file, fault, disabled = false, onChoose }: FilePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles['picker']}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        accept={accept}
        disabled={disabled}
        onChange={(event) => {
          onChoose(event.target.files?.[0] ?? null);
          // The same file chosen again is chosen anew: it may have been saved meanwhile.
          event.target.value = '';
        }}
      />
      <div className={styles['chosen']}>
        <Button
          disabled={disabled}
          aria-describedby={`${id}h`}
          aria-label={`${file === null ? '选择' : '更换'}${label}`}
          onClick={() => input.current?.click()}
        >
          {file === null ? '选择文件' : '更换'}
        </Button>
        {file === null ? null : (
          <span>
            {file.name}，{formatBytes(file.size)}
          </span>
        )}
      </div>
      <span id={`${id}h`} className={styles['quiet']}>
        {hint}
      </span>
      {fault === null ? null : (
        <span className={styles['fault']} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}
