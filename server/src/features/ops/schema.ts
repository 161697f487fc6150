/** Shapes of the operator's desk. Lists and acts describe themselves: one screen draws them all. */
import { z } from 'zod';

export const ROLES = ['客服', '财务', '内容', '运维', '审计'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export const LISTS = [
  'users',
  'user_files',
  'user_sessions',
  'orders',
  'payments',
  'anomalies',
  'refunds',
  'transfers',
  'invoices',
  'bills',
  'bill_days',
  'settings',
  'packages',
  'coupons',
  'edu',
  'feedback',
  'cooperation',
  'help_feedback',
  'nps',
  'nps_answers',
  'contests',
  'contest_works',
  'contest_judges',
  'contest_appeals',
  'contest_certificates',
  'banners',
  'broadcasts',
  'shares',
  'year_reports',
  'quests',
  'quest_records',
  'appeals',
  'mall_items',
  'mall_orders',
  'credits',
  'credit_entries',
  'credit_ages',
  'books',
  'limits',
  'enterprises',
  'contracts',
  'tenancy',
  'health',
  'jobs',
  'outbox',
  'requests',
  'log',
] as const;
export const ListName = z.enum(LISTS);
export type ListName = z.infer<typeof ListName>;

/** How a cell is shown: money in fen, instants as ISO text, a customer's number as the way to the customer's page. */
export const ColumnKind = z.enum(['text', 'fen', 'number', 'instant', 'state', 'flag', 'customer']);
export const Column = z.object({ key: z.string(), title: z.string(), kind: ColumnKind });
export type Column = z.infer<typeof Column>;

export const Choice = z.object({ value: z.union([z.string(), z.number()]), label: z.string() });
export type Choice = z.infer<typeof Choice>;

/** A narrowing of a list; stands in the address under its key. */
export const Filter = z.object({
  key: z.string(),
  label: z.string(),
  choices: z.array(Choice).nullable(),
  /** Whether the list shows all of them together; else the first choice stands at the beginning. */
  all: z.boolean(),
});
export type Filter = z.infer<typeof Filter>;

/** A field of an act. `yuan` is typed in yuan and sent as fen. */
export const FieldKind = z.enum(['text', 'lines', 'number', 'yuan', 'instant', 'choice', 'switch', 'pdf']);
export const Field = z.object({
  key: z.string(),
  label: z.string(),
  kind: FieldKind,
  choices: z.array(Choice).nullable(),
  /** May stay empty; then null is sent. */
  optional: z.boolean(),
  hint: z.string().nullable(),
});
export type Field = z.infer<typeof Field>;

export const ActShown = z.object({
  act: z.string(),
  title: z.string(),
  fields: z.array(Field),
  /** Cannot be undone: the box repeats the name of the target. */
  danger: z.boolean(),
  /** Wants a reason of five characters. */
  reason: z.boolean(),
});
export type ActShown = z.infer<typeof ActShown>;

export const ListShown = z.object({ list: ListName, title: z.string(), group: z.string() });

/** Who is at the desk. `entered` null: the code has not been given yet; only phone and roles are told then. */
export const OpsMe = z.object({
  nickname: z.string(),
  phone: z.string().nullable(),
  roles: z.array(Role),
  entered: z.object({ ends_at: z.string(), idle_minutes: z.number() }).nullable(),
  /** One operator may approve the own request. */
  single_operator: z.boolean(),
  /** That in production: said on every page. */
  single_warning: z.boolean(),
  lists: z.array(ListShown),
});
export type OpsMe = z.infer<typeof OpsMe>;

export const EnterBody = z.strictObject({ verify_key: z.string().max(64), verify_code: z.string().trim().max(16) });
export const CodeSent = z.object({ verify_key: z.string() });

export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Cell = z.infer<typeof Cell>;
export const OpsRow = z.object({
  /** Target of acts. */
  id: z.string(),
  /** To be repeated where an act cannot be undone. */
  name: z.string(),
  version: z.number().nullable(),
  cells: z.record(z.string(), Cell),
  /** Acts that fit its state and the operator's roles. */
  acts: z.array(z.string()),
  /** What the forms of its acts begin with. */
  values: z.record(z.string(), Cell),
  /** A paper that goes with it; GET /v1/ops/proofs/{list}/{id}. */
  has_proof: z.boolean(),
  /** Before and after, for requests and the log. */
  detail: z.unknown(),
});
export type OpsRow = z.infer<typeof OpsRow>;

export const OpsList = z.object({
  title: z.string(),
  columns: z.array(Column),
  filters: z.array(Filter),
  total: z.number(),
  list: z.array(OpsRow),
  /** Every act that a row names, and those that make something new. */
  acts: z.array(ActShown),
  makes: z.array(z.string()),
  /** Said instead of rows when nothing was asked for yet. */
  hint: z.string().nullable(),
});
export type OpsList = z.infer<typeof OpsList>;

export const CustomerParams = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });
/** All of one customer on a page: those lists that the operator may see, each with its first rows. */
export const Customer = z.object({
  id: z.number(),
  name: z.string(),
  lists: z.array(OpsList.extend({ name: ListName, query: z.record(z.string(), z.string()) })),
});
export type Customer = z.infer<typeof Customer>;

