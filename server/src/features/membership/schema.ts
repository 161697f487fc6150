/** Shapes of packages, membership, editions and education checks. Money is in fen, instants are ISO 8601 in UTC. */
import { z } from 'zod';

export const PageQuery = z.object({
  page: z.coerce.number().int().min(0).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
});
export type PageQuery = z.infer<typeof PageQuery>;

export const PACKAGE_KINDS = ['vip', 'edu', 'combo', 'point', 'seat'] as const;
export const PackageKind = z.enum(PACKAGE_KINDS);
export type PackageKind = z.infer<typeof PackageKind>;

/** What the price function of contracts reads, and what the package gives. */
export const Package = z.object({
  id: z.number(),
  kind: PackageKind,
  title: z.string(),
  description: z.string(),
  fee: z.number(),
  discount: z.number(),
  discount_enabled: z.boolean(),
  /** Percent that is paid. */
  discount_rate: z.number(),
  discount_description: z.string(),
  discount_from: z.string().nullable(),
  discount_to: z.string().nullable(),
  /** Whether the discount runs now. */
  discount_on: z.boolean(),
  /** What one piece costs now. */
  price: z.number(),
  valid_vip_days: z.number().nullable(),
  lifetime: z.boolean(),
  points: z.number().nullable(),
  per_user_limit: z.number().nullable(),
});
export type Package = z.infer<typeof Package>;
export const PackageList = z.object({ total: z.number(), list: z.array(Package) });
export type PackageList = z.infer<typeof PackageList>;
/** The purchase dialog asks with page 0 and 99 pieces. */
export const PackageQuery = z.object({
  page: z.coerce.number().int().min(0).max(10_000).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(99),
});

export const ComboCheck = z.object({ available: z.boolean(), reason: z.string().nullable() });
export type ComboCheck = z.infer<typeof ComboCheck>;

export const EDITIONS = ['standard', 'member', 'enterprise'] as const;
export const Edition = z.enum(EDITIONS);
export type Edition = z.infer<typeof Edition>;

/** Limits of one edition; null is "no limit". */
export const Limits = z.object({
  edition: Edition,
  upload_bytes: z.number(),
  storage_bytes: z.number().nullable(),
  files: z.number().nullable(),
  rows: z.number().nullable(),
  analyses_day: z.number().nullable(),
  scripts_day: z.number().nullable(),
  member_methods: z.boolean(),
  own_scripts: z.boolean(),
  questionnaires: z.boolean(),
  advanced_charts: z.boolean(),
  flow_models: z.boolean(),
  dashboards: z.boolean(),
});
export type Limits = z.infer<typeof Limits>;

/** `data` of error 20002: what the limit is, what was asked, and what lifts it. */
export const LimitData = z.object({
  limit: z.enum(['method', 'rows', 'analyses_day', 'scripts_day', 'upload_bytes', 'storage_bytes', 'files', 'feature']),
  max: z.number().nullable(),
  asked: z.number().nullable(),
  lifts: z.enum(['member', 'enterprise']),
});
export type LimitData = z.infer<typeof LimitData>;

/** The wire form of membership: `invalid_at` of a lifetime is 2099-12-31T15:59:59Z, shown as 长期有效. */
export const Vip = z.object({ invalid_at: z.string().nullable(), lifetime: z.boolean() });
export type Vip = z.infer<typeof Vip>;

/** The membership page in one answer. */
export const Membership = z.object({
  edition: Edition,
  vip: Vip,
  limits: Limits,
  /** Counted analyses of today; `limit` null is without one. */
  usage: z.object({ used: z.number(), limit: z.number().nullable(), resets_at: z.string() }),
});
export type Membership = z.infer<typeof Membership>;

export const GRANT_SOURCES = ['order', 'campaign', 'invite', 'mall', 'lucky', 'ops'] as const;
export const GrantSource = z.enum(GRANT_SOURCES);
export type GrantSource = z.infer<typeof GrantSource>;

export const Grant = z.object({
  id: z.number(),
  source: GrantSource,
  days: z.number().nullable(),
  lifetime: z.boolean(),
  /** null: waits behind a lifetime membership. */
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  created_at: z.string(),
});
export type Grant = z.infer<typeof Grant>;
export const GrantList = z.object({ total: z.number(), list: z.array(Grant) });

/** email: a code to a school address. chsi: number of an online report of 学信网. document: picture of a card. */
export const EDU_KINDS = ['email', 'chsi', 'document'] as const;
export const EduKind = z.enum(EDU_KINDS);
export type EduKind = z.infer<typeof EduKind>;
/** 0 pending, 1 verified, 2 failed, null not verified (also after the end of a verification). */
export const EduStatus = z.union([z.literal(0), z.literal(1), z.literal(2)]).nullable();
export type EduStatus = z.infer<typeof EduStatus>;

export const EduAuth = z.object({
  status: EduStatus,
  kind: EduKind.nullable(),
  name: z.string().nullable(),
  school: z.string().nullable(),
  role: z.enum(['student', 'teacher']).nullable(),
  email: z.string().nullable(),
  chsi_code: z.string().nullable(),
  has_proof: z.boolean(),
  reason: z.string().nullable(),
  valid_to: z.string().nullable(),
  submitted_at: z.string().nullable(),
  /** Ways that are offered now. */
  ways: z.array(EduKind),
  /** Working days a check takes at most, as a promise in words. */
  review_days: z.number(),
});
export type EduAuth = z.infer<typeof EduAuth>;

const mail = z
  .string()
  .trim()
  .toLowerCase()
  .max(120)
  .regex(/^[^\s@]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/, '请输入正确的邮箱');

export const EduBody = z
  .strictObject({
    kind: EduKind,
    name: z.string().trim().min(1, '请填写姓名').max(30),
    school: z.string().trim().min(2, '请填写学校全称').max(60),
    role: z.enum(['student', 'teacher']),
    email: mail.optional(),
    /** From POST /v1/user/edu-auth/code and the message it sent. */
    verify_key: z.string().max(64).optional(),
    verify_code: z.string().max(16).optional(),
    /** 16 letters and digits of the report's number. */
    chsi_code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{12,20}$/, '在线验证码为 12–20 位字母或数字')
      .optional(),
    /** From POST /v1/user/edu-auth/proof. */
    proof: z.number().int().positive().optional(),
  })
  .refine(
    (body) => body.kind !== 'email' || (body.email && body.verify_key && body.verify_code),
    '请填写学校邮箱和验证码',
  )
  .refine((body) => body.kind !== 'chsi' || body.chsi_code, '请填写学信网在线验证码')
  .refine((body) => body.kind !== 'document' || body.proof, '请上传学生证或教师证照片');
export type EduBody = z.infer<typeof EduBody>;

export const EduCodeBody = z.strictObject({ email: mail });
export const EduCode = z.object({ verify_key: z.string() });
export type EduCode = z.infer<typeof EduCode>;
/** Of a paper that was uploaded (octet-stream, at most 10 MB; pictures are re-encoded). */
export const ProofMade = z.object({ proof: z.number(), size: z.number(), type: z.string() });
export type ProofMade = z.infer<typeof ProofMade>;
