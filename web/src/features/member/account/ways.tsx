/** 登录方式: each way in, bound or not; a new one and one less want a fresh proof, and the last one stays. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import { ApiError } from '../../../lib/api.ts';
import { useLinking, wayAdded, wayRefused } from '../../../lib/linking.ts';
import { reloadMe, useMe } from '../../../lib/me.ts';
import { siteQuery } from '../../../lib/site.ts';
import { toast } from '../../../lib/toast.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { ScanCode } from '../../../ui/scan-code.tsx';
import styles from './account.module.css';
import { beginWechat, goToAcademicToAdd, goToResearchToAdd, mergeHeld, pollAdding, removeWay } from './link-queries.ts';
import type { LinkedWay, WechatCode } from './link-queries.ts';

const WAYS: { way: LinkedWay; title: string }[] = [
  { way: 'wechat', title: '微信' },
  { way: 'research', title: '科研平台' },
  { way: 'academic', title: '学术搜索' },
];

export function Ways() {
  const me = useMe();
  const site = useQuery(siteQuery).data;
  const [working, setWorking] = useState<LinkedWay | null>(null);
  const [code, setCode] = useState<WechatCode | null>(null);
  const [leaving, setLeaving] = useState<{ way: LinkedWay; title: string } | null>(null);
  if (!me) return <dd>…</dd>;
  if (me.demo) return <dd>演示账号</dd>;
  const shown = WAYS.filter(({ way }) => me.ways.includes(way) || site?.[way]);

  /** A refusal has been told by the client; whatever comes, the button works again. */
  const busy = async (way: LinkedWay, act: () => Promise<unknown>) => {
    setWorking(way);
    await act().catch(() => undefined);
    setWorking(null);
  };
  const add = (way: LinkedWay) =>
    busy(way, async () => {
      if (way === 'wechat') setCode(await beginWechat());
      else if (way === 'research') await goToResearchToAdd();
      else await goToAcademicToAdd();
    });
  const remove = (way: LinkedWay) =>
    busy(way, async () => {
      if ((await removeWay(way)) === null) return;
      await reloadMe();
      toast.done('已解除绑定');
    });

  return (
    <dd className={styles['ways']}>
      <ul>
        {me.ways.includes('phone') ? (
          <li>
            <span>手机号</span>
            <span className={styles['bound']}>已绑定</span>
          </li>
        ) : null}
        {shown.map(({ way, title }) => {
          const bound = me.ways.includes(way);
          return (
            <li key={way}>
              <span>{title}</span>
              <span className={bound ? styles['bound'] : styles['unbound']}>{bound ? '已绑定' : '未绑定'}</span>
              {bound && me.ways.length === 1 ? (
                <span className={styles['where']}>唯一的登录方式，不能解绑</span>
              ) : (
                <Button
                  size="small"
                  loading={working === way}
                  aria-label={`${bound ? '解绑' : '绑定'}${title}`}
                  onClick={() => (bound ? setLeaving({ way, title }) : void add(way))}
                >
                  {bound ? '解绑' : '绑定'}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {code ? <WechatDialog first={code} sandbox={site?.sandbox ?? false} onClose={() => setCode(null)} /> : null}
      {leaving ? (
        <ConfirmDialog
          open
          title={`解绑${leaving.title}`}
          text={`解绑后不能再用这个${leaving.title}账号登录，账号里的数据不受影响。`}
          act="解绑"
          danger
          onAct={() => {
            setLeaving(null);
            void remove(leaving.way);
          }}
          onClose={() => setLeaving(null)}
        />
      ) : null}
      <HeldDialog />
    </dd>
  );
}

/** The first code was made together with the proof; a new one is asked for when it is too old. */
function WechatDialog({ first, sandbox, onClose }: { first: WechatCode; sandbox: boolean; onClose: () => void }) {
  const [next, setNext] = useState<WechatCode | null>(first);
  const load = async (): Promise<WechatCode> => {
    const code = next ?? (await beginWechat());
    setNext(null);
    if (code === null) throw new Error('the proof was not given');
    return code;
  };
  const poll = (scene: string, signal: AbortSignal) =>
    pollAdding(scene, signal).catch((error: unknown) => {
      if (error instanceof ApiError && error.fault === 'refused') {
        wayRefused(error);
        onClose();
      }
      throw error;
    });
  return (
    <Dialog open title="绑定微信" width="confirm" onClose={onClose}>
      <ScanCode
        load={load}
        poll={poll}
        onDone={() => {
          onClose();
          void wayAdded();
        }}
        title="绑定微信的二维码"
        scanned="已扫码，请在手机上确认绑定"
        note="绑定后，用这个微信扫码即可登录"
        sandbox={sandbox}
      />
    </Dialog>
  );
}

/** The way belongs to an empty account: a clear choice, nothing silently. */
function HeldDialog() {
  const { held } = useLinking();
  const [working, setWorking] = useState(false);
  if (held === null) return null;
  const close = () => useLinking.setState({ held: null });
  const merge = async () => {
    setWorking(true);
    try {
      await mergeHeld(held.ticket);
      await reloadMe();
      toast.done('绑定成功');
    } catch {
      // The reason has been shown.
    }
    setWorking(false);
    close();
  };
  return (
    <ConfirmDialog
      open
      title="合并账号"
      text={`这个登录方式属于账号“${held.nickname}”。那个账号里没有数据，可以并入当前账号，之后用它登录到这里。`}
      act="并入当前账号"
      working={working}
      onAct={() => void merge()}
      onClose={close}
    />
  );
}
