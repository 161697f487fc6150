/** 批量接受: all open suggestions from a probability on, with what is known of how often they are right. */
import type { Acted, Coding } from '@hengxi/server/answer-coding/schema';
import { Button, Radio } from 'antd';
import { useState } from 'react';

import { Dialog } from '../../ui/dialog.tsx';
import styles from './coding.module.css';
import { acceptFrom } from './queries.ts';

interface AcceptDialogProps {
  coding: Coding;
  open: boolean;
  onDone: (act: Promise<Acted>) => Promise<void>;
  onClose: () => void;
}

export function AcceptDialog(props: AcceptDialogProps) {
  return (
    <Dialog open={props.open} title="批量接受建议" width="choose" onClose={props.onClose}>
      {props.open ? <Form {...props} /> : null}
    </Dialog>
  );
}

function Form({ coding, onDone, onClose }: AcceptDialogProps) {
  const offered = coding.by_p.filter(({ marks }, i) => marks > 0 && marks !== coding.by_p[i - 1]?.marks);
  const [p, setP] = useState(offered[0]?.p ?? 1);
  const [isWorking, setWorking] = useState(false);
  const chosen = offered.find((one) => one.p === p);
  const accept = async (): Promise<void> => {
    setWorking(true);
    try {
      await onDone(acceptFrom(coding.id, p));
      onClose();
    } catch {
      setWorking(false);
    }
  };
  const { taken, suggested } = coding;
  return (
    <div className={styles['form']}>
      <Radio.Group value={p} className={styles['radios']} onChange={(event) => setP(Number(event.target.value))}>
        {offered.map((one) => (
          <Radio key={one.p} value={one.p}>
            {one.p === 1 ? '按词语规则给出的' : `概率不低于 ${one.p} 的（含按词语给出的）`}：
            {one.marks.toLocaleString('en-US')} 条<small className={styles['block']}>{rightText(coding, one.p)}</small>
          </Radio>
        ))}
      </Radio.Group>
      <p className={styles['quiet']}>
        接受后和自己编的一样进入数据，可以撤销。
        {taken.marks > 0
          ? `现在的 ${taken.marks.toLocaleString('en-US')} 个编码里，批量接受过 ${taken.at_once.toLocaleString('en-US')} 个。`
          : ''}
        {suggested?.why ? `${suggested.why}。` : ''}
      </p>
      <div className={styles['foot']}>
        <span className={styles['grow']} />
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" loading={isWorking} onClick={() => void accept()}>
          全部接受 {chosen?.marks.toLocaleString('en-US')} 条
        </Button>
      </div>
    </div>
  );
}

function rightText({ suggested }: Coding, p: number): string {
  if (p === 1) return '含有规则里的词；词对不一定意思对，请先抽看几条。';
  const tried = suggested?.agreed?.find((one) => one.p === p);
  if (!tried || tried.suggested === 0) return '';
  const share = Math.round((100 * tried.right) / tried.suggested);
  return `在已编码的回答上试过：这样的建议 ${tried.suggested} 条，和人工一致 ${tried.right} 条（${share}%）。`;
}
