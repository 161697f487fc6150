/** The form of one act: its fields, a reason, and for what cannot be undone the name of the target once more. */
import { fenOf, yuan } from '@hengxi/contracts/price';
import type { ActShown, Cell, Field, OpsRow } from '@hengxi/server/ops/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Input, Select, Switch } from 'antd';
import { useId, useState } from 'react';

import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './ops.module.css';
import { doAct } from './queries.ts';
import { differences } from './words.ts';

const REASON_MIN = 5;
const OFFSET = '+08:00';
const PDF_MAX = 5 * 1024 * 1024;

interface Props {
  act: ActShown;
  /** null: the act makes something. */
  row: OpsRow | null;
  onClose: () => void;
  onDone: () => void;
}

export function ActDialog({ act, row, onClose, onDone }: Props) {
  const [values, setValues] = useState<Record<string, string | boolean>>(() =>
    Object.fromEntries(act.fields.map((one) => [one.key, beginning(one, row?.values[one.key])])),
  );
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const reasonId = useId();
  const run = useMutation({
    mutationFn: doAct,
    onSuccess: (done) => {
      if (done === null) return;
      toast.done(done.msg);
      onDone();
    },
  });
  const submit = () => {
    const payload: Record<string, unknown> = {};
    for (const field of act.fields) {
      const read = valueOf(field, values[field.key] ?? '');
      if (read.fault) return setFault(`${field.label}：${read.fault}`);
      payload[field.key] = read.value;
    }
    if (act.reason && [...reason.trim()].length < REASON_MIN) return setFault('请填写不少于5个字的原因');
    setFault(null);
    run.mutate({ act: act.act, target: row?.id ?? '', version: row?.version ?? null, payload, reason: reason.trim() });
  };
  const change = (key: string, value: string | boolean) => setValues((old) => ({ ...old, [key]: value }));
  const changes = act.act === 'approve' && row ? differences(row.detail) : [];
  return (
    <Dialog
      open
      title={act.title}
      width={act.fields.length > 4 || changes.length > 0 ? 'choose' : 'form'}
      outsideCloses={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" danger={act.danger} loading={run.isPending} onClick={submit}>
            {act.title}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {row ? (
          <p className={styles['target']}>
            对象：<b>{row.name}</b>
          </p>
        ) : null}
        {changes.length > 0 ? <Differences detail={row?.detail} /> : null}
        {act.fields.map((field) => (
          <FieldLine
            key={field.key}
            field={field}
            value={values[field.key] ?? ''}
            onChange={(value) => change(field.key, value)}
            onFault={setFault}
          />
        ))}
        {act.reason ? (
          <div className={styles['line']}>
            <label htmlFor={reasonId}>原因</label>
            <Input.TextArea
              id={reasonId}
              rows={2}
              maxLength={200}
              value={reason}
              placeholder="不少于 5 个字，写入操作日志"
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
        ) : null}
        {fault ? (
          <p role="alert" className={styles['fault']}>
            {fault}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}

export function Differences({ detail }: { detail: unknown }) {
  return (
    <table className={styles['differences']}>
      <thead>
        <tr>
          <th>项目</th>
          <th>之前</th>
          <th>之后</th>
        </tr>
      </thead>
      <tbody>
        {differences(detail).map(({ key, before, after, isChanged }) => (
          <tr key={key} data-changed={isChanged}>
            <th scope="row">{key}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LineProps {
  field: Field;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
  onFault: (text: string | null) => void;
}

function FieldLine({ field, value, onChange, onFault }: LineProps) {
  const id = useId();
  const text = typeof value === 'string' ? value : '';
  return (
    <div className={styles['line']}>
      <label htmlFor={id}>
        {field.label}
        {field.optional ? <span className={styles['soft']}>（选填）</span> : null}
      </label>
      <div>
        {field.kind === 'switch' ? (
          <Switch id={id} checked={value === true} onChange={onChange} />
        ) : field.kind === 'choice' ? (
          <Select
            id={id}
            className={styles['wide'] ?? ''}
            value={text || null}
            options={field.choices ?? []}
            allowClear={field.optional}
            onChange={(chosen?: string) => onChange(chosen ?? '')}
          />
        ) : field.kind === 'lines' ? (
          <Input.TextArea id={id} rows={3} value={text} onChange={(event) => onChange(event.target.value)} />
        ) : field.kind === 'pdf' ? (
          <input
            id={id}
            type="file"
            accept="application/pdf"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file) readPdf(file).then(onChange, (error: Error) => onFault(error.message));
            }}
          />
        ) : (
          <Input
            id={id}
            type={field.kind === 'instant' ? 'datetime-local' : 'text'}
            inputMode={field.kind === 'number' ? 'numeric' : field.kind === 'yuan' ? 'decimal' : 'text'}
            prefix={field.kind === 'yuan' ? '¥' : null}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
        {field.hint ? <p className={styles['soft']}>{field.hint}</p> : null}
      </div>
    </div>
  );
}

/** Instants are typed in the time of China, wherever the operator sits. */
function beginning(field: Field, value: Cell | undefined): string | boolean {
  if (field.kind === 'switch') return value === true;
  if (value === null || value === undefined) return '';
  if (field.kind === 'yuan' && typeof value === 'number') return yuan(value);
  if (field.kind === 'instant' && typeof value === 'string')
    return new Date(new Date(value).getTime() + 8 * 3_600_000).toISOString().slice(0, 16);
  return String(value);
}

function valueOf(field: Field, value: string | boolean): { value?: unknown; fault?: string } {
  if (typeof value === 'boolean') return { value };
  if (field.kind === 'switch') return { value: false };
  const text = value.trim();
  if (text === '') return field.optional ? { value: null } : { fault: '请填写' };
  if (field.kind === 'number') return /^-?\d+$/.test(text) ? { value: Number(text) } : { fault: '请填写整数' };
  if (field.kind === 'yuan') {
    const fen = fenOf(text);
    return fen === null ? { fault: '请填写金额，最多两位小数' } : { value: fen };
  }
  if (field.kind === 'instant') return { value: `${text}:00${OFFSET}` };
  return { value: text };
}

async function readPdf(file: File): Promise<string> {
  if (file.size > PDF_MAX) throw new Error('请上传 5 MB 以内的 PDF 发票');
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