/** Unknown keys are other people's additions to an address; the known ones are text. */
export const ListQuery = z.object({
  page: z.coerce.number().int().min(0).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
  state: z.string().max(40).optional(),
  /** Phone, nickname, number or order. */
  who: z.string().trim().max(60).optional(),
  id: z.string().trim().max(40).optional(),
  phone: z.string().trim().max(20).optional(),
  order_no: z.string().trim().max(40).optional(),
  user_id: z.string().trim().max(12).optional(),
  act: z.string().trim().max(60).optional(),
  actor: z.string().trim().max(12).optional(),
  /** Of a share, or the whole link. */
  code: z.string().trim().max(200).optional(),
  kind: z.string().trim().max(40).optional(),
  target: z.string().trim().max(60).optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;
export const ListParams = z.object({ list: ListName });

export const ActBody = z.strictObject({
  act: z.string().max(60),
  /** Empty for an act that makes something. */
  target: z.string().max(60).default(''),
  version: z.number().int().nullable().default(null),
  payload: z.record(z.string(), z.unknown()).default({}),
  reason: z.string().max(200).default(''),
});
export type ActBody = z.infer<typeof ActBody>;
export const ActDone = z.object({
  state: z.enum(['done', 'waiting']),
  /** Of the request that another operator has to approve. */
  request_id: z.number().nullable(),
  msg: z.string(),
});
export type ActDone = z.infer<typeof ActDone>;

export const RequestState = z.enum(['waiting', 'done', 'refused', 'expired', 'moved']);
export type RequestState = z.infer<typeof RequestState>;
export const RequestParams = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });
export const RefuseBody = z.strictObject({ reason: z.string().max(200).default('') });

export const ExportBody = z.strictObject({
  list: ListName,
  filters: z.record(z.string(), z.string().max(60)).default({}),
  columns: z.array(z.string().max(40)).max(40).nullish(),
  reason: z.string().max(200).default(''),
});
export type ExportBody = z.infer<typeof ExportBody>;
export const Exported = z.object({ id: z.number(), name: z.string(), rows: z.number(), ends_at: z.string() });
export type Exported = z.infer<typeof Exported>;
export const ExportedFile = z.object({ name: z.string(), text: z.string() });

export const ProofParams = z.object({
  list: z.enum(['edu', 'transfers', 'contracts', 'feedback']),
  id: z.coerce.number().int().positive().max(2_147_483_647),
});
/** base64; pictures were drawn anew when they came in, pdf files are only to be saved. */
export const Proof = z.object({ mime: z.string(), base64: z.string() });
export type Proof = z.infer<typeof Proof>;
