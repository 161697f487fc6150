/** Shapes of orders, payment, coupons, refunds, invoices and bank transfers. Money is in fen, instants ISO 8601 in UTC. */
import { z } from 'zod';
import { PackageKind, PageQuery, Vip } from '../membership/schema.ts';

const orderNo = z.string().regex(/^HX\d{22}$/, '订单号无效');
export const OrderNo = z.object({ order_no: orderNo });

/** 1 either app, 2 WeChat, 3 Alipay, 4 bank transfer. */
export const PayMethod = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
export type PayMethod = z.infer<typeof PayMethod>;

export const PaymentMethods = z.object({
  /** Only what is enabled. */
  methods: z.array(z.object({ qr: PayMethod, title: z.string() })),
  /** The sandbox cashier takes the money: none is real. */
  sandbox: z.boolean(),
});
export type PaymentMethods = z.infer<typeof PaymentMethods>;

export const CouponQuery = z.object({
  code: z.string().trim().toUpperCase().max(20),
  /** The buy type of the dialog: 1 membership, 3 education. */
  coupon_type: z.coerce
    .number()
    .int()
    .pipe(z.union([z.literal(1), z.literal(3)])),
  subscription_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
});
export type CouponQuery = z.infer<typeof CouponQuery>;
export const CouponAmount = z.object({ amount: z.number() });
export type CouponAmount = z.infer<typeof CouponAmount>;

export const OrderBody = z.strictObject({
  subscription_id: z.number().int().positive().max(2_147_483_647),
  /** Kept loose on purpose: what is no quantity is answered with 30208 and its field. */
  quantity: z.unknown().default(1),
  coupon_code: z.string().trim().toUpperCase().max(20).nullish(),
  qr: PayMethod.default(1),
});
export type OrderBody = z.infer<typeof OrderBody>;

/** What can be paid now. */
export const Qr = z.object({
  /** A picture as data URL; null when nothing is to be scanned (total 0, bank transfer). */
  qrcode: z.string().nullable(),
  /** The text of the picture. */
  code_url: z.string().nullable(),
  /** Seconds until the picture expires. */
  timeout: z.number(),
});
export type Qr = z.infer<typeof Qr>;

export const OrderMade = Qr.extend({
  price: z.number(),
  coupon: z.number(),
  total_fee: z.number(),
  /** paid at once when the total is 0. */
  order: z.object({ order_no: z.string(), state: z.enum(['created', 'paid']) }),
});
export type OrderMade = z.infer<typeof OrderMade>;

export const QrBody = z.strictObject({ order_no: orderNo, qr: PayMethod });
export const Qr2Body = z.strictObject({ order_no: orderNo });

export const OrderState = z.enum(['created', 'paid', 'closed', 'refunded']);
export type OrderState = z.infer<typeof OrderState>;
/** 1 days, 2 lifetime, 3 points, 4 both. */
export const CalculateType = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);

export const StateQuery = z.object({ order_no: orderNo, qr: z.coerce.number().int().min(1).max(4).optional() });
export const PaymentState = z.object({
  state: OrderState,
  subscription: z.object({ id: z.number(), title: z.string(), calculate_type: CalculateType }),
  /** What the person has now; null until paid. */
  paid: z
    .object({
      vip: Vip,
      user_ai_point: z.number(),
      /** Picture of the members' group of this plan. */
      group_qr: z.string().nullable(),
    })
    .nullable(),
});
export type PaymentState = z.infer<typeof PaymentState>;

export const RefundState = z.enum(['asked', 'refused', 'agreed', 'refunding', 'refunded', 'failed']);
export type RefundState = z.infer<typeof RefundState>;
export const Refund = z.object({
  state: RefundState,
  amount: z.number(),
  reason: z.string(),
  answer: z.string().nullable(),
  at: z.string(),
});
export type Refund = z.infer<typeof Refund>;

export const InvoiceState = z.enum(['pending', 'issued', 'refused', 'voided']);
export type InvoiceState = z.infer<typeof InvoiceState>;
export const TransferState = z.enum(['waiting', 'proof', 'checking', 'confirmed', 'returned', 'closed']);
export type TransferState = z.infer<typeof TransferState>;

