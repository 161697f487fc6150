/** Shapes of enterprises: tenants, members, invitations, ownership, seats. Money in fen, instants ISO 8601 in UTC. */
import { SEATS_MAX } from '@hengxi/contracts/seats';
import { z } from 'zod';
import { PageQuery } from '../membership/schema.ts';
import { OrderMade, PayMethod } from '../orders/schema.ts';

const id = z.coerce.number().int().positive().max(2_147_483_647);
export const Eid = z.object({ eid: id });
export const MemberId = Eid.extend({ mid: id });
export const InviteId = Eid.extend({ id });

const name = z.string().trim().min(2, '企业名称为 2–60 个字').max(60, '企业名称为 2–60 个字');
const version = z.number().int().positive();

export const EnterpriseState = z.enum([
  'pending',
  'trial',
  'active',
  'grace',
  'readonly',
  'frozen',
  'dissolving',
  'deleted',
]);
export type EnterpriseState = z.infer<typeof EnterpriseState>;
export const Role = z.enum(['owner', 'admin', 'member']);
export type Role = z.infer<typeof Role>;
export const MemberState = z.enum(['active', 'suspended', 'left']);
export type MemberState = z.infer<typeof MemberState>;

export const Settings = z.object({
  /** Members may copy content into their personal space. */
  export_allowed: z.boolean(),
  /** Members may share reports outside. */
  shares_allowed: z.boolean(),
  /** Days after which new shares end; null: the sharer decides. */
  share_days: z.union([z.literal(7), z.literal(30), z.literal(90)]).nullable(),
});
export type Settings = z.infer<typeof Settings>;

/** `trial: true` asks for 14 days with 5 seats, once per credit code, and then wants code, contact and a fresh phone code. */
export const NewEnterprise = z.strictObject({
  name,
  trial: z.boolean().default(false),
  credit_code: z.string().trim().toUpperCase().nullish(),
  contact: z.string().trim().max(60).default(''),
});
export type NewEnterprise = z.infer<typeof NewEnterprise>;

export const EnterpriseChange = z.strictObject({
  version,
  name: name.optional(),
  contact: z.string().trim().max(60).optional(),
  settings: Settings.partial().optional(),
  /** The owner stops a dissolution. */
  keep: z.literal(true).optional(),
});
export type EnterpriseChange = z.infer<typeof EnterpriseChange>;

/** A card of the list of my enterprises. */
export const EnterpriseCard = z.object({
  id: z.number(),
  name: z.string(),
  state: EnterpriseState,
  role: Role,
  ends_at: z.string().nullable(),
  seats: z.number(),
  seats_used: z.number(),
  /** The membership of the person asking, for leaving. */
  me: z.object({ id: z.number(), version: z.number() }),
});
export type EnterpriseCard = z.infer<typeof EnterpriseCard>;
export const EnterpriseList = z.object({ total: z.number(), list: z.array(EnterpriseCard) });

export const Enterprise = EnterpriseCard.extend({
  /** For admins and the owner. */
  credit_code: z.string().nullable(),
  contact: z.string(),
  starts_at: z.string().nullable(),
  dissolves_at: z.string().nullable(),
  settings: Settings,
  version: z.number(),
  /** More members than seats: new work waits until the owner has chosen who is suspended. */
  over_seats: z.boolean(),
  /** What the person asking may do here. */
  can: z.object({ manage: z.boolean(), own: z.boolean(), write: z.boolean() }),
  transfer: z.object({ to: z.string(), ends_at: z.string() }).nullable(),
  /** A trial that was asked for and waits for the desk, or was refused; null otherwise. For admins and the owner. */
  trial: z.object({ state: z.enum(['waiting', 'refused']), reason: z.string().nullable() }).nullable(),
  /** Frozen by the desk, and why; null otherwise. */
  held: z.string().nullable(),
});
export type Enterprise = z.infer<typeof Enterprise>;

export const MemberQuery = PageQuery.extend({
  keyword: z.string().trim().max(40).default(''),
  state: MemberState.optional(),
});
export type MemberQuery = z.infer<typeof MemberQuery>;

export const Member = z.object({
  id: z.number(),
  nickname: z.string(),
  phone: z.string().nullable(),
  role: Role,
  state: MemberState,
  joined_at: z.string(),
  left_at: z.string().nullable(),
  seen_at: z.string().nullable(),
  storage_bytes: z.number(),
  limits: z.object({ storage_bytes: z.number().nullable(), analyses_day: z.number().nullable() }),
  version: z.number(),
  is_me: z.boolean(),
});
export type Member = z.infer<typeof Member>;
export const MemberList = z.object({ total: z.number(), list: z.array(Member) });

