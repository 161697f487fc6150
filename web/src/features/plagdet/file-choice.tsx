/** One file to choose or to drop: what may be chosen, its name and size once it is. */
import { Button } from 'antd';
import { useId, useRef, useState } from 'react';

import { formatBytes } from '../../lib/format-size.ts';
import styles from './plagdet.module.css';

export const ACCEPT = '.docx,.pdf,.txt';

interface FileChoiceProps {
  label: string;
  file: File | null;
  onChoose: (file: File | null) => void;
}

export function FileChoice({ label, file, onChoose }: FileChoiceProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div
      className={styles['drop']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer.files[0];
        if (dropped) onChoose(dropped);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        accept={ACCEPT}
        onChange={(event) => {
          onChoose(event.target.files?.[0] ?? null);
          event.target.value = '';
        }}
      />
      <div className={styles['chosen']}>
        <Button aria-label={`${file === null ? '选择' : '更换'}${label}`} onClick={() => input.current?.click()}>
          {file === null ? '选择文件' : '更换'}
        </Button>
        <span>{file === null ? '或把文件拖到这里' : `${file.name}，${formatBytes(file.size)}`}</span>
      </div>
      <span className={styles['quiet']}>docx、有文字层的 pdf、txt，20 MB 以内，有效文字 300 到 200,000 字</span>
    </div>
  );
}
