/** A code for scanning, 168 px: asked about every two seconds until it is used, refused or too old, and drawn anew on wish. */
import { ReloadOutlined, WechatOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useState } from 'react';

import { ApiError } from '../lib/api.ts';
import styles from './scan-code.module.css';
import { Late } from './skeleton.tsx';

const POLL_MS = 2000;
const SIDE = 168;

interface Code {
  scene: string;
  /** Seconds. */
  expire_in: number;
  url: string;
  qrcode: string;
}

type Shown = 'loading' | 'waiting' | 'scanned' | 'expired' | 'refused' | 'failed';

const OVERLAY: Partial<Record<Shown, string>> = {
  expired: '二维码已过期，请刷新',
  refused: '已在手机上取消',
  failed: '二维码没有加载出来',
};

export interface ScanCodeProps<Answer extends { status: number }> {
  load: (signal: AbortSignal) => Promise<Code>;
  /** 0 waiting, 1 done (once), 2 scanned, 3 refused, 4 expired. */
  poll: (scene: string, signal: AbortSignal) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  /** What the picture is, for who cannot see it. */
  title: string;
  /** What is to be done on the phone once the code was scanned. */
  scanned: string;
  /** A line below; what a scan does. */
  note: string;
  sandbox: boolean;
}

export function ScanCode<Answer extends { status: number }>(props: ScanCodeProps<Answer>) {
  const { title, scanned, note, sandbox } = props;
  const [round, setRound] = useState(0);
  const { code, shown } = useCode(round, props);
  const overlay = OVERLAY[shown];
  return (
    <div className={styles['panel']}>
      <div className={styles['frame']} data-scanned={shown === 'scanned'}>
        {code ? (
          <img src={code.qrcode} width={SIDE} height={SIDE} alt={title} data-covered={overlay !== undefined} />
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
        {shown === 'scanned' ? scanned : '打开微信扫一扫'}
      </p>
      <p className={styles['note']}>{note}</p>
      {sandbox && code && !overlay ? (
        <p className={styles['sandbox']}>
          <b>沙箱</b> 不用手机，
          <a href={code.url} target="_blank" rel="noreferrer">
            在浏览器里打开扫码页
          </a>
        </p>
      ) : null}
    </div>
  );
}

function useCode<Answer extends { status: number }>(
  round: number,
  { load, poll, onDone }: Pick<ScanCodeProps<Answer>, 'load' | 'poll' | 'onDone'>,
) {
  const [code, setCode] = useState<Code | null>(null);
  const [shown, setShown] = useState<Shown>('loading');
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setCode(null);
    setShown('loading');
    const ask = async (scene: string, endsAt: number): Promise<void> => {
      if (controller.signal.aborted) return;
      if (performance.now() > endsAt) {
        setShown('expired');
        return;
      }
      try {
        const answer = await poll(scene, controller.signal);
        if (answer.status === 1) {
          onDone(answer);
          return;
        }
        if (answer.status === 3 || answer.status === 4) {
          setShown(answer.status === 3 ? 'refused' : 'expired');
          return;
        }
        setShown(answer.status === 2 ? 'scanned' : 'waiting');
      } catch (error) {
        // A clear refusal has been told; a lost answer is asked for again.
        if (controller.signal.aborted) return;
        if (error instanceof ApiError && error.fault === 'refused') {
          setShown('expired');
          return;
        }
      }
      timer = setTimeout(() => void ask(scene, endsAt), POLL_MS);
    };
    load(controller.signal)
      .then((got) => {
        setCode(got);
        setShown('waiting');
        timer = setTimeout(() => void ask(got.scene, performance.now() + got.expire_in * 1000), POLL_MS);
      })
      .catch(() => {
        if (!controller.signal.aborted) setShown('failed');
      });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
    // One code per round; the functions are new ones with every drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [round]);
  return { code, shown };
}
