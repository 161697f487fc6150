/** What people ask for that no method answers yet. Saying so is better than a method that would answer another question. */
import type { MethodRow } from '@hengxi/server/analysis/schema';

interface Later {
  asks: RegExp;
  /** A method with such a title or alias answers it: nothing is said any more. */
  until: RegExp;
  text: string;
  /** What is found otherwise would mislead. */
  alone: boolean;
}

const LATER: readonly Later[] = [
  {
    asks: /配对|前后测|前测|后测|[前后]两次|干预前|治疗前|训练前|自身前后|paired/iu,
    until: /配对|paired/iu,
    text: '同一批人前后两次的比较（配对样本的检验）还没有上线。独立样本的检验不能代替它：那会把前后两次当作两批人。',
    alone: true,
  },
  {
    asks: /重复测量|被试内|repeated/iu,
    until: /重复测量|repeated/iu,
    text: '同一批人测三次以上的比较（重复测量）还没有上线。单因素方差分析不能代替它：那会把各次当作不同的人。',
    alone: true,
  },
  {
    asks: /中介|mediat/iu,
    until: /中介|mediat/iu,
    text: '中介效应分析还没有上线。相关与回归的结果不能说明中介。',
    alone: true,
  },
  {
    asks: /调节(效应|作用|变量)|moderat/iu,
    until: /调节(效应|作用)|moderat/iu,
    text: '单独的调节效应分析还没有上线；回归的“模型项”里可以加入交互项，检验它就是检验调节作用。',
    alone: false,
  },
  {
    asks: /信度|克隆?巴赫|cronbach/iu,
    until: /信度|cronbach/iu,
    text: '信度分析还没有上线。',
    alone: true,
  },
  {
    asks: /效度|验证性|cfa|结构方程|sem$/iu,
    until: /效度|验证性因子|结构方程/iu,
    text: '验证性因子分析与结构方程还没有上线；探索结构可以用因子分析（探索性）。',
    alone: false,
  },
  {
    asks: /非参数|秩和|秩检验|wilcoxon|符号秩/iu,
    until: /秩和检验|非参数/iu,
    text: '单独的秩和检验还没有上线；比较独立的组时，可以在均值检验的高级选项里把它加在旁边。',
    alone: false,
  },
];

export interface Missing {
  text: string;
  alone: boolean;
}

/** What is said above the hits of a question; null: the methods that stand answer it. */
export function notYet(query: string, methods: readonly MethodRow[]): Missing | null {
  const found = LATER.find((one) => one.asks.test(query));
  if (found === undefined) return null;
  const stands = methods.some((method) => [method.title, ...method.aliases].some((name) => found.until.test(name)));
  return stands ? null : { text: found.text, alone: found.alone };
}
