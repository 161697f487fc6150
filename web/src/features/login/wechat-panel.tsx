/** The WeChat code, 168 px: asked about every two seconds until it is used, refused or two minutes old. */
import { ReloadOutlined, WechatOutlined } from '@ant-design/icons';
import type { SignIn } from '@hengxi/server/accounts/schema';
import type { WechatTicket } from '@hengxi/server/signin/schema';
import { Button } from 'antd';
import { useEffect, useState } from 'react';

import { ApiError } from '../../lib/api.ts';
import { Late } from '../../ui/skeleton.tsx';
import { pollWechat, wechatTicket } from './queries.ts';
import styles from './wechat-panel.module.css';

const POLL_MS = 2000;
const SIDE = 168;

type Shown = 'loading' | 'waiting' | 'scanned' | 'expired' | 'refused' | 'failed';

const OVERLAY: Partial<Record<Shown, string>> = {
  expired: '二维码已过期，请刷新',
  refused: '已在手机上取消',
  failed: '二维码没有加载出来',
};

export function WechatPanel({ sandbox, onSignedIn }: { sandbox: boolean; onSignedIn: (answer: SignIn) => void }) {
  const [round, setRound] = useState(0);
  const { ticket, shown } = useTicket(round, onSignedIn);
  const overlay = OVERLAY[shown];
  return (
    <div className={styles['panel']}>
      <div className={styles['frame']} data-scanned={shown === 'scanned'}>
        {ticket ? (
          <img
            src={ticket.qrcode}
            width={SIDE}
            height={SIDE}
            alt="微信登录二维码"
            data-covered={overlay !== undefined}
          />
        ) : shown === 'loading' ? (
          <Late label="正在加载二维码">正在加载二维码</Late>
        ) : null}
        {overlay ? (
          <div className={styles['overlay']} role="alert">
            <span>{overlay}</span>
            <Button icon={<ReloadOutlined aria-hidden />} onClick={() => setRound((count) => count + 1)}>
              刷新
            </Button>
          </div>
        ) : null}
      </div>
      <p className={styles['how']} role="status">
        <WechatOutlined aria-hidden />
        {shown === 'scanned' ? '已扫码，请在手机上确认登录' : '打开微信扫一扫'}
      </p>
      <p className={styles['note']}>首次登录会自动建立账号</p>
      {sandbox && ticket && !overlay ? (
        <p className={styles['sandbox']}>
          <b>沙箱</b> 不用手机，
          <a href={ticket.url} target="_blank" rel="noreferrer">
            在浏览器里打开扫码页
          </a>
        </p>
      ) : null}
    </div>
  );
}

function useTicket(round: number, onSignedIn: (answer: SignIn) => void) {
  const [ticket, setTicket] = useState<WechatTicket | null>(null);
  const [shown, setShown] = useState<Shown>('loading');
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setTicket(null);
    setShown('loading');
    const poll = async (scene: string, endsAt: number): Promise<void> => {
      if (controller.signal.aborted) return;
      if (performance.now() > endsAt) {
        setShown('expired');
        return;
      }
      try {
        const answer = await pollWechat(scene, controller.signal);
        if (answer.status === 1) {
          onSignedIn(signInOf(answer));
          return;
        }
        if (answer.status === 3 || answer.status === 4) {
          setShown(answer.status === 3 ? 'refused' : 'expired');
          return;
        }
        setShown(answer.status === 2 ? 'scanned' : 'waiting');
      } catch (error) {
        // A ban or a leaving account has been told; a lost answer is asked for again.
        if (controller.signal.aborted) return;
        if (error instanceof ApiError && error.fault === 'refused') {
          setShown('expired');
          return;
        }
      }
      timer = setTimeout(() => void poll(scene, endsAt), POLL_MS);
    };
    wechatTicket(controller.signal)
      .then((got) => {
        setTicket(got);
        setShown('waiting');
        timer = setTimeout(() => void poll(got.scene, performance.now() + got.expire_in * 1000), POLL_MS);
      })
      .catch(() => {
        if (!controller.signal.aborted) setShown('failed');
      });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
    // One code per round; onSignedIn is a new function with every drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [round]);
  return { ticket, shown };
}

const signInOf = (answer: Partial<SignIn>): SignIn => ({
  token: answer.token ?? null,
  co_token: answer.co_token ?? null,
  tokens: answer.tokens ?? [],
  lucky: answer.lucky ?? 0,
  warning: answer.warning ?? false,
});
