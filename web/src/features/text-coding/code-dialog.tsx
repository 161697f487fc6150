/** One code: what it means, what counts and what does not, the words that suggest it; merged or taken out from here. */
import type { Code, Coding } from '@hengxi/server/answer-coding/schema';
import { Button, Input, Select } from 'antd';
import { useState, type ReactNode } from 'react';

import { errorText } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './coding.module.css';

interface CodeDialogProps {
  coding: Coding;
  /** null: closed. */
  code: Code | null;
  onSave: (code: Code) => Promise<void>;
  onMerge: (from: Code, into: number) => Promise<void>;
  onClose: () => void;
}

export function CodeDialog({ code, ...rest }: CodeDialogProps) {
  return (
    <Dialog open={code !== null} title="修改编码" width="choose" onClose={rest.onClose} outsideCloses={false}>
      {code ? <CodeForm key={code.id} code={code} {...rest} /> : null}
    </Dialog>
  );
}

function CodeForm({ coding, code, onSave, onMerge, onClose }: CodeDialogProps & { code: Code }) {
  const [edit, setEdit] = useState(code);
  const [into, setInto] = useState<number | null>(null);
  const [isWorking, setWorking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const run = async (act: () => Promise<void>): Promise<void> => {
    setWorking(true);
    setFault(null);
    try {
      await act();
      onClose();
    } catch (error) {
      setFault(errorText(error));
    } finally {
      setWorking(false);
    }
  };
  const counts = coding.counts.find((one) => one.code === code.id);
  const others = coding.codes.filter(
    (one) => !one.gone && one.id !== code.id && !['unclear', 'invalid'].includes(one.kind),
  );
  const groups = [...new Set(coding.codes.flatMap(({ group }) => (group ? [group] : [])))];
  const isPlain = code.kind === 'plain';
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => onSave(edit));
      }}
    >
      <Field label="名称">
        <Input
          value={edit.name}
          maxLength={30}
          aria-label="名称"
          onChange={(event) => setEdit({ ...edit, name: event.target.value })}
        />
      </Field>
      {isPlain ? (
        <Field label="上级" hint="同一上级的编码排在一起，可不填">
          <Input
            value={edit.group}
            maxLength={30}
            list="coding-groups"
            aria-label="上级"
            onChange={(event) => setEdit({ ...edit, group: event.target.value })}
          />
          <datalist id="coding-groups">
            {groups.map((group) => (
              <option key={group} value={group}>
                {group}
              </option>
            ))}
          </datalist>
        </Field>
      ) : null}
      <Field label="定义">
        <Text value={edit.definition} label="定义" onChange={(definition) => setEdit({ ...edit, definition })} />
      </Field>
      <div className={styles['two']}>
        <Field label="算在内的例子">
          <Text value={edit.includes} label="算在内的例子" onChange={(includes) => setEdit({ ...edit, includes })} />
        </Field>
        <Field label="不算的例子">
          <Text value={edit.excludes} label="不算的例子" onChange={(excludes) => setEdit({ ...edit, excludes })} />
        </Field>
      </div>
      {isPlain ? (
        <Field
          label="词语规则"
          hint="回答里有这些词就给出建议，仍由人确认。词之间用逗号；前台+慢：两个词都有；!机器人：有这个词就不算。"
        >
          <Text
            value={edit.rule}
            label="词语规则"
            placeholder="热情，前台+慢，!机器人"
            onChange={(rule) => setEdit({ ...edit, rule })}
          />
        </Field>
      ) : null}
      {isPlain ? (
        <Field label="并入" hint={`这个编码的 ${counts?.answers ?? 0} 条回答改为另一个编码，可以撤销`}>
          <div className={styles['inline']}>
            <Select
              value={into}
              placeholder="选另一个编码"
              aria-label="并入哪个编码"
              options={others.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setInto}
            />
            <Button
              disabled={into === null || isWorking}
              onClick={() => into !== null && void run(() => onMerge(edit, into))}
            >
              并入
            </Button>
          </div>
        </Field>
      ) : null}
      {fault ? (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      ) : null}
      <div className={styles['foot']}>
        <Button danger disabled={isWorking} onClick={() => void run(() => onSave({ ...code, gone: true }))}>
          删除编码
        </Button>
        <span className={styles['grow']} />
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" htmlType="submit" loading={isWorking} disabled={edit.name.trim() === ''}>
          保存
        </Button>
      </div>
      <p className={styles['quiet']}>删除后它的编码不计入结果；从“已删除的编码”可以恢复，编码还在。</p>
    </form>
  );
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className={styles['field']}>
      <span>{label}</span>
      {children}
      {hint ? <small>{hint}</small> : null}
    </div>
  );
}

interface TextProps {
  value: string;
  label: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

function Text({ value, label, placeholder, onChange }: TextProps) {
  return (
    <Input.TextArea
      value={value}
      maxLength={480}
      autoSize={{ minRows: 1, maxRows: 4 }}
      aria-label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
