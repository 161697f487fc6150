/** Messages to experts, ready to be copied: the owner sends them by mail or chat. */
import type { Expert, Project } from '@hengxi/server/expert-questionnaires/schema';

import { linkOf } from './queries.ts';
import { EXPERT_STATES, minuteText } from './words.ts';

export type MessageKind = 'invite' | 'remind';

/** {姓名}, {链接}, {截止} stand for those of each expert. */
export function templateOf(kind: MessageKind, { title, round, content }: Project): string {
  const sign = content.organiser === '' ? '' : `\n${content.organiser}`;
  if (kind === 'invite')
    return `{姓名}您好：\n诚邀您参加“${title}”的专家咨询${round > 1 ? `（第 ${round} 轮）` : ''}。请打开您的专属链接作答，不需要注册，答案自动保存：\n{链接}\n截止时间：{截止}。链接只供您本人使用，请不要转发。${sign}`;
  return `{姓名}您好：\n“${title}”的专家咨询还没有收到您的答卷，截止时间是{截止}。您可以从上次停下的地方继续：\n{链接}\n如已提交请忽略，感谢您的支持。${sign}`;
}

export function messageTo(template: string, { name, code, quescode }: Expert, due: string | null): string {
  return template
    .replaceAll('{姓名}', name ?? `专家 ${code} `)
    .replaceAll('{链接}', quescode === null ? '' : linkOf(quescode))
    .replaceAll('{截止}', due === null ? '另行通知' : minuteText(due));
}

const DAY_MS = 86_400_000;

/** Who may be reminded now: whose sheet is not in, and who was not reminded within a day. Not started first. */
export function toRemind(experts: readonly Expert[], now: number): Expert[] {
  const order = Object.keys(EXPERT_STATES);
  return experts
    .filter(({ state, quescode }) => quescode !== null && state !== 'submitted' && state !== 'withdrawn')
    .filter(({ reminded_at: at }) => at === null || now - new Date(at).getTime() >= DAY_MS)
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}
