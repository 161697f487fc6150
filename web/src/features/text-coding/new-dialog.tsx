/** 新建文本编码: which column, what the question is called, and whether personal data is covered. */
import type { Column } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, Select } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { versionQuery } from '../../lib/catalogue.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from './code-dialog.tsx';
import styles from './coding.module.css';
import { newCoding, ownFilesQuery, previewQuery } from './queries.ts';

interface NewDialogProps {
  open: boolean;
  vid: number | null;
  column: string | null;
  onClose: () => void;
}

export function NewDialog(props: NewDialogProps) {
  return (
    <Dialog open={props.open} title="新建文本编码" width="choose" onClose={props.onClose} outsideCloses={false}>
      {props.open ? <Form {...props} /> : null}
    </Dialog>
  );
}

const titleOf = ({ label, name }: Column): string => label ?? name;
/** Long texts before short ones: the open question is what is looked for. */
const asText = (columns: readonly Column[]): Column[] =>
  columns
    .filter(({ storage }) => storage === 'text')
    .toSorted((a, b) => Number(b.measure === '文本') - Number(a.measure === '文本'));

function Form({ vid: given, column: first, onClose }: NewDialogProps) {
  const navigate = useNavigate();
  const files = useQuery(ownFilesQuery);
  const [vid, setVid] = useState(given);
  const version = useQuery({ ...versionQuery(vid ?? 0), enabled: vid !== null });
  const columns = asText(version.data?.columns ?? []);
  const [chosen, setColumn] = useState(first);
  const column = columns.find(({ id }) => id === chosen) ?? columns[0] ?? null;
  const [name, setName] = useState<string | null>(null);
  const [mask, setMask] = useState(true);
  const [isWorking, setWorking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const question = name ?? (column ? Array.from(titleOf(column)).slice(0, 60).join('') : '');
  const options = (files.data?.list ?? []).map((one) => ({ value: one.vid, label: one.name }));
  if (version.data && !options.some(({ value }) => value === vid))
    options.unshift({ value: version.data.vid, label: `${version.data.name}（第 ${version.data.number} 版）` });
  const make = async (): Promise<void> => {
    if (vid === null || !column) return;
    setWorking(true);
    setFault(null);
    try {
      const { id } = await newCoding({ vid, column: column.id, question: question.trim(), mask });
      await navigate(`/analysis/coding/${id}`);
    } catch (error) {
      setFault(errorText(error));
      setWorking(false);
    }
  };
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <Field label="数据">
        <Select
          value={vid}
          placeholder="选一份数据"
          aria-label="数据"
          loading={files.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          options={options}
          onChange={(value) => {
            setVid(value);
            setColumn(null);
            setName(null);
          }}
        />
      </Field>
      <Field label="文字所在的变量">
        <Select
          value={column?.id ?? null}
          placeholder={vid === null ? '先选数据' : '这份数据里没有文字变量'}
          aria-label="文字所在的变量"
          disabled={columns.length === 0}
          showSearch={{ optionFilterProp: 'label' }}
          options={columns.map((one) => ({ value: one.id, label: titleOf(one) }))}
          onChange={(value) => {
            setColumn(value);
            setName(null);
          }}
        />
      </Field>
      {vid !== null && column ? <Look vid={vid} column={column.id} /> : null}
      <Field label="题名" hint="写回数据时作变量名的前一半，如“意见_服务”">
        <Input value={question} maxLength={60} aria-label="题名" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Checkbox checked={mask} onChange={(event) => setMask(event.target.checked)}>
        遮住手机号、证件号、邮箱，编码的人看不到
      </Checkbox>
      {fault ? (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      ) : null}
      <div className={styles['foot']}>
        <span className={styles['grow']} />
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" htmlType="submit" loading={isWorking} disabled={!column || question.trim() === ''}>
          开始编码
        </Button>
      </div>
    </form>
  );
}

function Look({ vid, column }: { vid: number; column: string }) {
  const { data } = useQuery(previewQuery(vid, column));
  if (!data) return null;
  const { total, empty, duplicates, pii, rows } = data;
  const personal = pii.phone + pii.id + pii.email;
  return (
    <div className={styles['look']}>
      <p>
        {(total - empty).toLocaleString('en-US')} 行有回答，{(total - empty - duplicates).toLocaleString('en-US')}{' '}
        条不同；
        {empty.toLocaleString('en-US')} 行没有回答。
        {personal > 0 ? `${personal.toLocaleString('en-US')} 处疑似手机号、证件号或邮箱。` : ''}
      </p>
      <ul>
        {rows.slice(0, 3).map(({ row, text }) => (
          <li key={row}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
