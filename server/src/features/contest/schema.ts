/** Shapes of the contest: seasons, teams, works, judging, results, appeals, certificates. */
import { z } from 'zod';

export const PHASES = ['upcoming', 'signup', 'waiting', 'answer', 'review', 'notice', 'finished'] as const;
export const Phase = z.enum(PHASES);
export type Phase = z.infer<typeof Phase>;

export const MIB = 1024 * 1024;
/** What a team may have and send. */
export const CONTEST_LIMITS = {
  members: 3,
  perDay: 5,
  inAll: 20,
  report: { bytes: 30 * MIB, pages: 40 },
  support: { bytes: 200 * MIB, unpacked: 1024 * MIB, entries: 2000 },
  chunk: 4 * MIB,
  appeal: 1000,
} as const;

/** Frozen with the rules: five parts, four described levels each. */
export const RUBRIC = [
  {
    key: 'question',
    title: '问题理解',
    most: 15,
    levels: ['没有说清要回答的问题', '复述了题目', '把题目变成可以检验的问题', '问题、变量与假设一一对应，并说明范围'],
  },
  {
    key: 'data',
    title: '数据处理',
    most: 20,
    levels: ['没有检查数据', '做了清洗但没有交代', '缺失、异常和编码都有交代', '处理可以重做，并比较了不同处理的影响'],
  },
  {
    key: 'method',
    title: '方法与假设',
    most: 30,
    levels: ['方法与问题不符', '方法可用，没有检查前提', '方法合适，前提逐条检查', '前提不满足时换了方法，并说明理由'],
  },
  {
    key: 'result',
    title: '结果与解释',
    most: 25,
    levels: ['结论与数字不符', '只报告了是否显著', '报告效应大小和区间，解释恰当', '说明结论的限度，并检查了稳健性'],
  },
  {
    key: 'writing',
    title: '表达与可复现',
    most: 10,
    levels: ['读不懂或缺少材料', '能读懂，不能重做', '表图规范，步骤完整', '他人按材料可以得到同样的数字'],
  },
] as const;
export const COMMENT_CHARS = [30, 2000] as const;

const id = z.coerce.number().int().positive().max(2_147_483_647);
export const ContestParams = z.object({ cid: id });
export const UploadParams = z.object({ cid: id, upload: id });
export const SubmissionParams = z.object({ cid: id, no: z.coerce.number().int().positive().max(9999) });
export const WorkParams = SubmissionParams.extend({ kind: z.enum(['report', 'support']) });
export const FileParams = z.object({ cid: id, file: id });
export const AppealParams = z.object({ cid: id, appeal: id });
export const CertificateParams = z.object({ cid: id, certificate: id });
export const AssignmentParams = z.object({ assignment: id });

/** Absent: the newest season. */
export const ContestQuery = z.object({ cid: id.optional() });

export const PRIZE_KINDS = { credits: '积分', vip_days: '会员天数', none: '仅证书' } as const;
export const Prize = z.strictObject({
  award: z.string().trim().min(1).max(20),
  places: z.number().int().min(1).max(10_000),
  kind: z.enum(['credits', 'vip_days', 'none']),
  value: z.number().int().min(0).max(100_000),
});
export type Prize = z.infer<typeof Prize>;

export const Member = z.object({
  /** Within the contest; of no use elsewhere. */
  id: z.number(),
  name: z.string(),
  school: z.string(),
  is_captain: z.boolean(),
  is_me: z.boolean(),
});
export const Team = z.object({
  id: z.number(),
  number: z.string(),
  name: z.string(),
  code: z.string(),
  tutor: z.string().nullable(),
  tutor_school: z.string().nullable(),
  is_captain: z.boolean(),
  members: z.array(Member),
});
export type Team = z.infer<typeof Team>;

