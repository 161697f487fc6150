/** Chinese words of kinds and states. */
import type { FeedbackState, FeedbackType } from '@hengxi/server/feedback/schema';

export const TYPES: Record<FeedbackType, string> = {
  idea: '功能建议',
  fault: '问题报错',
  result: '结果疑问',
  other: '其他',
};
export const STATES: Record<FeedbackState, string> = {
  sent: '已提交',
  working: '处理中',
  answered: '已回复',
  solved: '已解决',
  declined: '暂不采纳',
};
