/** The QR code with what is to be paid: waiting, shown, expired, failed, or free. */
import type { PayMethod, PaymentMethods } from '@hengxi/server/orders/schema';
import { Button, Segmented, Spin } from 'antd';
import type { ReactNode } from 'react';

import { money } from '../queries.ts';
import styles from './purchase.module.css';

const QR_PX = 126;

export interface PayBoxProps {
  /** Fen; null while it is not known. */
  total: number | null;
  /** How the total came about, e.g. 279.20 − 优惠码 20.00. */
  account: string | null;
  qrcode: string | null;
  left: number;
  isWorking: boolean;
  fault: string | null;
  isFree: boolean;
  methods: PaymentMethods['methods'];
  method: PayMethod;
  sandbox: boolean;
  /** Where the sandbox code leads, for browsers that cannot scan themselves. */
  link: string | null;
  onMethod: (method: PayMethod) => void;
  onRefresh: () => void;
  /** Orders what costs nothing. */
  onFree: () => void;
  children?: ReactNode;
}

export function PayBox(props: PayBoxProps) {
  const { total, account, isFree, methods, method, left, qrcode, sandbox, link, isWorking } = props;
  const scannable = methods.filter(({ qr }) => qr !== 4);
  return (
    <div className={styles['pay']}>
      {isFree ? null : <Picture {...props} />}
      <div className={styles['sum']}>
        {isFree || scannable.length < 2 ? null : (
          <Segmented
            aria-label="支付方式"
            options={scannable.map(({ qr, title }) => ({ value: qr, label: title }))}
            value={method}
            onChange={props.onMethod}
          />
        )}
        <p className={styles['total']} aria-live="polite">
          应付 <small>¥</small>
          <b>{total === null ? '—' : money(total)}</b>
        </p>
        <p className={styles['quiet']}>
          {[account, qrcode && left > 0 ? `二维码 ${clock(left)} 后过期` : null].filter(Boolean).join('　·　')}
        </p>
        {isFree ? (
          <Button type="primary" loading={isWorking} onClick={props.onFree}>
            免费开通
          </Button>
        ) : null}
        {isFree && props.fault ? <p className={styles['fault']}>{props.fault}</p> : null}
        {sandbox && link !== null && left > 0 ? (
          <a className={styles['sandbox']} href={link} target="_blank" rel="noreferrer">
            沙箱：打开模拟收银台
          </a>
        ) : null}
        {props.children}
      </div>
    </div>
  );
}

function Picture({ qrcode, left, isWorking, fault, onRefresh }: PayBoxProps) {
  const isExpired = qrcode !== null && left === 0;
  return (
    <div className={styles['qr']} aria-busy={isWorking}>
      {qrcode === null ? null : (
        <img src={qrcode} width={QR_PX} height={QR_PX} alt="支付二维码" data-expired={isExpired} />
      )}
      {isWorking ? <Spin aria-label="正在生成二维码" /> : null}
      {isExpired && !isWorking ? (
        <div className={styles['over']} role="status">
          <p>二维码已过期，请刷新</p>
          <Button size="small" type="primary" onClick={onRefresh}>
            刷新
          </Button>
        </div>
      ) : null}
      {fault !== null && !isWorking ? (
        <div className={styles['over']} role="alert">
          <p>{fault}</p>
          <Button size="small" onClick={onRefresh}>
            重试
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function clock(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