export const Contest = z.object({
  id: z.number(),
  code: z.string(),
  title: z.string(),
  summary: z.string(),
  rules: z.string(),
  rules_version: z.number(),
  phase: Phase,
  server_now: z.string(),
  phases: z.object({
    signup_from: z.string(),
    signup_to: z.string(),
    answer_from: z.string(),
    answer_to: z.string(),
    results_at: z.string(),
    published_at: z.string().nullable(),
    appeals_to: z.string().nullable(),
    settled_at: z.string().nullable(),
  }),
  prizes: z.array(Prize),
  notices: z.array(z.object({ kind: z.enum(['correction', 'answer', 'postponed']), text: z.string(), at: z.string() })),
  /** null: a visitor, or not registered. */
  me: z.object({ name: z.string(), school: z.string(), is_judge: z.boolean() }).nullable(),
  team: Team.nullable(),
});
export type Contest = z.infer<typeof Contest>;
/** null: no season has been opened yet. */
export const CurrentContest = z.object({ contest: Contest.nullable(), server_now: z.string(), is_judge: z.boolean() });
export type CurrentContest = z.infer<typeof CurrentContest>;

const person = (label: string) => z.string().trim().min(2, `请填写${label}`).max(40, `${label}最多 40 个字`);
export const RegisterBody = z.strictObject({
  real_name: person('姓名'),
  school: person('学校或单位'),
  consent: z.literal(true, '请先阅读并同意参赛规则'),
  /** utm_source of the visit; one that is too long is nobody's campaign. */
  source: z.string().max(100).nullish().catch(null),
});
export type RegisterBody = z.infer<typeof RegisterBody>;

const optional = (label: string) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), person(label).optional());
export const TeamBody = z.strictObject({
  name: z.string().trim().min(2, '队名至少 2 个字').max(20, '队名最多 20 个字'),
  tutor: optional('指导教师姓名'),
  tutor_school: optional('指导教师单位'),
});
export type TeamBody = z.infer<typeof TeamBody>;
export const JoinBody = z.strictObject({ code: z.string().trim().toUpperCase().max(20) });
export const CaptainBody = z.strictObject({ member: z.number().int().positive() });
export const nothing = z.strictObject({});

