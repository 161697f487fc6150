/** Acts on feedback: taken up, answered, closed. The person reads the answer under 我的反馈. */
import { z } from 'zod';
import type { Db, Tx } from '../../../lib/db.ts';
import { choicesOf, define, field, line, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';

const ANSWER = 2000;
const ENDS = { solved: '已解决', declined: '暂不采纳' };

export function feedbackActs({ feedbacks }: Context): Act[] {
  const look = async (executor: Db, target: string): Promise<Looked | null> => {
    const row = await feedbacks.find(executor, idOf(target) ?? 0);
    return row && { name: `反馈 ${row.id}`, owner: row.userId, version: row.version, before: { state: row.state } };
  };
  /** The log keeps the states; what was said stays with the feedback and goes with the account. */
  const decide = async (tx: Tx, target: string, version: number, to: Parameters<typeof feedbacks.decide>[3]) => {
    const { before, after } = await feedbacks.decide(tx, idOf(target) ?? 0, version, to);
    return { before: { state: before.state }, after: { state: after.state } };
  };
  const shared = { kind: 'feedback', look, roles: ['客服', '内容'], reason: false } as const;
  return [
    define({
      ...shared,
      act: 'feedback.take',
      title: '开始处理',
      payload: nothing,
      fields: [],
      async run({ tx, target, version }) {
        return decide(tx, target, version, { state: 'working', text: null });
      },
    }),
    define({
      ...shared,
      act: 'feedback.answer',
      title: '回复',
      payload: z.strictObject({ text: line(ANSWER) }),
      fields: [
        field('text', '回复内容', 'lines', { hint: '用户会在“我的反馈”里看到；访客看不到，须按联系方式另行联系' }),
      ],
      async run({ tx, target, version, payload }) {
        return decide(tx, target, version, { state: 'answered', text: payload.text });
      },
    }),
    define({
      ...shared,
      act: 'feedback.close',
      title: '办结',
      payload: z.strictObject({ state: z.enum(['solved', 'declined']), text: line(ANSWER) }),
      fields: [
        field('state', '结果', 'choice', { choices: choicesOf(ENDS) }),
        field('text', '说明', 'lines', { hint: '暂不采纳时写明原因；用户会看到' }),
      ],
      async run({ tx, target, version, payload }) {
        return decide(tx, target, version, payload);
      },
    }),
  ];
}
