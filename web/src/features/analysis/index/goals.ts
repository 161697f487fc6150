/** 帮我选: what one wants to know, the two questions about it, and which methods answer it for the variables named. */
import type { MethodRow, Recommendation } from '@hengxi/server/analysis/schema';

import type { Column } from '../../../fields/column.ts';
import { lacking, takesFirst } from './suitability.ts';
import { tasksOf } from './tasks.tsx';

type GoalKey = 'one' | 'compare' | 'relate' | 'explain';

export interface Goal {
  goal: GoalKey;
  title: string;
  hint: string;
  /** What the first and the second question ask for; null: no second one. */
  first: string;
  second: string | null;
  several: boolean;
}

export const GOALS: readonly Goal[] = [
  {
    goal: 'one',
    title: '看一个变量的情况',
    hint: '各类有多少、平均是多少',
    first: '看哪个变量？',
    second: null,
    several: false,
  },
  {
    goal: 'compare',
    title: '比较几组人',
    hint: '男女、年级、处理组和对照组：各组是不同的人',
    first: '比较什么？',
    second: '按什么分组？',
    several: false,
  },
  {
    goal: 'relate',
    title: '看两个变量的关系',
    hint: '一个变化时另一个怎样',
    first: '第一个变量？',
    second: '第二个变量？',
    several: false,
  },
  {
    goal: 'explain',
    title: '解释或预测一个结果',
    hint: '哪些因素与它有关、关系多大',
    first: '结果是哪个变量？',
    second: '可能的因素有哪些？',
    several: true,
  },
];

const TASK: Readonly<Record<GoalKey, string>> = {
  one: 'describe',
  compare: 'compare',
  relate: 'relate',
  explain: 'predict',
};

/** Groups are made by what has few values. */
export const groups = (column: Column): boolean => column.measure === '定类' || column.flags.includes('量表');

function answers({ goal }: Goal, method: MethodRow, first: Column): boolean {
  const tasks = tasksOf(method).map((task) => task.key);
  // Shares are compared by a crosstab.
  if (goal === 'compare' && first.measure === '定类') return tasks.includes('relate') || tasks.includes('compare');
  // What is about the relation of two says nothing of one, though it may take them in one box.
  if (goal === 'one' && tasks.includes('relate')) return false;
  // The result is what the method puts into its first box.
  return tasks.includes(TASK[goal]) && (goal !== 'explain' || takesFirst(method, first));
}

/** A box that takes anything does not tell whether the method suits: then only the rules can say so. */
const isChoosy = ({ roles }: MethodRow): boolean => roles.some((role) => role.min > 0 && role.measure !== '任意');

/** Best first: what the rules recommend for the variables and answers the aim, then whatever else does both. */
export function answersTo(
  aim: Goal,
  recommended: readonly Recommendation[],
  methods: readonly MethodRow[],
  first: Column,
  second: readonly Column[],
): { method: MethodRow; why: string }[] {
  const named = recommended.flatMap(({ path, why }) => {
    const method = methods.find((one) => one.algo_code === path);
    return method === undefined ? [] : [{ method, why }];
  });
  const all = [
    ...named,
    ...methods
      .filter((method) => !named.some((one) => one.method === method) && isChoosy(method))
      .map((method) => ({ method, why: method.purpose })),
  ];
  const suiting = all.filter(
    ({ method }) =>
      method.roles.some((role) => role.min > 0) &&
      answers(aim, method, first) &&
      lacking(method, [first, ...second]) === null,
  );
  return suiting.length > 0 ? suiting : named;
}
