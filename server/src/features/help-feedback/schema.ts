/** Shapes of 「这一页有帮助吗？」 at the foot of a help page. */
import { z } from 'zod';

export const REASONS = { unclear: '看不懂', differs: '和界面不一致', wrong: '有错', lacking: '缺内容' } as const;
export type Reason = keyof typeof REASONS;
export const VERDICTS = { yes: '有帮助', no: '没解决' } as const;
export const MOST_TEXT = 300;

export const HelpFeedbackBody = z
  .strictObject({
    slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/),
    version: z.union([z.number().int().min(1).max(100_000), z.string().min(1).max(20)]),
    verdict: z.enum(['yes', 'no']),
    reason: z.enum(['unclear', 'differs', 'wrong', 'lacking']).nullable().default(null),
    text: z.string().trim().max(MOST_TEXT, `说明最多 ${MOST_TEXT} 个字`).default(''),
  })
  .refine(({ verdict, reason, text }) => verdict === 'no' || (reason === null && text === ''), {
    message: '只有“没解决”才写原因',
    path: ['reason'],
  });
export type HelpFeedbackBody = z.infer<typeof HelpFeedbackBody>;

export const HelpFeedbackTaken = z.object({ taken: z.literal(true) });
