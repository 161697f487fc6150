/** A declaration of every field type with a value as a user leaves it, on the columns of the test's survey. */
import type { Field } from '@hengxi/contracts/contract';

import { COMMON, GROUP, OUTCOME, role } from './harness.tsx';

export type Of<T extends Field['type']> = Extract<Field, { type: T }>;

export interface Sample<F extends Field = Field> {
  field: F;
  value: unknown;
  /** Values of the fields it speaks of, and their declarations. */
  around?: Readonly<Record<string, unknown>>;
  fields?: readonly Field[];
}

export const BLOCKS: Of<'blocks'> = {
  ...COMMON,
  type: 'blocks',
  key: 'factors',
  title: '潜变量',
  min: 1,
  max: null,
  size: [2, null],
  names: 'F{i}',
  ordered: true,
  loose: false,
  measure: '定量',
  varies: false,
  cells: [],
};

export const MATCHED: Of<'matched'> = {
  ...COMMON,
  type: 'matched',
  key: 'pairs',
  title: '题目对',
  min: 1,
  max: null,
  slots: [role('positive', '正向题', { measure: '定量' }), role('importance', '重要度', { measure: '定量', min: 0 })],
};

export const WITHIN: Of<'within'> = {
  ...COMMON,
  type: 'within',
  key: 'measures',
  title: '重复测量',
  factors: [1, 2],
  levels: [2, 5],
  layouts: ['wide', 'long'],
};

export const TIMELINE: Of<'timeline'> = {
  ...COMMON,
  type: 'timeline',
  key: 'time',
  title: '时间',
  frequencies: { month: '月', year: '年' },
  panel: null,
  gaps: 'refuse',
  least: 2,
};

const PLAIN_NUMBER = { least: null, most: null, above: null, below: null, unit: null, percent: false };

export const RECORDS: Of<'records'> = {
  ...COMMON,
  type: 'records',
  key: 'variables',
  title: '决策变量',
  min: 1,
  max: 5,
  names: 'X{i}',
  cells: [
    { ...COMMON, type: 'words', key: 'name', title: '名称', kind: 'name', default: null, longest: 64 },
    { ...COMMON, ...PLAIN_NUMBER, type: 'number', key: 'lower', title: '下界', default: 0 },
  ],
};

export const MATRIX: Of<'matrix'> = {
  ...COMMON,
  type: 'matrix',
  key: 'judgement',
  title: '判断矩阵',
  kind: 'reciprocal',
  sheets: [],
  gaps: false,
  of: null,
  size: [2, 15],
  least: null,
  most: null,
};

export const TREE: Of<'tree'> = {
  ...COMMON,
  type: 'tree',
  key: 'levels',
  title: '层次结构',
  levels: ['目标', '准则', '方案'],
  depth: [2, 6],
  children: [2, 15],
};

export const PATHS: Of<'paths'> = {
  ...COMMON,
  type: 'paths',
  key: 'model',
  title: '结构路径',
  nodes: ['factors'],
  kinds: ['path', 'cov'],
  acyclic: true,
};

export const DICTIONARY: Of<'dictionary'> = {
  ...COMMON,
  type: 'dictionary',
  key: 'stopwords',
  title: '停用词',
  kind: 'stopwords',
  builtins: ['通用'],
  default: '通用',
};

export const UPLOAD: Of<'upload'> = {
  ...COMMON,
  type: 'upload',
  key: 'mask',
  title: '蒙版图片',
  types: ['png', 'jpg'],
  most: 2 * 1024 * 1024,
};

export const MOMENT: Of<'moment'> = { ...COMMON, type: 'moment', key: 'since', title: '政策时点', of: 'time' };

const FACTORS = [
  { id: 'b1', name: '质量', columns: ['c3', 'c4'] },
  { id: 'b2', name: '满意', columns: ['c7'] },
];
const OPTION = { hint: null, unless: null, why: null };

