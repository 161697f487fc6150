/** Shapes of the expert questionnaires: what is asked, the rounds, the experts and their answers. */
import { z } from 'zod';

export const Kind = z.enum(['delphi', 'ahp']);
export type Kind = z.infer<typeof Kind>;
export const ProjectState = z.enum(['draft', 'collecting', 'between', 'finished']);
export type ProjectState = z.infer<typeof ProjectState>;

export const LIMITS = {
  items: 200,
  children: 15,
  nodes: 50,
  experts: 500,
  rounds: 10,
  comment: 1000,
  /** Projects of one owner that are not in the bin. */
  projects: 100,
  /** A Delphi of the standard edition: running at once, experts. */
  freeRunning: 1,
  freeExperts: 15,
} as const;

const Key = z.string().regex(/^[a-z0-9]{1,12}$/u, '编号只能用小写字母和数字');
const Name = z.string().trim().max(100, '名称最多 100 个字');
const Prose = z.string().trim().max(5000, '最多 5,000 字');

export const Item = z.strictObject({
  id: Key,
  dimension: Name.default(''),
  text: z.string().trim().max(200, '一个指标最多 200 个字'),
  note: z.string().trim().max(500, '说明最多 500 个字').default(''),
});
export type Item = z.infer<typeof Item>;

export interface TreeNode {
  id: string;
  name: string;
  children: TreeNode[];
}
export const TreeNode: z.ZodType<TreeNode, TreeNode> = z.strictObject({
  id: Key,
  name: Name,
  get children() {
    return z.array(TreeNode).max(LIMITS.children, `一个上级最多 ${LIMITS.children} 个下级`);
  },
});

/** How much a basis moved a judgement, and what that counts towards Ca. */
export const Basis = z.strictObject({
  id: Key,
  name: z.string().trim().min(1, '请输入判断依据').max(30, '判断依据最多 30 个字'),
  large: z.number().min(0).max(1),
  medium: z.number().min(0).max(1),
  small: z.number().min(0).max(1),
});
export type Basis = z.infer<typeof Basis>;
const Familiarity = z.strictObject({
  name: z.string().trim().min(1, '请输入熟悉程度').max(30, '熟悉程度最多 30 个字'),
  value: z.number().min(0).max(1),
});

/** The tables usual in Chinese studies: the largest Ca is 1. */
export const BASES: readonly Basis[] = [
  { id: 'practice', name: '实践经验', large: 0.5, medium: 0.4, small: 0.3 },
  { id: 'theory', name: '理论分析', large: 0.3, medium: 0.2, small: 0.1 },
  { id: 'literature', name: '国内外文献', large: 0.1, medium: 0.1, small: 0.1 },
  { id: 'intuition', name: '直觉', large: 0.1, medium: 0.1, small: 0.1 },
];
export const FAMILIARITY: readonly z.infer<typeof Familiarity>[] = [
  { name: '很熟悉', value: 1 },
  { name: '熟悉', value: 0.8 },
  { name: '一般', value: 0.6 },
  { name: '不太熟悉', value: 0.4 },
  { name: '不熟悉', value: 0.2 },
];

/** What an expert may be asked about themselves, for the table of who took part. */
export const ABOUT = ['degree', 'rank', 'years', 'field'] as const;
export type About = (typeof ABOUT)[number];
export const ABOUT_OPTIONS: Readonly<Partial<Record<About, readonly string[]>>> = {
  degree: ['博士', '硕士', '本科', '大专及以下'],
  rank: ['正高级', '副高级', '中级', '初级', '其他'],
};
export const MOST_YEARS = 80;

export const RULES = ['mean_cv', 'boundary_value', 'percent_agreement', 'rand_ucla', 'iqr'] as const;

