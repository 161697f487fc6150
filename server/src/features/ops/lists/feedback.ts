/** 意见反馈: what people told us, with everything that was said since. */
import type { Feedback } from '../../feedback/schema.ts';
import type { Context } from '../context.ts';
import { column, iso, numberIn, oneOf, stateFilter, textFilter } from './list.ts';
import type { Listed } from './list.ts';

export const FEEDBACK_STATES = {
  sent: '已提交',
  working: '处理中',
  answered: '已回复',
  solved: '已解决',
  declined: '暂不采纳',
} as const;
const TYPES = { idea: '功能建议', fault: '问题报错', result: '结果疑问', other: '其他' };

/** The whole conversation in one cell: nothing is to be looked for elsewhere. */
const messagesText = (messages: Feedback['messages']): string =>
  messages.map(({ by, text }) => (by === 'desk' ? `【回复】${text}` : text)).join('\n');

const stateOf = (state: string | undefined): keyof typeof FEEDBACK_STATES | undefined => {
  const found = oneOf(FEEDBACK_STATES, state);
  return Object.keys(FEEDBACK_STATES).find((one): one is keyof typeof FEEDBACK_STATES => one === found);
};

export function feedbackList({ feedbacks }: Context): Listed {
  return {
    title: '意见反馈',
    columns: [
      column('id', '编号', 'number'),
      column('type', '类型'),
      column('state', '状态', 'state'),
      column('text', '内容'),
      column('user_id', '用户编号', 'customer'),
      column('created_at', '提交时间', 'instant'),
      column('contact', '联系方式'),
      column('page', '页面'),
      column('rid', '请求编号'),
      column('err_code', '错误码', 'number'),
      column('browser', '浏览器'),
    ],
    filters: [stateFilter(FEEDBACK_STATES), textFilter('user_id', '用户编号')],
    async rows(query) {
      const asked = { state: stateOf(query.state), userId: numberIn(query.user_id) };
      const { total, list } = await feedbacks.queue(asked, query);
      return {
        total,
        list: list.map(({ row, shown }) => ({
          id: String(row.id),
          name: `反馈 ${row.id}`,
          version: row.version,
          has_proof: (shown?.images ?? 0) > 0,
          cells: {
            id: row.id,
            user_id: row.userId === null ? '访客' : String(row.userId),
            type: TYPES[row.type],
            text: messagesText(shown?.messages ?? []),
            contact: row.contact,
            page: row.context.page ?? null,
            rid: row.context.rid ?? null,
            err_code: row.context.err_code ?? null,
            browser: row.context.browser ?? null,
            state: FEEDBACK_STATES[row.state],
            created_at: iso(row.createdAt),
          },
          acts: [...(row.state === 'sent' ? ['feedback.take'] : []), 'feedback.answer', 'feedback.close'],
        })),
      };
    },
  };
}
