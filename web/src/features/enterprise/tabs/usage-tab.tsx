/** 用量与配额: what each member uses, and the limits set for them. */
import type { Enterprise, Member } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, InputNumber } from 'antd';
import { useId, useState } from 'react';

import { formatBytes } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import styles from '../enterprise.module.css';
import { PagedTable } from '../parts.tsx';
import { changeMember, membersQuery, reload, usageQuery } from '../queries.ts';
import { Meter, StorageWord } from './overview-tab.tsx';

const GB = 1_000_000_000;

export function UsageTab({ enterprise }: { enterprise: Enterprise }) {
  const eid = enterprise.id;
  const usage = useQuery(usageQuery(eid));
  const [page, setPage] = useState(1);
  const members = useQuery(membersQuery(eid, page));
  const [asked, setAsked] = useState<Member | null>(null);
  const months = new Map(usage.data?.members.map((one) => [one.member_id, one.analyses_month]));
  return (
    <>
      <section className={styles['section']} aria-labelledby="usage-all">
        <h2 id="usage-all">企业用量</h2>
        <Loaded query={usage}>
          {(data) => (
            <>
              <p>
                存储 {formatBytes(data.storage_bytes)} / {formatBytes(data.storage_limit)}
              </p>
              <Meter used={data.storage_bytes} most={data.storage_limit} label="存储使用" />
              <StorageWord used={data.storage_bytes} most={data.storage_limit} />
              <p className={styles['quiet']}>存储随席位增加，全企业共用；用满后不能上传，分析不受影响。</p>
            </>
          )}
        </Loaded>
      </section>
      <section className={styles['section']} aria-labelledby="usage-members">
        <h2 id="usage-members">成员用量与配额</h2>
        <PagedTable
          label="成员用量与配额"
          query={members}
          page={page}
          onPage={setPage}
          keyOf={(row) => row.id}
          empty="还没有成员"
          columns={[
            { title: '成员', render: (row) => row.nickname },
            { title: '存储', number: true, render: (row) => formatBytes(row.storage_bytes) },
            { title: '近 30 天分析', number: true, render: (row) => months.get(row.id) ?? 0 },
            {
              title: '存储上限',
              number: true,
              render: (row) => (row.limits.storage_bytes === null ? '不限' : formatBytes(row.limits.storage_bytes)),
            },
            { title: '每日分析上限', number: true, render: (row) => row.limits.analyses_day ?? '不限' },
            {
              title: '操作',
              render: (row) =>
                row.role === 'member' || (enterprise.can.own && row.role === 'admin') ? (
                  <Button size="small" onClick={() => setAsked(row)}>
                    设置配额
                  </Button>
                ) : null,
            },
          ]}
        />
      </section>
      {asked ? <LimitsDialog eid={eid} member={asked} onClose={() => setAsked(null)} /> : null}
    </>
  );
}

function LimitsDialog({ eid, member, onClose }: { eid: number; member: Member; onClose: () => void }) {
  const id = useId();
  const [gb, setGb] = useState(member.limits.storage_bytes === null ? null : member.limits.storage_bytes / GB);
  const [day, setDay] = useState(member.limits.analyses_day);
  const save = useMutation({
    mutationFn: () =>
      changeMember(eid, member.id, {
        version: member.version,
        limits: { storage_bytes: gb === null ? null : Math.round(gb * GB), analyses_day: day },
      }),
    onSuccess: async () => {
      await reload(eid);
      toast.done('配额已保存');
      onClose();
    },
  });
  return (
    <Dialog
      open
      title={`${member.nickname} 的配额`}
      width="form"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" loading={save.isPending} onClick={() => save.mutate()}>
            保存
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <label className={styles['label']} htmlFor={`${id}-gb`}>
          <span>存储上限（GB，留空为不限）</span>
          <InputNumber
            id={`${id}-gb`}
            min={0.001}
            max={100_000}
            value={gb}
            onChange={setGb}
            style={{ width: '100%' }}
          />
        </label>
        <label className={styles['label']} htmlFor={`${id}-day`}>
          <span>每日分析次数上限（留空为不限）</span>
          <InputNumber
            id={`${id}-day`}
            min={0}
            max={100_000}
            precision={0}
            value={day}
            onChange={setDay}
            style={{ width: '100%' }}
          />
        </label>
      </div>
    </Dialog>
  );
}
