/** Shapes of the form on /business-cooperation. */
import { z } from 'zod';

export const TOPICS = {
  enterprise: '企业采购',
  school: '高校采购',
  channel: '渠道合作',
  course: '课程与培训',
  api: '数据接口',
  other: '其他',
} as const;
/** Longest texts; of what it is about the shortest, too. */
export const LEAD_LIMITS = { name: 20, company: 50, mail: 100, text: [10, 500] } as const;
export const LEAD_STATES = { new: '待联系', working: '联系中', done: '已完成', declined: '不跟进' } as const;
export type LeadState = keyof typeof LEAD_STATES;
export const Topic = z.enum(['enterprise', 'school', 'channel', 'course', 'api', 'other']);

const optional = <T extends z.ZodType>(inner: T) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), inner.optional());

/** Each refusal carries its field's name, so that the page can put it there. */
export const CooperationBody = z.strictObject({
  name: z.string().trim().min(1, '请填写称呼').max(20, '称呼最多 20 个字'),
  company: z.string().trim().max(50, '单位最多 50 个字').default(''),
  phone: optional(
    z
      .string()
      .trim()
      .regex(/^1\d{10}$/, '请输入 11 位手机号'),
  ),
  mail: optional(z.string().trim().max(100, '邮箱最多 100 个字符').pipe(z.email('请输入正确的邮箱'))),
  topic: Topic,
  text: z.string().trim().min(10, '说明至少 10 个字').max(500, '说明最多 500 个字'),
  consent: z.literal(true, '请先同意按《隐私协议》用这些信息联系你'),
  /** utm_source of the visit; one that is too long is nobody's campaign. */
  source: z.string().max(100).nullish().catch(null),
  request_id: z.string().regex(/^[\w-]{8,64}$/),
  ticket: z.string().min(1).max(2000),
  rand: z.string().max(200),
});
export type CooperationBody = z.infer<typeof CooperationBody>;

export const CooperationTaken = z.object({ number: z.string() });
