/** Choosing and paying, the same in the dialog and on /member/pay: cards, quantity, coupon, QR code, total. */
import { CheckCircleOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons';
import { priceOf, QUANTITY_MAX, readQuantity } from '@hengxi/contracts/price';
import type { Package } from '@hengxi/server/membership/schema';
import type { PaymentState, PayMethod } from '@hengxi/server/orders/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, InputNumber, Space } from 'antd';
import { useEffect, useId, useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { formatDay } from '../../../lib/format-size.ts';
import { useMe } from '../../../lib/me.ts';
import { makeOrder, methodsQuery, money } from '../queries.ts';
import { PackageCards } from './package-cards.tsx';
import { PayBox } from './pay-box.tsx';
import styles from './purchase.module.css';
import { TransferDialog } from './transfer-dialog.tsx';
import { type Coupon, COUPON_LENGTH, useCoupon } from './use-coupon.ts';
import { useNow, usePayment, usePolling } from './use-payment.ts';

/** Adding days to an instant. */
const DAY_MS = 86_400_000;

export interface PurchasePanelProps {
  packages: readonly Package[];
  /** 1 membership (and bundles), 3 education; null where no coupon is taken. */
  buy: 1 | 3 | null;
  /** Preselected, if it is among them. */
  first: number | null;
  quantity?: number;
  onPaid: (state: PaymentState) => void;
}

export function PurchasePanel({ packages, buy, first, quantity: asked = 1, onPaid }: PurchasePanelProps) {
  const methods = useQuery(methodsQuery);
  const [chosen, setChosen] = useState(() => packages.find(({ id }) => id === first)?.id ?? usual(packages));
  const [quantity, setQuantity] = useState<number | null>(asked);
  const [method, setMethod] = useState<PayMethod>(1);
  const [free, setFree] = useState<{ order: { order_no: string; state: string } } | null>(null);
  const [isOrdering, setOrdering] = useState(false);
  const [freeFault, setFreeFault] = useState<string | null>(null);
  const [transfer, setTransfer] = useState<string | null>(null);
  const offer = packages.find(({ id }) => id === chosen) ?? null;
  const now = useNow();
  const coupon = useCoupon(buy ?? 1, buy === null ? null : chosen);
  const pieces = offer?.lifetime ? 1 : readQuantity(quantity);
  const price = offer === null || pieces === null ? null : priceOf(offer, pieces, coupon.amount, new Date(now));
  const isFree = price?.total === 0;
  const body =
    offer === null || pieces === null || coupon.isLooking
      ? null
      : { subscription_id: offer.id, quantity: pieces, coupon_code: coupon.code, qr: method };
  const payment = usePayment({ body, isFree });
  usePolling(free, method, onPaid);
  const { paid } = payment;
  useEffect(() => {
    if (paid) onPaid(paid);
  }, [paid, onPaid]);

  const orderFree = async (): Promise<void> => {
    if (body === null || isOrdering) return;
    setOrdering(true);
    setFreeFault(null);
    try {
      setFree(await makeOrder(body));
    } catch (error) {
      setFreeFault(errorText(error));
    }
    setOrdering(false);
  };
  const orderTransfer = async (): Promise<void> => {
    if (body === null || isOrdering) return;
    setOrdering(true);
    try {
      setTransfer((await makeOrder({ ...body, qr: 4 })).order.order_no);
    } catch (error) {
      setFreeFault(errorText(error));
    }
    setOrdering(false);
  };
  if (offer === null) return null;
  const canTransfer = methods.data?.methods.some(({ qr }) => qr === 4) === true && !isFree;
  return (
    <div className={styles['panel']}>
      <PackageCards packages={packages} chosen={chosen} onChoose={setChosen} label="套餐" />
      {offer.discount_on && offer.discount_description ? (
        <p className={styles['quiet']}>{offer.discount_description}</p>
      ) : null}
      {offer.description ? <p className={styles['quiet']}>{offer.description}</p> : null}
      <div className={styles['fields']}>
        {offer.lifetime ? null : <Quantity value={quantity} onChange={setQuantity} />}
        <ValidTo offer={offer} pieces={pieces} now={now} />
        {buy === null ? null : <CouponField coupon={coupon} />}
      </div>
      <PayBox
        total={payment.order?.total_fee ?? price?.total ?? null}
        account={coupon.amount > 0 && price ? `${money(price.price)} − 优惠码 ${money(coupon.amount)}` : null}
        qrcode={payment.order?.qrcode ?? null}
        left={payment.left}
        isWorking={payment.isWorking || isOrdering}
        fault={isFree ? freeFault : (payment.fault?.text ?? null)}
        isFree={isFree}
        methods={methods.data?.methods ?? []}
        method={method}
        sandbox={methods.data?.sandbox === true}
        link={payment.order?.code_url ?? null}
        onMethod={setMethod}
        onRefresh={payment.refresh}
        onFree={() => void orderFree()}
      >
        <p className={styles['ways']}>
          {canTransfer ? (
            <button type="button" className="hx-link" onClick={() => void orderTransfer()}>
              对公转账
            </button>
          ) : null}
          <span className={styles['quiet']}>购买后 30 天内可开发票</span>
        </p>
      </PayBox>
      {!isFree && freeFault ? <p className={styles['fault']}>{freeFault}</p> : null}
      <p className={styles['quiet']}>
        支付即表示同意
        <a href="/agreement" target="_blank" rel="noreferrer">
          《会员服务协议》
        </a>
      </p>
      {transfer === null ? null : <TransferDialog order_no={transfer} onClose={() => setTransfer(null)} />}
    </div>
  );
}

/** The one most people take: of memberships the dearest that ends, of everything else the first. */
function usual(packages: readonly Package[]): number | null {
  if (packages[0]?.kind === 'point') return packages[0].id;
  const ending = packages.filter(({ lifetime }) => !lifetime);
  return (ending.find(({ discount_on }) => discount_on) ?? ending.at(-1) ?? packages[0])?.id ?? null;
}

function Quantity({ value, onChange }: { value: number | null; onChange: (value: number | null) => void }) {
  const id = useId();
  const now = readQuantity(value);
  const step = (by: number) => onChange(Math.min(QUANTITY_MAX, Math.max(1, (now ?? 1) + by)));
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>购买数量</label>
      <Space.Compact>
        <Button
          aria-label="减少"
          icon={<MinusOutlined aria-hidden />}
          disabled={(now ?? 1) <= 1}
          onClick={() => step(-1)}
        />
        <InputNumber
          id={id}
          className={styles['number'] ?? ''}
          controls={false}
          value={value}
          status={now === null ? 'error' : ''}
          aria-invalid={now === null}
          onChange={(next) => onChange(typeof next === 'number' ? next : null)}
        />
        <Button
          aria-label="增加"
          icon={<PlusOutlined aria-hidden />}
          disabled={(now ?? 1) >= QUANTITY_MAX}
          onClick={() => step(1)}
        />
      </Space.Compact>
      {now === null ? <span className={styles['fault']}>购买数量须为 1 到 99 的整数</span> : null}
    </div>
  );
}

/** Until when one would be a member after this purchase. */
function ValidTo({ offer, pieces, now }: { offer: Package; pieces: number | null; now: number }) {
  const me = useMe();
  if (offer.lifetime) return <p className={styles['validTo']}>长期有效</p>;
  if (offer.valid_vip_days === null || pieces === null) return null;
  const from = Math.max(now, Date.parse(me?.vip?.invalid_at ?? '') || now);
  return <p className={styles['validTo']}>有效期至 {formatDay(from + offer.valid_vip_days * pieces * DAY_MS)}</p>;
}

function CouponField({ coupon }: { coupon: Coupon }) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>优惠码</label>
      <Input
        id={id}
        className={styles['coupon'] ?? ''}
        value={coupon.text}
        maxLength={COUPON_LENGTH}
        placeholder="6 位，选填"
        autoComplete="off"
        spellCheck={false}
        status={coupon.fault ? 'error' : ''}
        suffix={coupon.amount > 0 ? <CheckCircleOutlined aria-hidden className={styles['okMark'] ?? ''} /> : <span />}
        aria-describedby={`${id}-said`}
        onChange={(event) => coupon.change(event.target.value)}
      />
      <span id={`${id}-said`} aria-live="polite" className={coupon.fault ? styles['fault'] : styles['okText']}>
        {coupon.fault ?? (coupon.amount > 0 ? `已减 ¥${money(coupon.amount)}` : coupon.isLooking ? '正在查询…' : '')}
      </span>
    </div>
  );
}