/** How a Delphi decides; frozen with the first round. */
export const Protocol = z.strictObject({
  /** What an item is rated for. */
  asks: z.enum(['importance', 'feasibility', 'agreement']).default('importance'),
  scale_max: z.number().int().min(3, '量表至少 3 级').max(10, '量表最多 10 级').default(5),
  rule: z.enum(RULES).default('mean_cv'),
  mean_min: z.number().min(0).max(100).default(3.5),
  cv_max: z.number().min(0).max(5).default(0.25),
  agree_from: z.number().min(0).max(100).default(4),
  agree_percent: z.number().min(0).max(1).default(0.75),
  iqr_max: z.number().min(0).max(100).default(1),
  max_rounds: z.number().int().min(1).max(LIMITS.rounds).default(3),
  min_experts: z.number().int().min(1).max(LIMITS.experts).default(7),
  ask_authority: z.boolean().default(true),
  ca: z
    .array(Basis)
    .min(1)
    .max(8, '判断依据最多 8 项')
    .default([...BASES]),
  cs: z
    .array(Familiarity)
    .min(2)
    .max(10, '熟悉程度最多 10 级')
    .default([...FAMILIARITY]),
  about: z.array(z.enum(ABOUT)).max(ABOUT.length).default([]),
  /** Refuses a sheet with open questions; else they are only told. */
  require_all: z.boolean().default(false),
  /** Which pairs of seven or more things are compared. */
  design: z.enum(['full', 'regular']).default('full'),
  /** CR above which a matrix is marked. */
  cr_max: z.number().min(0.01).max(0.3).default(0.1),
  /** Results of fewer answers than this are shown to nobody. */
  least_shown: z.number().int().min(3, '少于 3 份时不能显示结果').max(50).default(3),
});
export type Protocol = z.infer<typeof Protocol>;

export const Content = z.strictObject({
  background: Prose.default(''),
  consent: Prose.default(''),
  organiser: z.string().trim().max(200, '联系方式最多 200 个字').default(''),
  items: z.array(Item).max(LIMITS.items, `最多 ${LIMITS.items} 个指标`).default([]),
  tree: TreeNode.default({ id: 'goal', name: '', children: [] }),
  alternatives: z
    .array(z.strictObject({ id: Key, name: Name }))
    .max(LIMITS.children, `最多 ${LIMITS.children} 个方案`)
    .default([]),
  protocol: Protocol.prefault({}),
});
export type Content = z.infer<typeof Content>;

const Id = z.coerce.number().int().positive().max(2_147_483_647);
export const ProjectId = z.object({ pid: Id });
export const ExpertId = z.object({ pid: Id, eid: Id });
const Title = z.string('请输入名称').trim().min(1, '请输入名称').max(60, '名称最多 60 个字');

/** `content`: of a template, or of a file that was saved before. */
export const NewProject = z.strictObject({ kind: Kind, title: Title, content: Content.optional() });
export type NewProject = z.infer<typeof NewProject>;
/** `revision`: the one that was edited. `reason`: needed once a round has been opened. */
export const ProjectChange = z.strictObject({
  title: Title,
  content: Content,
  revision: z.number().int().positive(),
  reason: z.string().trim().max(500).default(''),
});
export type ProjectChange = z.infer<typeof ProjectChange>;

const DueAt = z.iso.datetime({ offset: true, error: '请选择截止时间' });
export const PublishBody = z.strictObject({ due_at: DueAt });

