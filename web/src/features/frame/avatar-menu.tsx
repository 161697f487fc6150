/** The account menu: who, which edition, what belongs to it, the personal center, feedback, leaving. */
import type { MenuProps } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';

import { integer } from '@hengxi/contracts/format';
import { api } from '../../lib/api.ts';
import { type AppearanceChoice, chooseAppearance, useAppearance } from '../../lib/appearance.ts';
import { chunk } from '../../lib/chunk.ts';
import { formatDay } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { useLockedMethod } from '../../lib/method-access.ts';
import { prompts } from '../../lib/prompts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { CELL_DRAFTS, draftKeys } from '../../lib/drafts.ts';
import { endSession, forgetTraces, type SessionUser } from '../../lib/session.ts';
import { ChunkBoundary } from '../../ui/chunk-boundary.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DropMenu } from '../../ui/drop-menu.tsx';
import styles from './avatar-menu.module.css';

const FeedbackDialog = lazy(() =>
  chunk(async () => ({ default: (await import('./feedback/feedback-dialog.tsx')).FeedbackDialog })),
);

const EDITION = { 1: '标准版', 2: '企业版', 3: '会员' } as const;

const APPEARANCES: readonly { key: AppearanceChoice; title: string }[] = [
  { key: 'system', title: '跟随系统' },
  { key: 'light', title: '浅色' },
  { key: 'dark', title: '深色' },
];

type Items = NonNullable<MenuProps['items']>;

interface Ways {
  go: (path: string) => void;
  purchase: () => void;
  /** Only where the method on the screen is one that credits can open; null elsewhere. */
  unlock: (() => void) | null;
}

/** What the edition brings along; enterprise members have no upgrade, no AI points and no credits of their own. */
export function editionItems(me: SessionUser, to: Ways): Items {
  if (me.identity === 2) {
    const [enterprise] = me.enterprise;
    return me.is_enterprise_admin && enterprise
      ? [{ key: 'enterprise', label: '企业管理', onClick: () => to.go(`/enterprise/${enterprise.id}`) }]
      : [];
  }
  const { lifetime, invalid_at: end } = me.vip;
  const until = lifetime ? '长期有效' : end ? `${formatDay(end)} 到期` : '';
  const vip: Items[number] =
    me.identity === 1
      ? { key: 'vip', label: '开通会员', extra: '升级', onClick: to.purchase }
      : lifetime
        ? { key: 'vip', label: '会员', extra: until, onClick: () => to.go('/member?tab=membership') }
        : { key: 'vip', label: `会员 ${until}`, extra: '续费', onClick: to.purchase };
  return [
    vip,
    {
      key: 'points',
      label: `AI 点数 ${integer(me.user_ai_point)}`,
      extra: '购买',
      onClick: () => to.go('/member/aicount'),
    },
    {
      key: 'credits',
      label: `积分 ${integer(me.total_amount)}`,
      extra: '获取积分',
      onClick: () => to.go('/credits'),
    },
    ...(to.unlock === null ? [] : [{ key: 'unlock', label: '解锁算法', onClick: to.unlock }]),
  ];
}

export function AvatarMenu() {
  const me = useMe();
  const navigate = useNavigate();
  const choice = useAppearance((state) => state.choice);
  const [dialog, setDialog] = useState<'logout' | 'feedback' | null>(null);
  const name = me?.nickname ?? '';
  const go = (path: string) => void navigate(path);
  const locked = useLockedMethod((state) => state.method);
  const unlock = locked && (() => prompts.openUnlock(locked));
  const edition = me && !me.demo ? editionItems(me, { go, purchase: () => prompts.openPurchase(), unlock }) : [];
  const items: Items = [
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
    ...edition,
    ...(edition.length > 0 ? [{ type: 'divider' } as const] : []),
    { key: 'center', label: '个人中心', onClick: () => go('/member') },
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
    { key: 'feedback', label: '意见反馈', onClick: () => setDialog('feedback') },
    { type: 'divider' },
    { key: 'logout', label: '退出登录', onClick: () => setDialog('logout') },
  ];
  return (
    <>
      <DropMenu menu={{ items }} placement="bottomRight">
        <button type="button" className={styles['button']} aria-label={`账号菜单，${name}`}>
          {me?.avatar ? (
            <img src={me.avatar} alt="" className={styles['avatar']} />
          ) : (
            <span className={styles['avatar']}>{Array.from(name)[0] ?? ''}</span>
          )}
        </button>
      </DropMenu>
      <LogoutDialog open={dialog === 'logout'} onClose={() => setDialog(null)} />
      {dialog === 'feedback' ? (
        <ChunkBoundary>
          <Suspense fallback={null}>
            <FeedbackDialog onClose={() => setDialog(null)} />
          </Suspense>
        </ChunkBoundary>
      ) : null}
    </>
  );
}

function LogoutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [working, setWorking] = useState(false);
  const unsaved = open ? draftKeys(CELL_DRAFTS).length : 0;
  const logout = async () => {
    setWorking(true);
    // The browser forgets the token even where the server cannot be told: that is what was asked for.
    await api.post('/v1/user/logout', undefined, { quiet: true, timeout: 5000 }).catch(() => undefined);
    endSession();
    forgetTraces();
    queryClient.clear();
    setWorking(false);
    onClose();
    await navigate('/');
  };
  return (
    <ConfirmDialog
      open={open}
      title="退出登录"
      text={unsaved > 0 ? `有 ${unsaved} 份数据改了单元格还没有保存，退出后这些改动会丢失。` : '确定要退出登录吗？'}
      act="退出"
      working={working}
      onAct={() => void logout()}
      onClose={onClose}
    />
  );
}