export const MemberChange = z.strictObject({
  version,
  role: z.enum(['admin', 'member']).optional(),
  state: z.enum(['active', 'suspended']).optional(),
  limits: z
    .strictObject({
      storage_bytes: z.number().int().positive().nullable(),
      analyses_day: z.number().int().min(0).nullable(),
    })
    .partial()
    .optional(),
});
export type MemberChange = z.infer<typeof MemberChange>;

/** Of the membership that is ended; the heir is a user's membership, default the owner. */
export const RemoveQuery = z.object({
  version: z.coerce.number().int().positive(),
  heir_id: id.optional(),
  end_shares: z.enum(['0', '1']).default('0'),
});
export type RemoveQuery = z.infer<typeof RemoveQuery>;

/** What goes to the heir, and what ends. */
export const Holdings = z.object({
  sessions: z.number(),
  runs: z.number(),
  drafts: z.number(),
  files: z.number(),
  projects: z.number(),
  reports: z.number(),
  shares: z.number(),
  models: z.number(),
});
export type Holdings = z.infer<typeof Holdings>;

const phone = z.string().regex(/^1\d{10}$/, '请输入正确的手机号');
/** Phones: one invitation each. Without phones: one link for `uses` people. */
export const InviteBody = z.strictObject({
  phones: z.array(phone).max(200, '一次最多邀请 200 人').default([]),
  uses: z.number().int().min(1).max(200).default(20),
  days: z.union([z.literal(1), z.literal(7), z.literal(30)]).default(7),
});
export type InviteBody = z.infer<typeof InviteBody>;

export const Invite = z.object({
  id: z.number(),
  link: z.string().nullable(),
  phone: z.string().nullable(),
  uses_left: z.number(),
  made_by: z.string(),
  created_at: z.string(),
  ends_at: z.string(),
  state: z.enum(['open', 'used', 'expired', 'withdrawn']),
});
export type Invite = z.infer<typeof Invite>;
export const InviteList = z.object({ total: z.number(), list: z.array(Invite) });

/** Of any length: a code that was cut off on its way is an invitation or transfer that does not exist, and is told as that. */
const Code = z.string().max(200).default('');
export const CodeQuery = z.object({ code: Code });
export const CodeBody = z.strictObject({ code: Code });
/** What an invitation says to whoever holds it. */
export const InviteShown = z.object({
  enterprise_id: z.number(),
  enterprise_name: z.string(),
  inviter: z.string(),
  role: Role,
  ends_at: z.string(),
});
export type InviteShown = z.infer<typeof InviteShown>;
export const Joined = z.object({ enterprise_id: z.number(), enterprise_name: z.string() });
export type JoinedEnterprise = z.infer<typeof Joined>;

/** To whom: the membership of an active member. */
export const TransferBody = z.strictObject({ member_id: z.number().int().positive() });
export const TransferMade = z.object({ link: z.string(), to: z.string(), ends_at: z.string() });
export type TransferMade = z.infer<typeof TransferMade>;
export const TransferShown = z.object({
  enterprise_id: z.number(),
  enterprise_name: z.string(),
  from: z.string(),
  to: z.string(),
  is_mine: z.boolean(),
  ends_at: z.string(),
});
export type TransferShown = z.infer<typeof TransferShown>;

export const SeatOrderBody = z.strictObject({
  plan: z.enum(['new', 'more', 'renewal']),
  seats: z.number().int().min(1, '席位数须为正整数').max(SEATS_MAX, `一次最多 ${SEATS_MAX} 个席位`),
  subscription_id: z.number().int().positive().optional(),
  qr: PayMethod.default(1),
});
export type SeatOrderBody = z.infer<typeof SeatOrderBody>;
/** What an order of seats would cost, before it is made. */
export const SeatQuote = z.object({
  plan: z.enum(['new', 'more', 'renewal']),
  seats: z.number(),
  total: z.number(),
  from_at: z.string(),
  to_at: z.string(),
  days: z.number(),
});
export type SeatQuote = z.infer<typeof SeatQuote>;
export { OrderMade as SeatOrderMade };

export const Usage = z.object({
  seats: z.number(),
  seats_used: z.number(),
  storage_bytes: z.number(),
  storage_limit: z.number(),
  analyses_today: z.number(),
  analyses_month: z.number(),
  runs_open: z.number(),
  members: z.array(
    z.object({ member_id: z.number(), nickname: z.string(), storage_bytes: z.number(), analyses_month: z.number() }),
  ),
});
export type Usage = z.infer<typeof Usage>;

