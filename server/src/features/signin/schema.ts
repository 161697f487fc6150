/** Shapes of signing in by WeChat, the research platform and academic search. */
import { z } from 'zod';
import { SignIn } from '../accounts/schema.ts';

const text = (most: number) => z.string().max(most);

/** `ticket` stands in the QR code (as `url`), `scene` is the waiting page's secret. */
export const WechatTicket = z.object({
  ticket: z.string(),
  scene: z.string(),
  expire_in: z.number(),
  url: z.string(),
  /** The code as a picture (data URL). */
  qrcode: z.string(),
});
export type WechatTicket = z.infer<typeof WechatTicket>;

export const PollQuery = z.object({ scene: text(64), utm_source: text(100).optional() });
/** 0 waiting, 1 signed in (once), 2 scanned, 3 refused, 4 expired. */
export const Poll = z.object({
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  ...SignIn.partial().shape,
});
export type Poll = z.infer<typeof Poll>;

export const SceneQuery = z.object({ scene: text(64) });
/** Adding WeChat to an account: 0 waiting, 1 added (once), 2 scanned, 3 refused, 4 expired. */
export const LinkState = z.object({ status: z.number().int().min(0).max(4) });
export type LinkState = z.infer<typeof LinkState>;
export const LinkParams = z.object({ provider: z.enum(['wechat', 'research', 'academic']) });
export const AcademicVisit = z.object({ url: z.string() });
export type AcademicVisit = z.infer<typeof AcademicVisit>;
export const AcademicLink = z.strictObject({ ticket: text(64) });

export const ScanParams = z.object({ ticket: text(64) });
export const ScanAct = z.strictObject({ act: z.enum(['confirm', 'refuse']), who: text(40).optional() });
export const WechatCallback = z.object({ code: text(512).optional(), state: text(64).optional() });

export const ResearchSign = z.strictObject({ href: text(2048) });
/** `url` is the sign-in page; the other four go with it as its query. */
export const ResearchSigned = z.object({
  appid: z.string(),
  noncestr: z.string(),
  signature: z.string(),
  timestamp: z.number(),
  url: z.string(),
});
export type ResearchSigned = z.infer<typeof ResearchSigned>;

/** What the address brought back; a claim until the provider or its signature confirms it. */
export const ResearchLogin = z.strictObject({
  nickname: text(100).default(''),
  openid: z.string().min(1).max(200),
  username: text(100).default(''),
  noncestr: text(64).default(''),
  signature: text(200).default(''),
});
export type ResearchLogin = z.infer<typeof ResearchLogin>;
export const ResearchQuery = z.object({ v: text(10).optional(), utm_source: text(100).optional() });

export const AcademicBegin = z.object({
  confirm_login: text(10).optional(),
  next: text(2048).optional(),
  utm_source: text(100).optional(),
});
export const AcademicBack = z.object({
  code: text(2048).optional(),
  state: text(64).optional(),
  error: text(200).optional(),
});

/** The sandbox's sign-in pages. */
export const SandboxResearch = z.object({
  appid: text(100),
  noncestr: text(64),
  timestamp: text(20),
  signature: text(200),
  href: text(2048),
});
export const SandboxAcademic = z.object({ client_id: text(100), redirect_uri: text(2048), state: text(64) });
export const SandboxAnswer = z.strictObject({ act: z.enum(['login', 'refuse']), who: text(40).default('') });
