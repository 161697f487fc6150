/** Shapes of sign-in, sessions and the person's own settings. */
import { z } from 'zod';

/** Kept as text on purpose: a malformed number is answered with 20010, not with a schema fault. */
const phone = z.string('请输入手机号').max(32);

export const SliderPuzzle = z.object({
  id: z.string(),
  /** Pictures as data URLs: the page needs no further call and the policy allows `data:`. */
  background: z.string(),
  piece: z.string(),
  width: z.number(),
  height: z.number(),
  piece_size: z.number(),
  /** Where the piece stands vertically; its horizontal place is the question. */
  y: z.number(),
});
export type SliderPuzzle = z.infer<typeof SliderPuzzle>;

/** One sample of the drag: where the piece stood (pixels of the picture) and milliseconds since the drag began. */
export const TrackPoint = z.strictObject({ x: z.number(), y: z.number(), t: z.number().min(0) });

export const SliderAnswer = z.strictObject({
  id: z.string().max(64),
  x: z.number(),
  track: z.array(TrackPoint).max(2000),
});
export type SliderAnswer = z.infer<typeof SliderAnswer>;

export const CaptchaTicket = z.object({ ticket: z.string(), rand: z.string() });
export type CaptchaTicket = z.infer<typeof CaptchaTicket>;

export const CaptchaPass = z.strictObject({ phone, ticket: z.string().min(1).max(200), rand: z.string().max(200) });

export const SendCode = z.strictObject({ phone });
export const SentCode = z.object({ verify_key: z.string() });
export type SentCode = z.infer<typeof SentCode>;

export const PhoneLogin = z.strictObject({
  phone,
  verify_code: z.string('验证码不能为空').max(16),
  verify_key: z.string().max(64),
});

export const LoginQuery = z.object({ utm_source: z.string().max(100).optional() });

export const ChannelToken = z.object({
  platform: z.string(),
  enterprise_id: z.number(),
  enterprise_name: z.string(),
  token: z.string(),
});
export type ChannelToken = z.infer<typeof ChannelToken>;

/** Every key is always there. `tokens` lists one token per enterprise, when there is more than one. */
export const SignIn = z.object({
  token: z.string().nullable(),
  co_token: z.string().nullable(),
  tokens: z.array(ChannelToken),
  lucky: z.union([z.literal(0), z.literal(1)]),
  /** The account was used from more than three new devices or networks within 24 hours. */
  warning: z.boolean(),
});
export type SignIn = z.infer<typeof SignIn>;

export const Handoff = z.object({ ticket: z.string().max(64).optional(), token: z.string().max(4096).optional() });

export const SessionItem = z.object({
  id: z.number(),
  current: z.boolean(),
  platform: z.string(),
  /** Browser and system in words, e.g. Chrome · Windows. */
  device: z.string(),
  /** The network, shortened: 203.0.113.*. */
  net: z.string(),
  signed_in_at: z.string(),
  seen_at: z.string(),
  ends_at: z.string(),
});
export type SessionItem = z.infer<typeof SessionItem>;
export const SessionId = z.object({ id: z.coerce.number().int().positive() });

const flag = z.union([z.literal(0), z.literal(1)]);
/** fill_nan_adjusted: what happens to rows with missing values; analytics: consent to our own counting of use. */
export const UserConfig = z.object({ fill_nan_adjusted: flag, analytics: flag });
export type UserConfig = z.infer<typeof UserConfig>;
export const UserConfigChange = z
  .strictObject({ fill_nan_adjusted: flag.optional(), analytics: flag.optional() })
  .refine((change) => Object.keys(change).length > 0, '没有要修改的内容');
export type UserConfigChange = z.infer<typeof UserConfigChange>;

export const BindPhone = z.strictObject({
  phone,
  verify_code: z.string('验证码不能为空').max(16),
  verify_key: z.string().max(64),
});
/**
 * What 30251 says. `keep` is the account that goes on: `phone` the one the number belongs to (this one is empty and
 * hands over its way to sign in), `this` the present one (the other is empty). The ticket carries the choice out.
 */
export const PhoneTaken = z.object({ nickname: z.string(), keep: z.enum(['phone', 'this']), ticket: z.string() });
export type PhoneTaken = z.infer<typeof PhoneTaken>;
export const AccountTicket = z.strictObject({ ticket: z.string().min(1).max(64) });
export const Merged = z.object({ sign_in: SignIn.nullable() });
export type Merged = z.infer<typeof Merged>;

/** What 30002 says: the phone that gets the code, or null for an account without one, which signs in again. */
export const StepUpNeeded = z.object({ phone: z.string().nullable() });
export type StepUpNeeded = z.infer<typeof StepUpNeeded>;
export const StepUp = z.strictObject({
  verify_code: z.string('验证码不能为空').max(16),
  verify_key: z.string().max(64),
});

/** What 30008 says of an account that asked to be removed. */
export const Leaving = z.object({ nickname: z.string(), until: z.string(), ticket: z.string() });
export type Leaving = z.infer<typeof Leaving>;

export const ProfileChange = z
  .strictObject({
    nickname: z.string().trim().min(1, '昵称为 1–20 个字').max(20, '昵称为 1–20 个字').optional(),
    /** A picture as data URL (png, jpeg, webp; at most 512 kB), null for none. It is drawn anew at 128 × 128. */
    avatar: z.string().max(720_000).nullable().optional(),
  })
  .refine((change) => change.nickname !== undefined || change.avatar !== undefined, '没有要修改的内容');

/** One message of the sandbox inbox. */
export const SandboxSms = z.object({ phone: z.string(), text: z.string(), code: z.string(), sent_at: z.string() });
export type SandboxSms = z.infer<typeof SandboxSms>;
export const SandboxSmsQuery = z.object({ phone: z.string().max(32).optional() });

/** What pages may show to visitors; null while the operator has not said. */
export const Site = z.object({
  sandbox: z.boolean(),
  /** Ways to sign in beside the phone. */
  wechat: z.boolean(),
  research: z.boolean(),
  academic: z.boolean(),
  /** Number of the application at the captcha provider; null for our own slider. */
  captcha_app: z.string().nullable(),
  demo: z.boolean(),
  embedded: z.boolean(),
  company: z.object({
    name: z.string().nullable(),
    address: z.string().nullable(),
    hotline: z.string().nullable(),
    mail: z.string().nullable(),
    icp: z.string().nullable(),
    police: z.string().nullable(),
  }),
});
export type Site = z.infer<typeof Site>;

/** What a token carries beside the registered claims; for display, never for rights. */
export interface TokenPayload {
  oid: number;
  nickname: string;
  avatar: string | null;
  is_vip: boolean;
  platform: string;
  enterprise_name: string | null;
}
