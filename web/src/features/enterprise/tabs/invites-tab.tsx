/** 邀请: one link for several people, or one invitation per phone; copied, withdrawn. */
import type { Enterprise } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, InputNumber, Radio, Segmented } from 'antd';
import { useId, useState } from 'react';

import { formatInstant } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import styles from '../enterprise.module.css';
import { FaultLine, copyText, PagedTable } from '../parts.tsx';
import { invite, invitesQuery, reload, withdraw } from '../queries.ts';
import { INVITES } from '../words.ts';

const PHONE = /^1\d{10}$/;
type Days = 1 | 7 | 30;

export function InvitesTab({ enterprise }: { enterprise: Enterprise }) {
  const eid = enterprise.id;
  const [page, setPage] = useState(1);
  const invites = useQuery(invitesQuery(eid, page));
  const stop = useMutation({
    mutationFn: (id: number) => withdraw(eid, id),
    onSuccess: async () => {
      await reload(eid);
      toast.done('邀请已撤回');
    },
  });
  return (
    <>
      <NewInvite enterprise={enterprise} />
      <section className={styles['section']} aria-labelledby="invites-list">
        <h2 id="invites-list">已发出的邀请</h2>
        <PagedTable
          label="已发出的邀请"
          query={invites}
          page={page}
          onPage={setPage}
          keyOf={(row) => row.id}
          empty="还没有邀请"
          columns={[
            { title: '对象', render: (row) => row.phone ?? `链接，还可用 ${row.uses_left} 次` },
            { title: '状态', render: (row) => INVITES[row.state] },
            { title: '有效至', render: (row) => formatInstant(row.ends_at) },
            { title: '邀请人', render: (row) => row.made_by },
            {
              title: '操作',
              render: (row) => {
                const { link } = row;
                return link === null ? null : (
                  <div className={styles['acts']}>
                    <Button size="small" onClick={() => void copyText(link)}>
                      复制链接
                    </Button>
                    <Button size="small" danger onClick={() => stop.mutate(row.id)}>
                      撤回
                    </Button>
                  </div>
                );
              },
            },
          ]}
        />
      </section>
    </>
  );
}

function NewInvite({ enterprise }: { enterprise: Enterprise }) {
  const id = useId();
  const [kind, setKind] = useState<'link' | 'phones'>('link');
  const [uses, setUses] = useState<number | null>(20);
  const [days, setDays] = useState<Days>(7);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: (phones: string[]) => invite(enterprise.id, { phones, uses: uses ?? 20, days }),
    onSuccess: async ({ total, list }) => {
      await reload(enterprise.id);
      setText('');
      const link = list[0]?.link;
      if (total === 1 && link) await copyText(link);
      else toast.done(`已生成 ${total} 个邀请，请在下面复制链接发给对方`);
    },
  });
  const submit = () => {
    const phones = kind === 'link' ? [] : text.split(/[\s,，;；、]+/).filter(Boolean);
    const bad = phones.find((phone) => !PHONE.test(phone));
    if (kind === 'phones' && phones.length === 0) setFault('请填写手机号，每行一个');
    else if (bad) setFault(`“${bad}”不是 11 位手机号`);
    else if (phones.length > 200) setFault('一次最多邀请 200 人');
    else send.mutate(phones);
  };
  return (
    <section className={styles['section']} aria-labelledby="invites-new">
      <h2 id="invites-new">邀请成员</h2>
      <div className={styles['form']}>
        <Segmented<'link' | 'phones'>
          aria-label="邀请方式"
          options={[
            { value: 'link', label: '邀请链接' },
            { value: 'phones', label: '按手机号' },
          ]}
          value={kind}
          onChange={(value) => {
            setKind(value);
            setFault(null);
          }}
        />
        {kind === 'link' ? (
          <label className={styles['label']} htmlFor={`${id}-uses`}>
            <span>可用次数</span>
            <InputNumber id={`${id}-uses`} min={1} max={200} precision={0} value={uses} onChange={setUses} />
          </label>
        ) : (
          <label className={styles['label']} htmlFor={`${id}-phones`}>
            <span>手机号（每行一个，最多 200 个；只有绑定该手机号的人能使用）</span>
            <Input.TextArea
              id={`${id}-phones`}
              rows={4}
              value={text}
              status={fault ? 'error' : ''}
              onChange={(event) => {
                setText(event.target.value);
                setFault(null);
              }}
            />
          </label>
        )}
        <FaultLine text={fault} />
        <Radio.Group
          aria-label="有效期"
          value={days}
          onChange={(event) => setDays(event.target.value as Days)}
          options={[
            { value: 1, label: '1 天' },
            { value: 7, label: '7 天' },
            { value: 30, label: '30 天' },
          ]}
        />
        <div className={styles['acts']}>
          <Button type="primary" loading={send.isPending} disabled={!enterprise.can.write} onClick={submit}>
            {kind === 'link' ? '生成并复制链接' : '生成邀请'}
          </Button>
          <span className={styles['quiet']}>
            席位 {enterprise.seats_used}/{enterprise.seats}，接受邀请时占用
          </span>
        </div>
      </div>
    </section>
  );
}