/** What becomes of an item after a round. */
export const Verdict = z.enum(['again', 'accepted', 'rejected']);
export type Verdict = z.infer<typeof Verdict>;
/** Comments the experts are shown of an item. */
const SHOWN_COMMENTS = 5;
/** `comments`: what the owner lets the experts read, edited so that it names nobody. */
export const NextRound = z.strictObject({
  due_at: DueAt,
  decisions: z.record(Key, Verdict).default({}),
  comments: z
    .record(
      Key,
      z
        .array(z.string().trim().min(1).max(LIMITS.comment, '一条意见最多 1,000 字'))
        .max(SHOWN_COMMENTS, `一个指标最多分享 ${SHOWN_COMMENTS} 条意见`),
    )
    .default({}),
});
export type NextRound = z.infer<typeof NextRound>;
/** What was decided on the items of the last round. */
export const FinishBody = z.strictObject({ decisions: z.record(Key, Verdict).default({}) });
export type FinishBody = z.infer<typeof FinishBody>;
/** Of the round under way: its end moved, closed, opened again. */
export const RoundChange = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('close') }),
  z.strictObject({ act: z.literal('extend'), due_at: DueAt }),
  z.strictObject({ act: z.literal('reopen'), due_at: DueAt }),
]);
export type RoundChange = z.infer<typeof RoundChange>;

export const NewExperts = z.strictObject({
  names: z
    .array(z.string().trim().min(1, '请输入姓名或代号').max(60, '姓名最多 60 个字'))
    .min(1, '请至少添加一位专家')
    .max(LIMITS.experts),
});
/** Who has been sent a reminder. */
export const RemindBody = z.strictObject({ experts: z.array(Id).min(1, '请选择要提醒的专家').max(LIMITS.experts) });
export const PublicLink = z.strictObject({ open: z.boolean() });

/** A score with its step; a comparison 1–9 with the side that matters more; null: outside one's field, or unsure. */
export const Judgement = z.strictObject({ value: z.number(), favours: z.enum(['first', 'second']) });
export type Judgement = z.infer<typeof Judgement>;
export const AnswerValue = z.union([z.null(), z.number(), z.string().max(LIMITS.comment, '最多 1,000 字'), Judgement]);
export type AnswerValue = z.infer<typeof AnswerValue>;
/** How much a basis moved the judgement. */
export const INFLUENCES = ['large', 'medium', 'small'] as const;
export const AnswerKey = z.string().regex(/^[a-z0-9:]{1,60}$/u);
export const AnswersBody = z.strictObject({
  answers: z
    .array(z.strictObject({ key: AnswerKey, value: AnswerValue, revision: z.number().int().min(1).max(100_000) }))
    .min(1)
    .max(300),
});
export type AnswersBody = z.infer<typeof AnswersBody>;
export const Stored = z.object({ value: AnswerValue, revision: z.number() });
export type Stored = z.infer<typeof Stored>;
/** `conflicts`: where another device was ahead, with what is stored. */
export const Saved = z.object({ saved_at: z.string(), conflicts: z.record(z.string(), Stored) });
export type Saved = z.infer<typeof Saved>;

export const QuesCode = z.object({ quescode: z.string().max(64) });
export const Joined = z.object({ quescode: z.string() });
export type Joined = z.infer<typeof Joined>;

/** What the experts said of an item in the round before. */
export const FeedbackCard = z.object({
  item: z.string(),
  n: z.number(),
  /** How many gave 1, 2, …; empty where too few answered. */
  counts: z.array(z.number()),
  q1: z.number().nullable(),
  median: z.number().nullable(),
  q3: z.number().nullable(),
  /** What the owner shares of the comments, without who said it. */
  comments: z.array(z.string()).optional(),
});
export type FeedbackCard = z.infer<typeof FeedbackCard>;

export const AnswerPage = z.object({
  /** `public`: the link of everybody, from which one gets a link of one's own. */
  channel: z.enum(['personal', 'public']),
  state: z.enum(['open', 'closed', 'waiting', 'withdrawn', 'full']),
  kind: Kind,
  title: z.string(),
  expert: z.string().nullable(),
  background: z.string(),
  consent: z.string(),
  organiser: z.string(),
  items: z.array(Item),
  tree: TreeNode,
  alternatives: z.array(z.object({ id: z.string(), name: z.string() })),
  protocol: Protocol,
  round: z.number(),
  due_at: z.string().nullable(),
  closed_at: z.string().nullable(),
  consented: z.boolean(),
  submitted_at: z.string().nullable(),
  answers: z.record(z.string(), Stored),
  feedback: z.array(FeedbackCard),
  /** Own scores of the round before. */
  before: z.record(z.string(), AnswerValue),
});
export type AnswerPage = z.infer<typeof AnswerPage>;
export const Submitted = z.object({ submitted_at: z.string(), late: z.boolean() });
export type Submitted = z.infer<typeof Submitted>;

