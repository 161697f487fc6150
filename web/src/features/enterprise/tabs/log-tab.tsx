/** 操作日志: who did what to whom, newest first; as a csv file. */
import type { Enterprise } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';

import { formatInstant } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import styles from '../enterprise.module.css';
import { PagedTable } from '../parts.tsx';
import { logQuery, reload, saveLog } from '../queries.ts';

const ACTS = [
  ['member.join', '加入企业'],
  ['member.change', '修改成员'],
  ['member.remove', '移除成员'],
  ['member.leave', '退出企业'],
  ['invite.make', '邀请成员'],
  ['invite.withdraw', '撤回邀请'],
  ['content.open', '向企业公开内容'],
  ['content.reassign', '转交内容'],
  ['share.end', '结束外部分享'],
  ['transfer.ask', '发起转让'],
  ['transfer.accept', '接受转让'],
  ['enterprise.change', '修改企业信息'],
  ['log.export', '导出操作日志'],
].map(([value, label]) => ({ value, label }));

export function LogTab({ enterprise }: { enterprise: Enterprise }) {
  const eid = enterprise.id;
  const [page, setPage] = useState(1);
  const [act, setAct] = useState<string | undefined>();
  const log = useQuery(logQuery(eid, page, act));
  const save = useMutation({
    mutationFn: () => saveLog(eid),
    onSuccess: () => reload(eid),
    onError: () => toast.warn('导出失败，请稍后再试'),
  });
  return (
    <section className={styles['section']} aria-labelledby="log-title">
      <h2 id="log-title">操作日志</h2>
      <div className={styles['acts']}>
        <Select
          allowClear
          aria-label="按操作筛选"
          placeholder="全部操作"
          style={{ width: 200 }}
          value={act ?? null}
          options={ACTS}
          onChange={(value: string | null) => {
            setAct(value ?? undefined);
            setPage(1);
          }}
        />
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          导出 CSV
        </Button>
      </div>
      <PagedTable
        label="操作日志"
        query={log}
        page={page}
        onPage={setPage}
        keyOf={(row) => row.seq}
        empty="没有符合条件的记录"
        columns={[
          { title: '时间', render: (row) => formatInstant(row.at) },
          { title: '操作人', render: (row) => `${row.actor}（${row.role}）` },
          { title: '操作', render: (row) => row.title },
          { title: '对象', render: (row) => row.target },
          { title: '原因', render: (row) => row.reason ?? '' },
        ]}
      />
    </section>
  );
}
