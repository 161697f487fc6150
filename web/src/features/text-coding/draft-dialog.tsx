/** 起草码表: groups of answers that share words, to be chosen from. */
import type { CodeEdit, Coding, DraftedCode } from '@hengxi/server/answer-coding/schema';
import { Button, Checkbox, InputNumber } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './coding.module.css';
import { draft } from './queries.ts';

interface DraftDialogProps {
  coding: Coding;
  open: boolean;
  onSave: (codes: CodeEdit[]) => Promise<void>;
  onClose: () => void;
}

export function DraftDialog(props: DraftDialogProps) {
  return (
    <Dialog open={props.open} title="起草码表" width="choose" onClose={props.onClose} outsideCloses={false}>
      {props.open ? <Form {...props} /> : null}
    </Dialog>
  );
}

function Form({ coding, onSave, onClose }: DraftDialogProps) {
  const [k, setK] = useState(8);
  const [drafted, setDrafted] = useState<DraftedCode[] | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isWorking, setWorking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const known = new Set(coding.codes.filter(({ gone }) => !gone).map(({ name }) => name));
  const run = async (act: () => Promise<void>): Promise<void> => {
    setWorking(true);
    setFault(null);
    try {
      await act();
    } catch (error) {
      setFault(errorText(error));
    } finally {
      setWorking(false);
    }
  };
  const make = () =>
    run(async () => {
      const { codes } = await draft(coding.id, k);
      setDrafted(codes ?? []);
      setChosen(new Set(codes?.map(({ name }) => name).filter((name) => !known.has(name))));
    });
  const add = () =>
    run(async () => {
      const fresh = (drafted ?? [])
        .filter(({ name }) => chosen.has(name))
        .map(({ name, words }) => ({
          id: null,
          name,
          group: '',
          definition: '',
          includes: '',
          excludes: '',
          rule: words.join('，'),
          kind: 'plain' as const,
          gone: false,
        }));
      await onSave([...coding.codes, ...fresh]);
      onClose();
    });
  return (
    <div className={styles['form']}>
      <p className={styles['quiet']}>把常一起出现的词分成几组，每组作一个编码，词作它的规则。名称和规则都可以再改。</p>
      <div className={styles['inline']}>
        <span>分成</span>
        <InputNumber min={2} max={20} value={k} aria-label="组数" onChange={(value) => setK(value ?? 8)} />
        <span>组</span>
        <Button loading={isWorking && drafted === null} onClick={() => void make()}>
          {drafted === null ? '起草' : '重新起草'}
        </Button>
      </div>
      {drafted?.map((one) => (
        <Checkbox
          key={one.name}
          checked={chosen.has(one.name)}
          disabled={known.has(one.name)}
          onChange={() => {
            const next = new Set(chosen);
            if (!next.delete(one.name)) next.add(one.name);
            setChosen(next);
          }}
        >
          <strong>{one.name}</strong>
          {known.has(one.name) ? '（码表里已有）' : ''}　{one.words.join('、')}
          <small className={styles['block']}>
            {one.answers.toLocaleString('en-US')} 条回答，如：{one.samples.join('；')}
          </small>
        </Checkbox>
      ))}
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
          disabled={chosen.size === 0}
          loading={isWorking && drafted !== null}
          onClick={() => void add()}
        >
          加入码表 {chosen.size > 0 ? `${chosen.size} 个` : ''}
        </Button>
      </div>
    </div>
  );
}