/** Signs that a sheet was filled in without thought: only of closed rounds, so that nobody is steered. */
export const SheetSign = z.enum(['fast', 'same']);
export type SheetSign = z.infer<typeof SheetSign>;

export const RoundView = z.object({
  number: z.number(),
  version: z.number(),
  state: z.enum(['open', 'closed']),
  items: z.array(z.string()),
  decisions: z.record(z.string(), Verdict),
  invited: z.number(),
  started: z.number(),
  submitted: z.number(),
  late: z.number(),
  /** Median hours from the opening to the first answer. */
  start_hours: z.number().nullable(),
  opened_at: z.string(),
  due_at: z.string(),
  closed_at: z.string().nullable(),
  /** Of a closed round, where enough answered; null else. */
  results: z.array(FeedbackCard).nullable(),
  /** Of the same, what was said of each item, in no order that tells who said it. */
  comments: z.record(z.string(), z.array(z.string())),
});
export type RoundView = z.infer<typeof RoundView>;

export const Project = z.object({
  id: z.number(),
  kind: Kind,
  title: z.string(),
  state: ProjectState,
  content: Content,
  revision: z.number(),
  version: z.number(),
  round: z.number(),
  /** The public link's code; null while there is none. */
  public_code: z.string().nullable(),
  rounds: z.array(RoundView),
  versions: z.array(z.object({ number: z.number(), reason: z.string(), frozen_at: z.string() })),
  /** Who took part in the closed rounds: how many said what of themselves; none below the number that is shown. */
  composition: z.record(z.string(), z.record(z.string(), z.number())),
  updated_at: z.string(),
});
export type Project = z.infer<typeof Project>;
export const ProjectEntry = Project.pick({
  id: true,
  kind: true,
  title: true,
  state: true,
  round: true,
  updated_at: true,
}).extend({
  experts: z.number(),
  submitted: z.number(),
  due_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
});
export type ProjectEntry = z.infer<typeof ProjectEntry>;
/** `bin=1` lists the bin instead. */
export const ListQuery = z.object({ bin: z.enum(['0', '1']).default('0') });
export const Forever = z.object({ forever: z.enum(['0', '1']).default('0') });
export const ProjectList = z.object({ total: z.number(), list: z.array(ProjectEntry) });
export type ProjectList = z.infer<typeof ProjectList>;

export const Expert = z.object({
  id: z.number(),
  code: z.string(),
  name: z.string().nullable(),
  channel: z.enum(['personal', 'public']),
  quescode: z.string().nullable(),
  state: z.enum(['invited', 'opened', 'working', 'submitted', 'withdrawn']),
  late: z.boolean(),
  answered: z.number(),
  asked: z.number(),
  saved_at: z.string().nullable(),
  reminders: z.number(),
  reminded_at: z.string().nullable(),
  signs: z.array(SheetSign),
});
export type Expert = z.infer<typeof Expert>;
export const Experts = z.object({ total: z.number(), list: z.array(Expert) });
export type Experts = z.infer<typeof Experts>;

/** The answers as a version in 我的数据, and the analysis they are meant for. */
export const Dataset = z.object({
  fid: z.number(),
  vid: z.number(),
  method: z.string(),
  form: z.record(z.string(), z.unknown()),
  sheets: z.number(),
  /** Rounds with too few sheets to be shown. */
  left_out: z.array(z.number()),
});
export type Dataset = z.infer<typeof Dataset>;
