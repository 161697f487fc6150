/** The account menu: who, which edition, the personal center, appearance, leaving. */
import { Dropdown, type MenuProps } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { api } from '../../lib/api.ts';
import { type AppearanceChoice, chooseAppearance, useAppearance } from '../../lib/appearance.ts';
import { useMe } from '../../lib/me.ts';
import { queryClient } from '../../lib/query-client.ts';
import { endSession } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import styles from './avatar-menu.module.css';

const EDITION = { 1: '标准版', 2: '企业版', 3: '会员' } as const;

const APPEARANCES: readonly { key: AppearanceChoice; title: string }[] = [
  { key: 'system', title: '跟随系统' },
  { key: 'light', title: '浅色' },
  { key: 'dark', title: '深色' },
];

export function AvatarMenu() {
  const me = useMe();
  const navigate = useNavigate();
  const choice = useAppearance((state) => state.choice);
  const [leaving, setLeaving] = useState(false);
  const name = me?.nickname ?? '';
  const items: MenuProps['items'] = [
    {
      key: 'who',
      type: 'group',
      label: (
        <span className={styles['who']}>
          <b>{name || '…'}</b>
          <span>{me ? (me.demo ? '演示账号' : EDITION[me.identity]) : ''}</span>
        </span>
      ),
    },
    { type: 'divider' },
    { key: 'center', label: '个人中心', onClick: () => void navigate('/member') },
    {
      key: 'appearance',
      label: '外观',
      children: APPEARANCES.map((item) => ({
        key: item.key,
        label: item.title,
        extra: item.key === choice ? '✓' : undefined,
        onClick: () => chooseAppearance(item.key),
      })),
    },
    { type: 'divider' },
    { key: 'logout', label: '退出登录', onClick: () => setLeaving(true) },
  ];
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
        <button type="button" className={styles['button']} aria-label={`账号菜单，${name}`}>
          {me?.avatar ? (
            <img src={me.avatar} alt="" className={styles['avatar']} />
          ) : (
            <span className={styles['avatar']}>{Array.from(name)[0] ?? ''}</span>
          )}
        </button>
      </Dropdown>
      <LogoutDialog open={leaving} onClose={() => setLeaving(false)} />
    </>
  );
}

function LogoutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [working, setWorking] = useState(false);
  const logout = async () => {
    setWorking(true);
    // The browser forgets the token even where the server cannot be told: that is what was asked for.
    await api.post('/v1/user/logout', undefined, { quiet: true, timeout: 5000 }).catch(() => undefined);
    endSession();
    queryClient.clear();
    setWorking(false);
    onClose();
    await navigate('/');
  };
  return (
    <ConfirmDialog
      open={open}
      title="退出登录"
      text="确定要退出登录吗？"
      act="退出"
      working={working}
      onAct={() => void logout()}
      onClose={onClose}
    />
  );
}
