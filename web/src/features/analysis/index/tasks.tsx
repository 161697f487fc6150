/** 我想…: what people want to do, in their words, and which families of methods do it. No method is named here. */
import {
  AreaChartOutlined,
  BarChartOutlined,
  ClusterOutlined,
  ControlOutlined,
  DotChartOutlined,
  FallOutlined,
  LineChartOutlined,
  OrderedListOutlined,
  RiseOutlined,
  SafetyOutlined,
  ShopOutlined,
  SwapOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';

export interface Task {
  key: string;
  title: string;
  hint: string;
  icon: ReactNode;
  families: readonly string[];
  /** Methods of other families whose purpose is this too. */
  purpose?: RegExp;
  /** A page that leads to a method in two questions. */
  selector?: { key: string; title: string };
  /** Words of a question that means this task. */
  words: string;
}

export const TASKS: readonly Task[] = [
  {
    key: 'describe',
    title: '描述现状',
    hint: '频数、均值、交叉表',
    icon: <BarChartOutlined aria-hidden />,
    families: ['描述性分析'],
    words: '有多少 占比 比例 分布 平均 均值 多大比例 描述 统计 现状 频数',
  },
  {
    key: 'compare',
    title: '比较差异',
    hint: 't 检验、方差分析、秩检验',
    icon: <SwapOutlined aria-hidden />,
    families: ['差异性分析', '方差分析', '非参数检验', '率与计数检验'],
    selector: { key: 'difference', title: '不知道用哪个检验？回答两个问题' },
    words: '比较 两组 多组 组间 差异 差别 区别 不同 显著 有没有差 更高 更低 一样',
  },
  {
    key: 'relate',
    title: '看关系',
    hint: '相关、列联',
    icon: <DotChartOutlined aria-hidden />,
    families: ['影响机制'],
    purpose: /相关|关联/u,
    words: '关系 相关 关联 有关 联系 卡方 中介 调节',
  },
  {
    key: 'predict',
    title: '预测与解释',
    hint: '线性、Logistic、树模型',
    icon: <RiseOutlined aria-hidden />,
    families: ['回归分析', '机器学习分类', '机器学习回归'],
    words: '预测 解释 影响 因素 回归 原因 控制变量 是否会',
  },
  {
    key: 'reduce',
    title: '降维与分组',
    hint: '因子、主成分、聚类',
    icon: <ClusterOutlined aria-hidden />,
    families: ['多元统计', '机器学习聚类', '机器学习降维', '异常检测', '关联规则'],
    words: '降维 聚类 因子 主成分 分群 维度 分成 几类 类型 归类 潜在',
  },
  {
    key: 'scale',
    title: '检验量表质量',
    hint: '信度、效度、CFA',
    icon: <SafetyOutlined aria-hidden />,
    families: ['问卷研究', '一致性检验'],
    words: '信度 效度 量表 问卷 一致性',
  },
  {
    key: 'rank',
    title: '评价打分排序',
    hint: '熵值、TOPSIS、AHP',
    icon: <OrderedListOutlined aria-hidden />,
    families: ['决策分析', '权重计算', '综合评价', '效率评价', '灰色预测', '一致性与均衡'],
    words: '评价 打分 排序 权重 排名',
  },
  {
    key: 'series',
    title: '时间序列',
    hint: 'ARIMA、季节、协整',
    icon: <LineChartOutlined aria-hidden />,
    families: ['时间序列', '计量经济'],
    words: '时间 趋势 季节 预测 面板',
  },
  {
    key: 'survive',
    title: '生存',
    hint: 'Kaplan-Meier、Cox',
    icon: <FallOutlined aria-hidden />,
    families: ['生存分析', '医学统计'],
    words: '生存 存活 复发 医学 诊断',
  },
  {
    key: 'market',
    title: '市场研究',
    hint: 'KANO、联合分析、NPS',
    icon: <ShopOutlined aria-hidden />,
    families: ['市场与产品研究'],
    words: '市场 产品 价格 满意度 需求',
  },
  {
    key: 'quality',
    title: '质量控制',
    hint: '控制图、过程能力',
    icon: <ControlOutlined aria-hidden />,
    families: ['质量控制'],
    words: '质量 控制图 过程能力',
  },
  {
    key: 'more',
    title: '求解与文本',
    hint: '规划、建模、词云',
    icon: <AreaChartOutlined aria-hidden />,
    families: ['规划求解', '数学建模', '文本分析', '可视化模型', '样本量与其他检验'],
    selector: { key: 'solver', title: '求最大或最小？回答两个问题' },
    words: '规划 求解 最优 最大 最小 利润 成本 分配 约束 文本 词云 样本量',
  },
];

export const does = (task: Task, method: { family: string; purpose: string }): boolean =>
  task.families.includes(method.family) || task.purpose?.test(method.purpose) === true;

export function tasksOf(method: { family: string; purpose: string }): Task[] {
  return TASKS.filter((task) => does(task, method));
}
