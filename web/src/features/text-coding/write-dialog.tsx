/** 写回数据: what becomes of which answers, and then the way to the new version. */
import type { Coding, CodingWritten } from '@hengxi/server/answer-coding/schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './coding.module.css';
import { refreshCoding, writeBack } from './queries.ts';

interface WriteDialogProps {
  coding: Coding;
  open: boolean;
  onClose: () => void;
}

export function WriteDialog(props: WriteDialogProps) {
  return (
    <Dialog open={props.open} title="写回数据" width="choose" onClose={props.onClose}>
      {props.open ? <Form {...props} /> : null}
    </Dialog>
  );
}

function Form({ coding, onClose }: WriteDialogProps) {
  const navigate = useNavigate();
  const [written, setWritten] = useState<CodingWritten | null>(null);
  const [isWorking, setWorking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const write = async (): Promise<void> => {
    setWorking(true);
    setFault(null);
    try {
      setWritten(await writeBack(coding.id));
      await refreshCoding(coding.id);
    } catch (error) {
      setFault(errorText(error));
    } finally {
      setWorking(false);
    }
  };
  if (written)
    return (
      <div className={styles['form']}>
        <p>
          已生成新版本：{written.columns} 个变量
          {written.columns > 1 ? `，合成多选题集“${coding.question}”` : '；只有一个编码，不成多选题集'}。
        </p>
        {written.warnings.map((text) => (
          <p key={text} className={styles['quiet']}>
            {text}
          </p>
        ))}
        <div className={styles['foot']}>
          <span className={styles['grow']} />
          <Button onClick={onClose}>继续编码</Button>
          <Button type="primary" onClick={() => void navigate(`/mydata/detail/${written.vid}`)}>
            看新版本
          </Button>
        </div>
      </div>
    );
  const codes = coding.codes.filter(({ gone, kind }) => !gone && kind !== 'invalid');
  const left = coding.progress.rows - coding.progress.coded_rows;
  return (
    <div className={styles['form']}>
      <p>
        {codes.length} 个编码各成一个变量，如“{coding.question}_{codes[0]?.name}”
        {codes.length > 1 ? '，合成一道多选题集' : ''}。
      </p>
      <ul className={styles['rules']}>
        <li>提及记 1，未提及记 0。</li>
        <li>没有回答的行是缺失；“无效”的行记 9，作缺失。</li>
        <li>
          {left > 0
            ? `还有 ${left.toLocaleString('en-US')} 行没有编码，记 8，作缺失。没有确认的建议不算编码。`
            : '所有有回答的行都已编码。'}
        </li>
        {coding.written ? <li>上次写回的变量会换成新的值，变量名和筛选照旧可用。</li> : null}
      </ul>
      {fault ? (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      ) : null}
      <div className={styles['foot']}>
        <span className={styles['grow']} />
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" loading={isWorking} onClick={() => void write()}>
          写回
        </Button>
      </div>
    </div>
  );
}