/** Complete by its type: a new field type needs a sample here. */
export const SAMPLES: { readonly [T in Field['type']]: Sample<Of<T>> } = {
  role: { field: OUTCOME, value: ['c3', 'c4'] },
  dictionary: { field: DICTIONARY, value: { builtin: '通用', id: null, version: null, extra: ['酒店'] } },
  frozen: {
    field: { ...COMMON, type: 'frozen', key: 'frozen_limits', title: '用已冻结的控制限', table: 'standard' },
    value: { id: 3 },
  },
  upload: { field: UPLOAD, value: { file_id: 'u3' } },
  weight: {
    field: { ...COMMON, type: 'weight', key: 'weight', title: '频数权重', kind: 'frequency', whole: true },
    value: 'c3',
  },
  timeline: { field: TIMELINE, value: { column: 'c6', frequency: null } },
  matched: { field: MATCHED, value: [{ positive: 'c3', importance: 'c4' }] },
  blocks: { field: BLOCKS, value: FACTORS },
  within: {
    field: WITHIN,
    value: { layout: 'wide', factors: [{ name: '时间', levels: ['前', '后'] }], cells: ['c3', 'c4'] },
  },
  level: {
    field: {
      ...COMMON,
      type: 'level',
      key: 'event',
      title: '事件取值',
      of: ['group'],
      many: null,
      ordered: false,
      typed: false,
      alone: false,
    },
    value: '女',
    around: { group: 'c1' },
    fields: [GROUP],
  },
  settings: {
    field: {
      ...COMMON,
      type: 'settings',
      key: 'direction',
      title: '方向',
      of: 'y',
      also: [],
      by: 'column',
      measure: '任意',
      cells: [
        {
          ...COMMON,
          type: 'choice',
          key: 'kind',
          title: '方向',
          default: 'high',
          options: [
            { key: 'high', title: '越大越好', ...OPTION },
            { key: 'low', title: '越小越好', ...OPTION },
          ],
        },
      ],
    },
    value: [{ for: 'c3', kind: 'low' }],
    around: { y: ['c3', 'c4'] },
    fields: [OUTCOME],
  },
  terms: {
    field: {
      ...COMMON,
      type: 'terms',
      key: 'terms',
      title: '模型项',
      of: ['y'],
      order: 2,
      presets: ['main', 'two_way', 'custom'],
    },
    value: { preset: 'custom', terms: [['c3'], ['c3', 'c4']] },
    around: { y: ['c3', 'c4'] },
    fields: [OUTCOME],
  },
  mapping: {
    field: { ...COMMON, type: 'mapping', key: 'rules', title: '编码规则', of: ['group'], max: 200 },
    value: [{ old: '男', new: 1, label: '男' }],
    around: { group: 'c1' },
    fields: [GROUP],
  },
  cases: {
    field: { ...COMMON, type: 'cases', key: 'cases', title: '代入新值', of: ['y'], max: 20 },
    value: [{ c3: 3.5, c4: 7 }],
    around: { y: ['c3', 'c4'] },
    fields: [OUTCOME],
  },
  choice: {
    field: {
      ...COMMON,
      type: 'choice',
      key: 'test',
      title: '检验',
      default: 'welch',
      options: [
        { key: 'welch', title: 'Welch', ...OPTION },
        { key: 'student', title: '等方差', ...OPTION },
      ],
    },
    value: 'student',
  },
  many: {
    field: {
      ...COMMON,
      type: 'many',
      key: 'shown',
      title: '统计量',
      options: [
        { key: 'n', title: '样本量', ...OPTION },
        { key: 'mean', title: '均值', ...OPTION },
      ],
      default: ['n'],
      min: 0,
      max: null,
    },
    value: ['n', 'mean'],
  },
  number: {
    field: {
      ...COMMON,
      ...PLAIN_NUMBER,
      type: 'number',
      key: 'level',
      title: '置信水平',
      default: 0.95,
      percent: true,
    },
    value: 0.9,
  },
  integer: {
    field: {
      ...COMMON,
      type: 'integer',
      key: 'times',
      title: '抽样次数',
      default: 1000,
      least: 100,
      most: null,
      unit: '次',
    },
    value: 5000,
  },
  flag: { field: { ...COMMON, type: 'flag', key: 'plot', title: '直方图', default: true }, value: false },
  words: {
    field: { ...COMMON, type: 'words', key: 'name', title: '新变量名', kind: 'name', default: null, longest: 64 },
    value: '得分',
  },
  numbers: {
    field: {
      ...COMMON,
      type: 'numbers',
      key: 'points',
      title: '分位点',
      default: [],
      names: null,
      whole: false,
      least: 0,
      most: 1,
      above: null,
      below: null,
      min: 0,
      max: null,
      increasing: true,
      start: null,
    },
    value: [0.25, 0.5],
  },
  moment: { field: MOMENT, value: '2008-03' },
  records: { field: RECORDS, value: [{ id: 'r1', name: 'X', lower: 0 }] },
  matrix: {
    field: MATRIX,
    value: {
      rows: ['价格', '位置', '面积'],
      columns: ['价格', '位置', '面积'],
      values: [
        [1, 3, 5],
        [1 / 3, 1, 2],
        [1 / 5, 1 / 2, 1],
      ],
    },
  },
  formula: {
    field: {
      ...COMMON,
      type: 'formula',
      key: 'formula',
      title: '公式',
      kind: 'expression',
      symbols: 'columns',
      lines: null,
      none: null,
    },
    value: '{c3} / ({c4} / 100)^2',
  },
  paths: {
    field: PATHS,
    value: { edges: [{ source: 'b1', target: 'b2', kind: 'path', free: true }], at: {} },
    around: { factors: FACTORS },
    fields: [BLOCKS],
  },
  tree: {
    field: TREE,
    value: {
      id: 'n1',
      name: '选址',
      children: [
        { id: 'n2', name: '价格', children: [] },
        { id: 'n3', name: '位置', children: [] },
      ],
    },
  },
  dataset: {
    field: { ...COMMON, type: 'dataset', key: 'right', title: '另一份数据', many: false, max: null },
    value: { vid: 12, name: '成绩.csv' },
  },
  model: {
    field: { ...COMMON, type: 'model', key: 'model', title: '已保存模型', task: 'classification' },
    value: null,
  },
};
