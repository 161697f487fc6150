/**
 * What people ask for that no method answers yet. Saying so is better than a method that would answer another question; the
 * nearest methods that stand are offered beside it, with what they can and cannot say.
 */
import type { MethodRow } from '@hengxi/server/analysis/schema';

interface Later {
  asks: RegExp;
  /** A method with such a title or alias answers it: nothing is said any more. */
  until: RegExp;
  text: string;
  /** Titles of the nearest methods. */
  near: RegExp;
  /** What is found otherwise would mislead. */
  alone: boolean;
}

const MEANS = /独立样本\s*t\s*检验|单因素方差分析/u;
const LINE = /线性回归/u;
const ODDS = /Logistic/iu;
const LINKS = /相关|线性回归/u;
const FACTORS = /因子分析/u;

const LATER: readonly Later[] = [
  {
    asks: /配对|前后测|前测|后测|[前后]两次|干预前|治疗前|训练前|自身前后|paired/iu,
    until: /配对|paired/iu,
    text: '同一批人前后两次的比较（配对样本的检验）还没有上线。独立样本的检验不能代替它：那会把前后两次当作两批人。',
    near: /相关|描述/u,
    alone: true,
  },
  {
    asks: /重复测量|被试内|repeated/iu,
    until: /重复测量|repeated/iu,
    text: '同一批人测三次以上的比较（重复测量）还没有上线。单因素方差分析不能代替它：那会把各次当作不同的人。',
    near: /相关|描述/u,
    alone: true,
  },
  {
    asks: /中介|mediat/iu,
    until: /中介|mediat/iu,
    text: '中介效应分析还没有上线。相关与回归的结果不能说明中介。',
    near: LINKS,
    alone: true,
  },
  {
    asks: /调节(效应|作用|变量)|moderat/iu,
    until: /调节(效应|作用)|moderat/iu,
    text: '单独的调节效应分析还没有上线。在线性回归的“模型项”里加入交互项，检验它就是检验调节作用。',
    near: LINE,
    alone: false,
  },
  {
    asks: /信度|克隆?巴赫|cronbach/iu,
    until: /信度|cronbach/iu,
    text: '信度分析还没有上线。',
    near: /相关|因子分析/u,
    alone: true,
  },
  {
    asks: /效度|验证性|cfa|结构方程|sem$/iu,
    until: /效度|验证性因子|结构方程/iu,
    text: '验证性因子分析与结构方程还没有上线；探索结构可以用因子分析（探索性）。',
    near: FACTORS,
    alone: false,
  },
  {
    asks: /非参数|秩和|秩检验|wilcoxon|符号秩|mann|whitney|kruskal/iu,
    until: /秩和检验|非参数/iu,
    text: '单独的秩和检验还没有上线；比较独立的组时，可以在均值检验的高级选项里把它加在旁边。',
    near: MEANS,
    alone: false,
  },
  {
    asks: /单样本/u,
    until: /单样本/u,
    text: '单样本的检验还没有上线；描述性统计给出均值和它的置信区间，可以看给定值是否在区间里。',
    near: /描述/u,
    alone: true,
  },
  {
    asks: /[双多两二三]因素方差|协方差分析|ancova|manova|多元方差/iu,
    until: /[双多两二]因素方差|协方差分析|多元方差/u,
    text: '多因素方差分析与协方差分析还没有上线；线性回归里放入各个因素和协变量，检验的是同一件事。',
    near: /线性回归|单因素方差分析/u,
    alone: true,
  },
  {
    asks: /生存|存活|(?<!box.?)cox|kaplan|风险比例/iu,
    until: /生存|(?<!box.?)cox|kaplan/iu,
    text: '生存分析还没有上线。只看到期时是否发生、不看何时发生，可以用 Logistic 回归。',
    near: ODDS,
    alone: true,
  },
  {
    asks: /有序(多分类)?\s*(logi|逻辑)|多分类\s*(logi|逻辑)|无序(多分类)?\s*(logi|逻辑)|probit/iu,
    until: /有序(多分类)?\s*logi|多分类\s*logi|probit/iu,
    text: '因变量有三类以上的 Logistic 回归还没有上线；先把类别合并成两类，可以用二元 Logistic 回归。',
    near: ODDS,
    alone: false,
  },
  {
    asks: /岭回归|ridge|lasso|套索|偏最小二乘|\bpls/iu,
    until: /岭回归|ridge|lasso|偏最小二乘/iu,
    text: '岭回归、Lasso 这类正则化的回归还没有上线；线性回归会指出哪些自变量共线。',
    near: LINE,
    alone: true,
  },
  {
    asks: /层次聚类|系统聚类|分层聚类|密度聚类|dbscan/iu,
    until: /层次聚类|系统聚类|密度聚类|dbscan/iu,
    text: '层次聚类与密度聚类还没有上线；想把个案分成几类，可以用 K-means。',
    near: /means|聚类/iu,
    alone: true,
  },
  {
    asks: /决策树|支持向量|svm|knn|近邻|xgb|lightgbm|梯度提升|神经网络|朴素贝叶斯|adaboost/iu,
    until: /决策树|支持向量|近邻|xgb|梯度提升|神经网络|朴素贝叶斯/iu,
    text: '这种分类模型还没有上线；同样的数据可以先用随机森林。',
    near: /随机森林/u,
    alone: true,
  },
  {
    asks: /时间序列|arima|平滑法|面板|双重差分|工具变量|断点回归/iu,
    until: /时间序列|arima|面板|双重差分|工具变量/iu,
    text: '时间序列与面板数据的模型还没有上线。普通线性回归不处理前后各期之间的联系。',
    near: /描述|线性回归/u,
    alone: true,
  },
  {
    asks: /偏相关|典型相关/u,
    until: /偏相关|典型相关/u,
    text: '偏相关还没有上线；控制其他变量后的关系，可以看线性回归的系数。',
    near: LINKS,
    alone: true,
  },
];

/** Neighbours shown; more would be a search again. */
const MOST_NEAR = 3;

export interface Missing {
  text: string;
  near: MethodRow[];
  alone: boolean;
}

/** What is said above the hits of a question; null: the methods that stand answer it. */
export function notYet(query: string, methods: readonly MethodRow[]): Missing | null {
  const later = LATER.find((one) => one.asks.test(query));
  if (later === undefined) return null;
  const stands = methods.some((method) => [method.title, ...method.aliases].some((name) => later.until.test(name)));
  if (stands) return null;
  const near = methods.filter((method) => later.near.test(method.title)).slice(0, MOST_NEAR);
  return { text: later.text, near, alone: later.alone };
}