export const Order = z.object({
  order_no: z.string(),
  kind: PackageKind,
  subscription: z.object({ id: z.number(), title: z.string(), calculate_type: CalculateType }),
  quantity: z.number(),
  price: z.number(),
  coupon: z.number(),
  total_fee: z.number(),
  refunded: z.number(),
  method: PayMethod,
  state: OrderState,
  close_reason: z.enum(['timeout', 'superseded', 'user']).nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  paid_at: z.string().nullable(),
  refund: Refund.nullable(),
  invoice: z.object({ id: z.number(), state: InvoiceState }).nullable(),
  transfer: TransferState.nullable(),
  /** What may be done now. */
  can: z.object({ pay: z.boolean(), close: z.boolean(), invoice: z.boolean(), refund: z.boolean() }),
});
export type Order = z.infer<typeof Order>;
export const OrderList = z.object({ total: z.number(), list: z.array(Order) });
export type OrderList = z.infer<typeof OrderList>;
export const OrderQuery = PageQuery.extend({ state: OrderState.optional() });
export type OrderQuery = z.infer<typeof OrderQuery>;

export const OrderChange = z.strictObject({ order_no: orderNo, state: z.literal('closed') });

export const RefundBody = z.strictObject({ reason: z.string().trim().min(2, '请填写退款原因').max(200) });
/** What the rules offer; `amount` null: the desk decides. */
export const RefundOffer = z.object({ amount: z.number().nullable(), note: z.string() });
export type RefundOffer = z.infer<typeof RefundOffer>;

export const Transfer = z.object({
  order_no: z.string(),
  bank: z.string(),
  bank_account: z.string(),
  company_name: z.string(),
  amount: z.number(),
  /** To be written on the transfer. */
  remark: z.string(),
  state: TransferState,
  payer: z.string().nullable(),
  has_proof: z.boolean(),
  reason: z.string().nullable(),
  expires_at: z.string(),
});
export type Transfer = z.infer<typeof Transfer>;
/** Who paid, as it stands on the proof; the proof itself is the body (octet-stream, at most 10 MB). */
export const ProofQuery = z.object({ payer: z.string().trim().min(2, '请填写付款方名称').max(80) });

const invoiceFields = {
  title: z.string().trim().min(2, '请填写发票抬头').max(80),
  kind: z.enum(['person', 'company']),
  tax_no: z.string().trim().toUpperCase().nullish(),
  email: z
    .string()
    .trim()
    .max(120)
    .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, '请输入正确的邮箱'),
};
const TAX_NO = /^(?:[0-9A-Z]{15}|[0-9A-Z]{17}|[0-9A-Z]{18}|[0-9A-Z]{20})$/;
const hasTaxNo = (body: { kind: string; tax_no?: string | null | undefined }): boolean =>
  body.kind === 'person' || TAX_NO.test(body.tax_no ?? '');
const TAX_TEXT = { message: '税号为 15、17、18 或 20 位数字或大写字母', path: ['tax_no'] };
export const InvoiceBody = z.strictObject({ order_no: orderNo, ...invoiceFields }).refine(hasTaxNo, TAX_TEXT);
export type InvoiceBody = z.infer<typeof InvoiceBody>;
export const InvoiceChange = z.strictObject(invoiceFields).refine(hasTaxNo, TAX_TEXT);
export type InvoiceChange = z.infer<typeof InvoiceChange>;
export const InvoiceId = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });

export const Invoice = z.object({
  id: z.number(),
  order_no: z.string(),
  kind: z.enum(['person', 'company']),
  title: z.string(),
  tax_no: z.string().nullable(),
  email: z.string(),
  amount: z.number(),
  state: InvoiceState,
  number: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: z.string(),
  issued_at: z.string().nullable(),
  /** `POST /v1/downloads {kind: "invoice", id}` gives its address. */
  has_file: z.boolean(),
  /** The file is the sandbox's picture of an invoice and none. */
  is_sample: z.boolean(),
});
export type Invoice = z.infer<typeof Invoice>;
export const InvoiceList = z.object({ total: z.number(), list: z.array(Invoice) });
export type InvoiceList = z.infer<typeof InvoiceList>;
