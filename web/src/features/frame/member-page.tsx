/** The personal center: who I am, where I am signed in, how data is treated, how the product looks. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Radio, Segmented, Switch } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { type AppearanceChoice, chooseAppearance, useAppearance } from '../../lib/appearance.ts';
import { formatInstant } from '../../lib/format-size.ts';
import { reloadMe, useMe } from '../../lib/me.ts';
import { queryClient } from '../../lib/query-client.ts';
import { switchShortcuts, useShortcutsOn } from '../../lib/shortcuts.ts';
import { toast } from '../../lib/toast.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './member-page.module.css';
import { devicesQuery, endDevice, renameUser, saveConfig } from './queries.ts';

const NICKNAME_MAX = 20;

export function MemberPage() {
  return (
    <div className={styles['page']}>
      <PageTitle title="个人中心" />
      <Account />
      <DataSettings />
      <Appearance />
      <Devices />
    </div>
  );
}

function Account() {
  const me = useMe();
  const [renaming, setRenaming] = useState(false);
  const rename = useMutation({
    mutationFn: renameUser,
    onSuccess: async () => {
      setRenaming(false);
      await reloadMe();
      toast.done('修改成功');
    },
  });
  return (
    <section className={styles['section']} aria-labelledby="member-account">
      <h2 id="member-account">账号</h2>
      <dl className={styles['facts']}>
        <dt>昵称</dt>
        <dd>
          {me?.nickname ?? '…'}
          <button type="button" className="hx-link" onClick={() => setRenaming(true)}>
            修改
          </button>
        </dd>
        <dt>手机号</dt>
        <dd>{me ? (me.phone ?? '未绑定') : '…'}</dd>
      </dl>
      <RenameDialog
        open={renaming}
        title="修改昵称"
        value={me?.nickname ?? ''}
        max={NICKNAME_MAX}
        working={rename.isPending}
        onSave={(name) => rename.mutate(name)}
        onClose={() => setRenaming(false)}
      />
    </section>
  );
}

function DataSettings() {
  const me = useMe();
  const save = useMutation({
    mutationFn: saveConfig,
    onSuccess: async () => {
      await reloadMe();
      toast.done('修改成功');
    },
  });
  const value = save.isPending ? save.variables.fill_nan_adjusted : me?.config.fill_nan_adjusted;
  return (
    <section className={styles['section']} aria-labelledby="member-data">
      <h2 id="member-data">数据设置</h2>
      <p className={styles['hint']}>分析时遇到缺失值怎么办。每份报告都会写明用了多少行，以及其余的为什么没有用。</p>
      <Radio.Group
        aria-labelledby="member-data"
        className={styles['choices']}
        value={value}
        disabled={!me}
        onChange={(event) => {
          const chosen: unknown = event.target.value;
          save.mutate({ fill_nan_adjusted: chosen === 1 ? 1 : 0 });
        }}
        options={[
          { value: 0, label: '剔除有缺失的行（默认）' },
          { value: 1, label: '填补后再分析：定量用均值，定类用众数' },
        ]}
      />
    </section>
  );
}

const CHOICES: { value: AppearanceChoice; label: string }[] = [
  { value: 'system', label: '跟随系统' },
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
];

function Appearance() {
  const choice = useAppearance((state) => state.choice);
  const shortcuts = useShortcutsOn((state) => state.on);
  return (
    <section className={styles['section']} aria-labelledby="member-look">
      <h2 id="member-look">外观与操作</h2>
      <dl className={styles['facts']}>
        <dt>外观</dt>
        <dd>
          <Segmented aria-label="外观" options={CHOICES} value={choice} onChange={chooseAppearance} />
        </dd>
        <dt>快捷键</dt>
        <dd>
          <Switch aria-label="使用快捷键" checked={shortcuts} onChange={switchShortcuts} />
        </dd>
      </dl>
    </section>
  );
}

function Devices() {
  const devices = useQuery(devicesQuery);
  const end = useMutation({
    mutationFn: endDevice,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey });
      toast.done('已退出该设备');
    },
  });
  return (
    <section className={styles['section']} aria-labelledby="member-devices">
      <h2 id="member-devices">登录设备</h2>
      <p className={styles['hint']}>同一账号同时只在一处登录；在别处登录后，原来的登录会失效。</p>
      {devices.isPending ? <ListSkeleton rows={2} /> : null}
      {devices.isError ? <p>{errorText(devices.error)}</p> : null}
      <ul className={styles['devices']}>
        {devices.data?.list.map((device) => (
          <li key={device.id}>
            <span>
              <b>{device.device}</b>
              {device.current ? <span className={styles['current']}>本机</span> : null}
            </span>
            <span className={styles['hint']}>
              {device.net}，最近使用 {formatInstant(device.seen_at)}
            </span>
            {device.current ? null : (
              <Button
                danger
                size="small"
                loading={end.isPending && end.variables === device.id}
                onClick={() => end.mutate(device.id)}
              >
                退出该设备
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
