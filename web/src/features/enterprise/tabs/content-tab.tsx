/** 内容与分享: what is open to all members, links outside, handing a member's content over. */
import type { ContentEntry, Enterprise } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Segmented, Select } from 'antd';
import { useId, useState } from 'react';

import { formatInstant } from '../../../lib/format-size.ts';
import { useMe } from '../../../lib/me.ts';
import { prompts } from '../../../lib/prompts.ts';
import { toast } from '../../../lib/toast.ts';
import styles from '../enterprise.module.css';
import { PagedTable } from '../parts.tsx';
import { contentQuery, endShare, membersQuery, openContent, reassign, reload, sharesQuery } from '../queries.ts';

export function ContentTab({ enterprise }: { enterprise: Enterprise }) {
  const eid = enterprise.id;
  const [kind, setKind] = useState<'file' | 'project'>('file');
  const [page, setPage] = useState(1);
  const [sharePage, setSharePage] = useState(1);
  const content = useQuery(contentQuery(eid, kind, page));
  const shares = useQuery(sharesQuery(eid, sharePage));
  const me = useMe();
  const isHere = me?.identity === 2 && me.enterprise[0]?.id === eid;
  const open = useMutation({
    mutationFn: (entry: ContentEntry) =>
      openContent(eid, {
        files: entry.kind === 'file' ? [entry.id] : [],
        projects: entry.kind === 'project' ? [entry.id] : [],
        visibility: entry.visibility === 'all' ? 'private' : 'all',
      }),
    onSuccess: () => reload(eid),
  });
  const end = useMutation({
    mutationFn: (code: string) => endShare(eid, code),
    onSuccess: async () => {
      await reload(eid);
      toast.done('分享已结束');
    },
  });
  return (
    <>
      <section className={styles['section']} aria-labelledby="content-list">
        <h2 id="content-list">企业内容</h2>
        <p className={styles['quiet']}>
          成员的内容默认只有本人可见；公开后全体成员都能使用。项目里的报告和模型随项目。管理员看不到他人未公开的内容。
          {copyWords(enterprise.settings.export_allowed, isHere)}
        </p>
        <Segmented<'file' | 'project'>
          aria-label="内容类型"
          style={{ justifySelf: 'start' }}
          options={[
            { value: 'file', label: '数据' },
            { value: 'project', label: '项目' },
          ]}
          value={kind}
          onChange={(value) => {
            setKind(value);
            setPage(1);
          }}
        />
        <PagedTable
          label="企业内容"
          query={content}
          page={page}
          onPage={setPage}
          keyOf={(row) => `${row.kind}-${row.id}`}
          empty={kind === 'file' ? '还没有数据。切换到企业版后上传的数据会列在这里。' : '还没有项目。'}
          columns={[
            { title: '名称', render: (row) => row.name },
            { title: '创建人', render: (row) => row.maker },
            { title: '可见范围', render: (row) => (row.visibility === 'all' ? '全体成员' : '仅本人') },
            { title: '更新', render: (row) => formatInstant(row.updated_at) },
            {
              title: '操作',
              render: (row) => (
                <div className={styles['acts']}>
                  {row.is_mine ? (
                    <Button size="small" loading={open.isPending} onClick={() => open.mutate(row)}>
                      {row.visibility === 'all' ? '改为仅本人' : '公开给成员'}
                    </Button>
                  ) : null}
                  {isHere && enterprise.settings.export_allowed ? (
                    <Button
                      size="small"
                      onClick={() =>
                        prompts.openCopy({
                          name: row.name,
                          ...(row.kind === 'file' ? { files: [row.id] } : { projects: [row.id] }),
                        })
                      }
                    >
                      复制到个人空间
                    </Button>
                  ) : null}
                </div>
              ),
            },
          ]}
        />
      </section>
      <section className={styles['section']} aria-labelledby="content-shares">
        <h2 id="content-shares">外部分享</h2>
        <PagedTable
          label="外部分享"
          query={shares}
          page={sharePage}
          onPage={setSharePage}
          keyOf={(row) => row.code}
          empty="没有正在生效的外部分享"
          columns={[
            { title: '报告', render: (row) => row.title },
            { title: '分享人', render: (row) => row.sharer },
            { title: '创建', render: (row) => formatInstant(row.created_at) },
            { title: '有效至', render: (row) => (row.ends_at ? formatInstant(row.ends_at) : '永久') },
            {
              title: '操作',
              render: (row) => (
                <Button size="small" danger onClick={() => end.mutate(row.code)}>
                  结束分享
                </Button>
              ),
            },
          ]}
        />
      </section>
      {enterprise.can.manage ? <Reassign eid={eid} /> : null}
    </>
  );
}

const copyWords = (isAllowed: boolean, isHere: boolean): string => {
  const into = '个人空间的数据和报告可在各自的“更多”菜单里复制到企业。';
  if (!isAllowed) return `${into}企业设置不允许复制或导出到企业以外。`;
  return isHere ? '内容可以复制到您的个人空间。' : `${into}切换到企业版后，可以把企业内容复制到个人空间。`;
};

/** Everything of one member to another; the reason is told to that member and kept in the log. */
function Reassign({ eid }: { eid: number }) {
  const id = useId();
  const members = useQuery(membersQuery(eid, 1, '', 200));
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const send = useMutation({
    mutationFn: (body: { from_member: number; to_member: number }) => reassign(eid, { ...body, reason: reason.trim() }),
    onSuccess: async ({ moved }) => {
      await reload(eid);
      setReason('');
      toast.done(`已转交 ${moved} 项内容，并已通知原成员`);
    },
  });
  const options = (members.data?.list ?? []).map(({ id: one, nickname }) => ({ value: one, label: nickname }));
  const isReady = from !== null && to !== null && from !== to && reason.trim().length >= 5;
  return (
    <section className={styles['section']} aria-labelledby="content-reassign">
      <h2 id="content-reassign">转交成员的内容</h2>
      <div className={styles['form']}>
        <label className={styles['label']} htmlFor={`${id}-from`}>
          <span>原成员</span>
          <Select id={`${id}-from`} value={from} options={options} onChange={setFrom} placeholder="请选择" />
        </label>
        <label className={styles['label']} htmlFor={`${id}-to`}>
          <span>接手人</span>
          <Select id={`${id}-to`} value={to} options={options} onChange={setTo} placeholder="请选择" />
        </label>
        <label className={styles['label']} htmlFor={`${id}-reason`}>
          <span>原因（至少 5 个字，会告知原成员并写入日志）</span>
          <Input
            id={`${id}-reason`}
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <div className={styles['acts']}>
          <Button
            danger
            disabled={!isReady}
            loading={send.isPending}
            onClick={() => {
              if (from !== null && to !== null) send.mutate({ from_member: from, to_member: to });
            }}
          >
            转交全部内容
          </Button>
        </div>
      </div>
    </section>
  );
}
