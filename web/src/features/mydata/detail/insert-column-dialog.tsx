/** A new, empty column: its name and what will be typed into it. */
import type { Version } from '@hengxi/server/files/schema';
import { Button, Input, type InputRef, Radio } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { Dialog } from '../../../ui/dialog.tsx';
import styles from './insert-column-dialog.module.css';

type Kind = '数值' | '文字' | '日期';
const KINDS: readonly Kind[] = ['数值', '文字', '日期'];

/** A name that no variable has yet. */
export function freshName(columns: readonly { name: string }[]): string {
  const taken = new Set(columns.map(({ name }) => name));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? '新变量' : `新变量${n}`;
    if (!taken.has(name)) return name;
  }
}

interface InsertColumnDialogProps {
  version: Version;
  /** The column it comes before, or behind the last one. */
  before: string | null;
  onInsert: (column: { name: string; kind: Kind }) => void;
  onClose: () => void;
}

export function InsertColumnDialog({ version, before, onInsert, onClose }: InsertColumnDialogProps) {
  const [name, setName] = useState(() => freshName(version.columns));
  const [kind, setKind] = useState<Kind>('数值');
  const input = useRef<InputRef>(null);
  useEffect(() => {
    const timer = setTimeout(() => input.current?.select(), 60);
    return () => clearTimeout(timer);
  }, []);
  const wanted = name.trim();
  const isTaken = version.columns.some((column) => column.name === wanted);
  const fault = wanted === '' ? '请输入变量名' : isTaken ? `“${wanted}”已存在，请换名` : null;
  const neighbour = version.columns.find(({ id }) => id === before);
  return (
    <Dialog open title="插入列" width="form" onClose={onClose} outsideCloses={false}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (fault === null) onInsert({ name: wanted, kind });
        }}
      >
        <label htmlFor="insert-column-name">变量名</label>
        <Input
          id="insert-column-name"
          ref={input}
          maxLength={200}
          status={fault === null ? '' : 'error'}
          aria-describedby="insert-column-fault"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <p id="insert-column-fault" role="status" className={styles['fault']}>
          {fault ?? (neighbour ? `插在“${neighbour.label ?? neighbour.name}”左边` : '插在最后一列后面')}
        </p>
        <Radio.Group
          aria-label="要填的内容"
          value={kind}
          onChange={(event) => setKind(KINDS.find((one) => one === event.target.value) ?? '数值')}
          options={KINDS.map((one) => ({ value: one, label: one }))}
        />
        <div className={styles['acts']}>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" htmlType="submit" disabled={fault !== null}>
            插入
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
