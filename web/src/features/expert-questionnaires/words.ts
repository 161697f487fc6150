/** Words and times of this feature's pages. */
import type { Expert, Kind, ProjectState, Verdict } from '@hengxi/server/expert-questionnaires/schema';

export const KINDS: Record<Kind, string> = { delphi: '德尔菲', ahp: 'AHP' };
export const STATES: Record<ProjectState, string> = {
  draft: '草稿',
  collecting: '收集中',
  between: '本轮已结束',
  finished: '已结束',
};
export const EXPERT_STATES: Record<Expert['state'], string> = {
  invited: '未打开',
  opened: '已打开',
  working: '作答中',
  submitted: '已提交',
  withdrawn: '已退出',
};
export const VERDICTS: Record<Verdict, string> = { again: '再问一轮', accepted: '保留', rejected: '删除' };
/** What an item is rated for: the request, and the word at both ends of the scale. */
export const ASKS = {
  importance: { name: '重要性', how: '请按重要程度打分', word: '重要' },
  feasibility: { name: '可行性', how: '请按可行程度打分', word: '可行' },
  agreement: { name: '同意程度', how: '请按同意程度打分', word: '同意' },
} as const;
export const ABOUT_NAMES = { degree: '学历', rank: '职称', years: '工作年限', field: '专业领域' } as const;
export const SIGNS = { fast: '作答过快', same: '全部相同' } as const;
export const DESIGNS = { full: '全部两两比较', regular: '7 项以上只比较一部分' } as const;
export const RULE_NAMES = {
  mean_cv: '均值与变异系数',
  boundary_value: '界值法',
  percent_agreement: '赞同比例',
  rand_ucla: 'RAND/UCLA',
  iqr: '中位数与四分位距',
} as const;

/** 11月27日 16:00, as the reader's clock has it. */
export const minuteText = (at: string): string =>
  new Intl.DateTimeFormat('zh-CN', {
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(at));

/** Not yet used in this questionnaire. */
export function freshId(taken: readonly string[]): string {
  let number = taken.length + 1;
  while (taken.includes(`n${number}`)) number += 1;
  return `n${number}`;
}
