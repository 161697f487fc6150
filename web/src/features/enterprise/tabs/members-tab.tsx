/** 成员: search, roles, suspension, removal with an heir, leaving. */
import type { Enterprise, Member } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, Select } from 'antd';
import { useId, useState } from 'react';

import { formatBytes, formatDay, formatInstant } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import styles from '../enterprise.module.css';
import { PagedTable } from '../parts.tsx';
import { changeMember, holdingsQuery, membersQuery, reload, removeMember } from '../queries.ts';
import { MEMBER_STATES, ROLES } from '../words.ts';

export function MembersTab({ enterprise }: { enterprise: Enterprise }) {
  const { id: eid, can } = enterprise;
  const [page, setPage] = useState(1);
  const [keyword, setKeyword] = useState('');
  const [leaving, setLeaving] = useState<Member | null>(null);
  const members = useQuery(membersQuery(eid, page, keyword));
  const change = useMutation({
    mutationFn: ({ member, ...body }: { member: Member; role?: 'admin' | 'member'; state?: 'active' | 'suspended' }) =>
      changeMember(eid, member.id, { version: member.version, ...body }),
    onSuccess: async () => {
      await reload(eid);
      toast.done('已保存');
    },
    onError: () => void reload(eid),
  });
  const mayChange = (row: Member): boolean => row.role === 'member' || (row.role === 'admin' && can.own);
  return (
    <section className={styles['section']} aria-labelledby="members-title">
      <h2 id="members-title">成员</h2>
      <Input.Search
        allowClear
        aria-label="按昵称搜索成员"
        placeholder="按昵称搜索"
        style={{ maxWidth: 280 }}
        onSearch={(text) => {
          setKeyword(text.trim());
          setPage(1);
        }}
      />
      <PagedTable
        label="成员"
        query={members}
        page={page}
        onPage={setPage}
        keyOf={(row) => row.id}
        empty={keyword ? `没有昵称含“${keyword}”的成员` : '还没有成员，到“邀请”发出链接'}
        columns={[
          {
            title: '昵称',
            render: (row) => (
              <>
                {row.nickname}
                {row.is_me ? '（我）' : ''}
                <br />
                <span className={styles['quiet']}>{row.phone ?? '未绑定手机'}</span>
              </>
            ),
          },
          { title: '角色', render: (row) => ROLES[row.role] },
          { title: '状态', render: (row) => MEMBER_STATES[row.state] },
          { title: '加入', render: (row) => formatDay(row.joined_at) },
          { title: '最近使用', render: (row) => (row.seen_at ? formatInstant(row.seen_at) : '—') },
          { title: '存储', number: true, render: (row) => formatBytes(row.storage_bytes) },
          {
            title: '操作',
            render: (row) => (
              <div className={styles['acts']}>
                {can.own && !row.is_me && row.state === 'active' ? (
                  <Button
                    size="small"
                    onClick={() => change.mutate({ member: row, role: row.role === 'admin' ? 'member' : 'admin' })}
                  >
                    {row.role === 'admin' ? '取消管理员' : '设为管理员'}
                  </Button>
                ) : null}
                {mayChange(row) && !row.is_me ? (
                  <Button
                    size="small"
                    onClick={() =>
                      change.mutate({ member: row, state: row.state === 'active' ? 'suspended' : 'active' })
                    }
                  >
                    {row.state === 'active' ? '停用' : '恢复'}
                  </Button>
                ) : null}
                {row.role !== 'owner' && (row.is_me || mayChange(row)) ? (
                  <Button size="small" danger onClick={() => setLeaving(row)}>
                    {row.is_me ? '退出企业' : '移除'}
                  </Button>
                ) : null}
              </div>
            ),
          },
        ]}
      />
      {leaving ? <LeavingDialog eid={eid} member={leaving} onClose={() => setLeaving(null)} /> : null}
    </section>
  );
}

/** What ends, what goes to whom; the name is repeated so that nobody else is removed by mistake. */
export interface Leaver {
  id: number;
  nickname: string;
  version: number;
  is_me: boolean;
}

/** `picks`: whether the heir may be chosen; who leaves without that right hands over to the owner. */
export function LeavingDialog(props: { eid: number; member: Leaver; picks?: boolean; onClose: () => void }) {
  const { eid, member, picks = true, onClose } = props;
  const id = useId();
  const held = useQuery(holdingsQuery(eid, member.id));
  const others = useQuery({ ...membersQuery(eid, 1, '', 200), enabled: picks });
  const [heir, setHeir] = useState<number | undefined>();
  const [endShares, setEndShares] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      removeMember(eid, member.id, { version: member.version, heir_id: heir, end_shares: endShares ? '1' : '0' }),
    onSuccess: async () => {
      toast.done(member.is_me ? '已退出企业' : `已移除 ${member.nickname}`);
      onClose();
      // The page anew: what was there of the enterprise, its session too, has ended with the membership.
      if (member.is_me) location.assign('/enterprise?all=1');
      else await reload(eid);
    },
    onError: () => void reload(eid),
  });
  const options = (others.data?.list ?? [])
    .filter(({ id: one, state }) => one !== member.id && state === 'active')
    .map(({ id: one, nickname, role }) => ({ value: one, label: `${nickname}（${ROLES[role]}）` }));
  return (
    <Dialog
      open
      title={member.is_me ? '退出企业' : `移除成员“${member.nickname}”`}
      width="choose"
      outsideCloses={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            danger
            loading={remove.isPending}
            disabled={!held.data}
            onClick={() => remove.mutate()}
          >
            {member.is_me ? '退出' : '移除'}
          </Button>
        </>
      }
    >
      <Loaded query={held}>
        {(data) => (
          <div className={styles['form']}>
            <p>
              立即结束：{data.sessions} 个会话、{data.runs} 个进行中的任务。
            </p>
            <p>
              转交给接手人：{data.files} 份数据、{data.projects} 个项目、{data.reports} 份报告、{data.drafts} 份草稿、
              {data.models} 个模型；{data.shares} 个外部分享继续有效。
            </p>
            {member.is_me ? (
              <p className={styles['quiet']}>退出后不能再使用企业空间的内容；您的个人空间和会员不受影响。</p>
            ) : null}
            {picks ? (
              <label className={styles['label']} htmlFor={`${id}-heir`}>
                <span>接手人（默认企业所有者）</span>
                <Select
                  id={`${id}-heir`}
                  allowClear
                  placeholder="企业所有者"
                  value={heir ?? null}
                  options={options}
                  onChange={(value: number | null) => setHeir(value ?? undefined)}
                />
              </label>
            ) : (
              <p className={styles['quiet']}>接手人为企业所有者。</p>
            )}
            <Checkbox checked={endShares} onChange={(event) => setEndShares(event.target.checked)}>
              同时结束其外部分享
            </Checkbox>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