export const LogQuery = PageQuery.extend({
  act: z.string().max(60).optional(),
  actor: id.optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export type LogQuery = z.infer<typeof LogQuery>;
export const LogEntry = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  role: z.string(),
  act: z.string(),
  title: z.string(),
  target: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
});
export type LogEntry = z.infer<typeof LogEntry>;
export const LogList = z.object({ total: z.number(), list: z.array(LogEntry) });

export const ShareEntry = z.object({
  code: z.string(),
  title: z.string(),
  rid: z.number(),
  sharer: z.string(),
  created_at: z.string(),
  ends_at: z.string().nullable(),
});
export type ShareEntry = z.infer<typeof ShareEntry>;
export const ShareList = z.object({ total: z.number(), list: z.array(ShareEntry) });

/** Content of a member goes to another: single things or everything, with a reason that the member is told. */
export const ReassignBody = z.strictObject({
  from_member: z.number().int().positive(),
  to_member: z.number().int().positive(),
  files: z.array(z.number().int().positive()).max(1000).optional(),
  projects: z.array(z.number().int().positive()).max(1000).optional(),
  reason: z.string().trim().min(5, '请填写不少于5个字的原因').max(200),
});
export type ReassignBody = z.infer<typeof ReassignBody>;

export const ContentQuery = PageQuery.extend({ kind: z.enum(['file', 'project']).default('file') });
export type ContentQuery = z.infer<typeof ContentQuery>;
export const ContentEntry = z.object({
  kind: z.enum(['file', 'project']),
  id: z.number(),
  name: z.string(),
  /** private: its maker only; all: every member works with it. */
  visibility: z.enum(['private', 'all']),
  maker: z.string(),
  is_mine: z.boolean(),
  updated_at: z.string(),
});
export type ContentEntry = z.infer<typeof ContentEntry>;
export const ContentList = z.object({ total: z.number(), list: z.array(ContentEntry) });

const ids = z.array(z.number().int().positive().max(2_147_483_647)).max(200);
/** Reports follow their project. */
export const ContentChange = z.strictObject({
  files: ids.default([]),
  projects: ids.default([]),
  visibility: z.enum(['private', 'all']),
});
export type ContentChange = z.infer<typeof ContentChange>;
export const ContentChanged = z.object({ changed: z.number() });
export const Reassigned = z.object({ moved: z.number() });
export const ShareCode = Eid.extend({ code: z.string().min(8).max(64) });
export const TemplateQuery = z.object({
  order_no: z
    .string()
    .regex(/^HX\d{22}$/)
    .optional(),
});

const chosen = z.array(z.number().int().positive().max(2_147_483_647)).max(50, '一次最多复制 50 项').default([]);
/** `to: enterprise` copies from the personal space, on the personal channel; `personal` from this enterprise, on its own. */
export const CopyBody = z.strictObject({
  to: z.enum(['enterprise', 'personal']),
  files: chosen,
  /** With all their reports and the data these stand on. */
  projects: chosen,
  /** Single reports, with the data they stand on. */
  reports: chosen,
});
export type CopyBody = z.infer<typeof CopyBody>;
/** Numbers of what was made. */
export const Copied = z.object({ files: z.array(z.number()), projects: z.array(z.number()), reports: z.number() });
export type Copied = z.infer<typeof Copied>;
export const CopiedRow = z.object({
  id: z.number(),
  enterprise_name: z.string(),
  to: z.enum(['enterprise', 'personal']),
  files: z.array(z.string()),
  projects: z.array(z.string()),
  reports: z.number(),
  at: z.string(),
});
export type CopiedRow = z.infer<typeof CopiedRow>;
export const CopyList = z.object({ total: z.number(), list: z.array(CopiedRow) });

export const Contract = z.object({
  id: z.number(),
  order_no: z.string(),
  /** draft: from our template; signed: the owner sent the signed copy; archived: the desk has it on file. */
  state: z.enum(['draft', 'signed', 'archived']),
  template_version: z.string(),
  signed_at: z.string().nullable(),
  archived_at: z.string().nullable(),
  created_at: z.string(),
});
export type Contract = z.infer<typeof Contract>;
export const ContractList = z.object({ total: z.number(), list: z.array(Contract) });
export const ContractId = Eid.extend({ id });