export const UploadBody = z.strictObject({
  kind: z.enum(['report', 'support']),
  name: z.string().trim().min(1).max(120),
  size: z
    .number()
    .int()
    .min(1)
    .max(1024 * MIB),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type UploadBody = z.infer<typeof UploadBody>;
export const UploadQuery = z.object({ offset: z.coerce.number().int().min(0) });
export const WorkUpload = z.object({
  id: z.number(),
  kind: z.enum(['report', 'support']),
  name: z.string(),
  size: z.number(),
  offset: z.number(),
  chunk: z.number(),
  sha256: z.string(),
  state: z.enum(['open', 'complete', 'refused']),
  reason: z.string().nullable(),
  pages: z.number().nullable(),
});
export type WorkUpload = z.infer<typeof WorkUpload>;

/** Uploads begun before, or files named here and sent afterwards: then this call alone is what must be in time. */
export const SubmitBody = z
  .strictObject({
    upload_ids: z.array(z.number().int().positive()).min(1).max(2).optional(),
    files: z.array(UploadBody).min(1).max(2).optional(),
    request_id: z.string().regex(/^[\w-]{8,64}$/),
  })
  .refine(({ upload_ids: ids, files }) => (ids === undefined) !== (files === undefined), '请说明提交的文件');
export type SubmitBody = z.infer<typeof SubmitBody>;
export const Submission = z.object({
  no: z.number(),
  receipt: z.string(),
  state: z.enum(['waiting', 'submitted', 'refused', 'withdrawn']),
  reason: z.string().nullable(),
  arrived_at: z.string(),
  completed_at: z.string().nullable(),
  in_grace: z.boolean(),
  /** The one that is judged, as things stand. */
  counts: z.boolean(),
  files: z.array(WorkUpload),
});
export type Submission = z.infer<typeof Submission>;
export const Submissions = z.object({
  list: z.array(Submission),
  left_today: z.number(),
  left_in_all: z.number(),
  server_now: z.string(),
});
export type Submissions = z.infer<typeof Submissions>;

export const Problems = z.object({
  problems: z.string(),
  files: z.array(z.object({ id: z.number(), name: z.string(), size: z.number(), sha256: z.string() })),
});
export type Problems = z.infer<typeof Problems>;
export const ContestFile = z.object({ name: z.string(), text: z.string(), sha256: z.string() });
export type ContestFile = z.infer<typeof ContestFile>;

export const PARTS = ['question', 'data', 'method', 'result', 'writing'] as const;
const part = (most: number) => z.number().int().min(0).max(most);
export const Parts = z.strictObject({
  question: part(15),
  data: part(20),
  method: part(30),
  result: part(25),
  writing: part(10),
});
export type Parts = z.infer<typeof Parts>;
export const ReviewBody = z.strictObject({
  parts: Parts,
  comment: z.string().trim().max(COMMENT_CHARS[1], `评语最多 ${COMMENT_CHARS[1]} 个字`),
  lock: z.boolean(),
});
export type ReviewBody = z.infer<typeof ReviewBody>;
export const ConflictBody = z.strictObject({ reason: z.string().trim().min(2, '请说明回避原因').max(200) });
export const Assignment = z.object({
  id: z.number(),
  /** A-0137 */
  paper: z.string(),
  is_calibration: z.boolean(),
  /** Not before the calibration papers are locked. */
  is_open: z.boolean(),
  pages: z.number().nullable(),
  parts: Parts.nullable(),
  comment: z.string(),
  total: z.number().nullable(),
  locked_at: z.string().nullable(),
});
export type Assignment = z.infer<typeof Assignment>;
export const Assignments = z.object({
  contest: z.string(),
  /** Scores can be given until the results are published. */
  is_open: z.boolean(),
  list: z.array(Assignment),
});
export type Assignments = z.infer<typeof Assignments>;

export const PublicResults = z.object({
  published_at: z.string().nullable(),
  results_at: z.string(),
  method: z.enum(['model', 'mean']).nullable(),
  papers: z.number(),
  list: z.array(z.object({ rank: z.number(), team: z.string(), award: z.string(), corrected: z.boolean() })),
});
export type PublicResults = z.infer<typeof PublicResults>;

export const Sheet = z.object({
  receipt: z.string(),
  rank: z.number(),
  papers: z.number(),
  award: z.string().nullable(),
  corrected: z.boolean(),
  disqualified: z.boolean(),
  raw: z.number(),
  adjusted: z.number(),
  se: z.number().nullable(),
  method: z.enum(['model', 'mean']),
  reviews: z.array(
    z.object({ parts: Parts, total: z.number(), judge_effect: z.number().nullable(), comment: z.string() }),
  ),
});
export type Sheet = z.infer<typeof Sheet>;

export const APPEAL_KINDS = { score: '计分', qualification: '资格', similarity: '相似度' } as const;
export const APPEAL_STATES = {
  open: '等待答复',
  upheld: '申诉成立',
  rejected: '维持原结果',
  withdrawn: '已撤回',
} as const;
export type AppealState = keyof typeof APPEAL_STATES;
export const AppealBody = z.strictObject({
  kind: z.enum(['score', 'qualification', 'similarity']),
  text: z.string().trim().min(10, '申诉理由至少 10 个字').max(CONTEST_LIMITS.appeal, '申诉理由最多 1000 个字'),
});
export type AppealBody = z.infer<typeof AppealBody>;
export const Appeal = z.object({
  id: z.number(),
  kind: z.enum(['score', 'qualification', 'similarity']),
  text: z.string(),
  state: z.enum(['open', 'upheld', 'rejected', 'withdrawn']),
  answer: z.string().nullable(),
  created_at: z.string(),
  decided_at: z.string().nullable(),
});
export type Appeal = z.infer<typeof Appeal>;

export const CERTIFICATE_STATES = { valid: '有效', revoked: '已撤销', replaced: '已换发' } as const;
export const OwnCertificate = z.object({
  id: z.number(),
  code: z.string(),
  award: z.string(),
  state: z.enum(['valid', 'revoked', 'replaced']),
  issued_at: z.string(),
});
/** All that is one's own once results are out. */
export const OwnResults = z.object({
  sheet: Sheet.nullable(),
  appeals: z.array(Appeal),
  certificates: z.array(OwnCertificate),
  prize: z.object({ award: z.string(), kind: z.enum(['credits', 'vip_days']), value: z.number() }).nullable(),
});
export type OwnResults = z.infer<typeof OwnResults>;

export const VerifyQuery = z.object({
  code: z.string().max(40),
  /** Of a PDF that somebody was handed. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export const Verified = z.object({
  code: z.string(),
  contest: z.string(),
  holder: z.string(),
  team: z.string(),
  award: z.string(),
  state: z.enum(['valid', 'revoked', 'replaced']),
  issued_at: z.string(),
  /** null: no file was given to compare. */
  file_matches: z.boolean().nullable(),
});
export type Verified = z.infer<typeof Verified>;
