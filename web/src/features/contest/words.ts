/** Words and times of the contest's pages. */
import type { Contest, Phase } from '@hengxi/server/contest/schema';

/** The page that asks for a sign-in and stays where it is afterwards. */
export const SOURCE = 'contest';

export const PHASE_TEXT: Record<Phase, string> = {
  upcoming: '报名未开始',
  signup: '报名中',
  waiting: '等待赛题发布',
  answer: '作答中',
  review: '评审中',
  notice: '公示中',
  finished: '已结束',
};

export const SUBMISSION_STATES = {
  waiting: '正在接收文件',
  submitted: '提交成功',
  refused: '没有提交成功',
  withdrawn: '已撤回',
} as const;

const BEIJING = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** 2026-12-20 17:58:03, the clock of Beijing wherever the reader is. */
export const beijing = (at: string | number): string => BEIJING.format(new Date(at));

/** 2026-12-20 18:00（北京时间）, with the reader's own time where that is another. */
export function deadline(iso: string): string {
  const shown = beijing(iso).slice(0, 16);
  const at = new Date(iso);
  if (at.getTimezoneOffset() === -480) return `${shown}（北京时间）`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${shown}（北京时间，您当地 ${day} ${two(at.getHours())}:${two(at.getMinutes())}）`;
}

export interface Step {
  title: string;
  when: string;
  state: 'done' | 'now' | 'next';
}

/** 报名 → 作答 → 评审 → 公示 → 证书 */
export function stepsOf({ phase, phases }: Pick<Contest, 'phase' | 'phases'>): Step[] {
  const order: Record<Phase, number> = {
    upcoming: -1,
    signup: 0,
    waiting: 0.5,
    answer: 1,
    review: 2,
    notice: 3,
    finished: 4,
  };
  const current = order[phase];
  const list = [
    { title: '报名', when: `${deadline(phases.signup_to)}截止` },
    { title: '作答', when: `${deadline(phases.answer_to)}截止` },
    { title: '评审', when: `预计 ${deadline(phases.results_at)}公布` },
    { title: '公示', when: phases.appeals_to === null ? '公布后 5 天' : `${deadline(phases.appeals_to)}截止` },
    { title: '证书', when: phases.settled_at === null ? '公示结束后发放' : '已发放' },
  ];
  return list.map((step, at) => ({
    ...step,
    state: at < current ? 'done' : at === current ? 'now' : 'next',
  }));
}

/** The next instant at which the phase changes by itself; null where none is ahead. */
export function nextChange({ phases }: Pick<Contest, 'phases'>, now: number): number | null {
  const { signup_from: from, signup_to: to, answer_from: released, answer_to: end, appeals_to: appeals } = phases;
  const ahead = [from, to, released, end, appeals]
    .flatMap((at) => (at === null ? [] : [new Date(at).getTime()]))
    .filter((at) => at > now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

export const prizeText = (kind: 'credits' | 'vip_days' | 'none', value: number): string =>
  kind === 'credits' ? `每人 ${value} 积分` : kind === 'vip_days' ? `每人 ${value} 天会员` : '获奖证书';
