/** 导入码表: a CSV file as 导出码表 writes it. */
import type { CodeEdit, Coding } from '@hengxi/server/answer-coding/schema';
import { Button } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { readBook, type ReadBook } from './book-file.ts';
import styles from './coding.module.css';

const MOST_BYTES = 1024 * 1024;

interface ImportDialogProps {
  coding: Coding;
  open: boolean;
  onSave: (codes: CodeEdit[]) => Promise<void>;
  onClose: () => void;
}

export function ImportDialog(props: ImportDialogProps) {
  return (
    <Dialog open={props.open} title="导入码表" width="form" onClose={props.onClose}>
      {props.open ? <Form {...props} /> : null}
    </Dialog>
  );
}

function Form({ coding, onSave, onClose }: ImportDialogProps) {
  const [read, setRead] = useState<ReadBook | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  const choose = async (file: File | undefined): Promise<void> => {
    setRead(null);
    setFault(null);
    if (!file) return;
    try {
      if (file.size > MOST_BYTES) throw new Error('码表文件最大 1 MB');
      setRead(readBook(textOf(await file.arrayBuffer()), coding.codes));
    } catch (error) {
      setFault(errorText(error));
    }
  };
  const save = async (): Promise<void> => {
    if (!read) return;
    setWorking(true);
    try {
      await onSave(read.codes);
      onClose();
    } catch (error) {
      setFault(errorText(error));
    } finally {
      setWorking(false);
    }
  };
  return (
    <div className={styles['form']}>
      <p className={styles['quiet']}>
        CSV 文件，第一行是列名，至少要有“编码”。同名的编码改用文件里的内容，其余的编码保留。可以先导出码表看样子。
      </p>
      <input
        type="file"
        accept=".csv,text/csv"
        aria-label="码表文件"
        onChange={(e) => void choose(e.target.files?.[0])}
      />
      {read ? (
        <p>
          新增 {read.added} 个编码，修改 {read.changed} 个。
        </p>
      ) : null}
      {fault ? (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      ) : null}
      <div className={styles['foot']}>
        <span className={styles['grow']} />
        <Button onClick={onClose}>取消</Button>
        <Button
          type="primary"
          loading={isWorking}
          disabled={!read || read.added + read.changed === 0}
          onClick={() => void save()}
        >
          导入
        </Button>
      </div>
    </div>
  );
}

/** UTF-8, or what a Chinese Excel saves a CSV in. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
