/** 设置: name, contact, shares and copies; handing over and dissolving, by the owner. */
import type { Enterprise, Settings } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, Select } from 'antd';
import { useId, useState } from 'react';

import { formatInstant } from '../../../lib/format-size.ts';
import { withStepUp } from '../../../lib/step-up.ts';
import { useExport } from '../../../lib/use-export.ts';
import { toast } from '../../../lib/toast.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { MadeFile, Working } from '../../../ui/export-progress.tsx';
import styles from '../enterprise.module.css';
import { copyText } from '../parts.tsx';
import { askTransfer, beginArchive, cancelTransfer, change, dissolve, membersQuery, reload } from '../queries.ts';
import { ROLES } from '../words.ts';

export function SettingsTab({ enterprise }: { enterprise: Enterprise }) {
  return (
    <>
      <Facts key={enterprise.version} enterprise={enterprise} />
      {enterprise.can.own ? (
        <>
          <Archive eid={enterprise.id} />
          <HandOver enterprise={enterprise} />
          <Dissolve enterprise={enterprise} />
        </>
      ) : null}
    </>
  );
}

function Facts({ enterprise }: { enterprise: Enterprise }) {
  const id = useId();
  const { id: eid, version } = enterprise;
  const [name, setName] = useState(enterprise.name);
  const [contact, setContact] = useState(enterprise.contact);
  const [settings, setSettings] = useState<Settings>(enterprise.settings);
  const save = useMutation({
    mutationFn: () => change(eid, { version, name, contact, settings }),
    onSuccess: async () => {
      await reload(eid);
      toast.done('设置已保存');
    },
  });
  return (
    <section className={styles['section']} aria-labelledby="settings-facts">
      <h2 id="settings-facts">企业设置</h2>
      <div className={styles['form']}>
        <label className={styles['label']} htmlFor={`${id}-name`}>
          <span>企业名称</span>
          <Input id={`${id}-name`} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label className={styles['label']} htmlFor={`${id}-contact`}>
          <span>联系人</span>
          <Input
            id={`${id}-contact`}
            maxLength={60}
            value={contact}
            onChange={(event) => setContact(event.target.value)}
          />
        </label>
        <Checkbox
          checked={settings.export_allowed}
          onChange={(event) => setSettings({ ...settings, export_allowed: event.target.checked })}
        >
          允许成员导出文件、复制到个人空间
        </Checkbox>
        <Checkbox
          checked={settings.shares_allowed}
          onChange={(event) => setSettings({ ...settings, shares_allowed: event.target.checked })}
        >
          允许成员对外分享报告
        </Checkbox>
        <label className={styles['label']} htmlFor={`${id}-days`}>
          <span>新分享的最长有效期</span>
          <Select
            id={`${id}-days`}
            disabled={!settings.shares_allowed}
            value={settings.share_days ?? 0}
            options={[
              { value: 0, label: '由分享人决定' },
              { value: 7, label: '7 天' },
              { value: 30, label: '30 天' },
              { value: 90, label: '90 天' },
            ]}
            onChange={(value: 0 | 7 | 30 | 90) => setSettings({ ...settings, share_days: value === 0 ? null : value })}
          />
        </label>
        <div className={styles['acts']}>
          <Button
            type="primary"
            disabled={name.trim().length < 2}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            保存
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Everything at once, also where the enterprise is frozen. */
function Archive({ eid }: { eid: number }) {
  const { state, start, download, back } = useExport(() => beginArchive(eid));
  const begin = useMutation({ mutationFn: () => withStepUp(() => start(undefined)) });
  return (
    <section className={styles['section']} aria-labelledby="settings-archive">
      <h2 id="settings-archive">导出企业全部数据</h2>
      <p className={styles['quiet']}>
        数据原件和处理步骤、项目、报告、成员与操作日志，打包为一个 zip，保留一天。只有所有者可以导出，冻结后也可以。
      </p>
      {state.at === 'working' ? <Working share={state.share} text={state.text} /> : null}
      {state.at === 'done' ? <MadeFile file={state.file} onDownload={() => void download(state.runId)} /> : null}
      {state.at === 'failed' ? (
        <p role="alert" className={styles['fault']}>
          {state.text}
        </p>
      ) : null}
      {state.at === 'working' ? null : (
        <div className={styles['acts']}>
          <Button
            loading={begin.isPending}
            onClick={() => {
              back();
              begin.mutate();
            }}
          >
            {state.at === 'done' ? '重新导出' : '导出'}
          </Button>
        </div>
      )}
    </section>
  );
}

function HandOver({ enterprise }: { enterprise: Enterprise }) {
  const { id: eid, transfer } = enterprise;
  const id = useId();
  const members = useQuery(membersQuery(eid, 1, '', 200));
  const [target, setTarget] = useState<number | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const ask = useMutation({
    mutationFn: (member: number) => withStepUp(() => askTransfer(eid, member)),
    onSuccess: async (created) => {
      if (created === null) return;
      setLink(created.link);
      await reload(eid);
      toast.done(`已通知 ${created.to}，72 小时内有效`);
    },
  });
  const cancel = useMutation({
    mutationFn: () => cancelTransfer(eid),
    onSuccess: async () => {
      setLink(null);
      await reload(eid);
      toast.done('转让已取消');
    },
  });
  const options = (members.data?.list ?? [])
    .filter(({ is_me: isMe, state }) => !isMe && state === 'active')
    .map(({ id: value, nickname, role }) => ({ value, label: `${nickname}（${ROLES[role]}）` }));
  return (
    <section className={styles['section']} aria-labelledby="settings-transfer">
      <h2 id="settings-transfer">转让企业</h2>
      {transfer ? (
        <div className={styles['acts']}>
          <span>
            正在等待 {transfer.to} 接任，{formatInstant(transfer.ends_at)} 前有效。
          </span>
          {link ? (
            <Button size="small" onClick={() => void copyText(link)}>
              复制链接
            </Button>
          ) : null}
          <Button size="small" danger loading={cancel.isPending} onClick={() => cancel.mutate()}>
            取消转让
          </Button>
        </div>
      ) : (
        <div className={styles['form']}>
          <label className={styles['label']} htmlFor={`${id}-to`}>
            <span>接任的成员（转让后您成为管理员）</span>
            <Select id={`${id}-to`} value={target} options={options} onChange={setTarget} placeholder="请选择" />
          </label>
          <div className={styles['acts']}>
            <Button
              disabled={target === null}
              loading={ask.isPending}
              onClick={() => {
                if (target !== null) ask.mutate(target);
              }}
            >
              发起转让
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

function Dissolve({ enterprise }: { enterprise: Enterprise }) {
  const { id: eid, name, state, version } = enterprise;
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const end = useMutation({
    mutationFn: () => withStepUp(() => dissolve(eid)),
    onSuccess: async (done) => {
      setAsking(false);
      if (done !== null) await reload(eid);
    },
  });
  const keep = useMutation({
    mutationFn: () => change(eid, { version, keep: true }),
    onSuccess: async () => {
      await reload(eid);
      toast.done('已撤销解散');
    },
  });
  return (
    <section className={styles['section']} aria-labelledby="settings-dissolve">
      <h2 id="settings-dissolve">解散企业</h2>
      {state === 'dissolving' ? (
        <div className={styles['acts']}>
          <Button type="primary" loading={keep.isPending} onClick={() => keep.mutate()}>
            撤销解散
          </Button>
        </div>
      ) : (
        <>
          <p className={styles['quiet']}>解散后 30 天内可以撤销，期满删除企业的全部数据，席位费用不退。</p>
          <div className={styles['acts']}>
            <Button danger onClick={() => setAsking(true)}>
              解散企业
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        open={isAsking}
        danger
        title="解散企业"
        text={
          <label className={styles['label']}>
            <span>30 天后删除全部数据。请输入企业名称“{name}”确认：</span>
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} />
          </label>
        }
        act="解散"
        working={end.isPending}
        onAct={() => {
          if (typed.trim() === name) end.mutate();
          else toast.warn('企业名称不一致');
        }}
        onClose={() => setAsking(false)}
      />
    </section>
  );
}
