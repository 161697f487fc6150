/** Small made-up reports for tests: every element type, every table layout, every chart kind. Never shipped. */
import type { Cell, ChartElement, Element, Part, Report, Sample, TableColumn, TableElement } from '@hengxi/contracts/contract';

export function column(key: string, format: TableColumn['format'] = 'num', more: Partial<TableColumn> = {}): TableColumn {
  return { key, title: key, format, hint: null, span: [], parts: null, part_format: null, stars: null, decimals: null, unit: null, wide: null, action: null, ...more };
}

export function table(id: string, columns: TableColumn[], rows: Cell[][], more: Partial<TableElement> = {}): TableElement {
  return { type: 'table', id, name: id, place: 'main', title: `${id}的标题`, at: null, layout: 'long', turned: false, merge: [], hidden: false, columns, rows, depth: rows.map(() => 0), totals: [], marks: {}, matrix: null, more: null, ...more };
}

const SAMPLE: Sample = { file: 326, filter: 312, weight: 312, missing: 303, used: 303, weighted: null, why: [{ column: 'c2', name: '运动时长', rows: 9, reason: null }], columns: [] };

export function report(elements: Element[], more: Partial<Report> = {}, part: Partial<Part> = {}): Report {
  return {
    contract: 1,
    path: 'hypothesis_test/independent_t_test',
    version: 1,
    title: '不同性别学生的每周运动时长',
    method: { path: 'hypothesis_test/independent_t_test', title: '独立样本t检验', version: 1 },
    form: {},
    seed: 20240101,
    libraries: { hengxi: '0.1.0', numpy: '2.4.6' },
    parts: [{ group: null, sample: SAMPLE, elements, refusal: null, ...part }],
    sample: SAMPLE,
    conventions: ['*d* 以合并标准差为分母。'],
    references: [{ key: 'welch1947', gbt: 'WELCH B L. The generalization of Student’s problem[J]. Biometrika, 1947.', apa: 'Welch, B. L. (1947). The generalization of Student’s problem.', doi: '10.1093/biomet/34.1-2.28' }],
    roles: { group: [{ id: 'c1', name: '性别', label: null, measure: '定类' }] },
    filter: { condition: '{c3} >= 60', filter_type: 'keep', text: '用时 >= 60' },
    split: null,
    weight: null,
    fill_missing: false,
    elapsed: 0.034,
    stopped: false,
    ...more,
  };
}

export const MAIN = table(
  'result',
  [
    column('group', 'level', { title: '组别' }),
    column('n', 'integer', { title: '*n*' }),
    column('desc', 'mean_sd', { title: '*M* ± *SD*', parts: ['mean', 'sd'], part_format: 'num', hint: '均值 ± 标准差' }),
    column('ci', 'interval', { title: '均值 95% CI', parts: ['low', 'high'], part_format: 'num' }),
    column('p', 'pvalue', { title: '*p*' }),
  ],
  [
    [{ value: 1, label: '男' }, 139, [3.8212, 1.69], [3.54, 4.11], 0.0011],
    [{ value: 2, label: '女' }, 164, [3.2071, 1.51], [2.98, 3.44], 0.0011],
  ],
  { merge: ['p'], title: '两组比较' },
);

type Kind = ChartElement['kind'];
type Of<K extends Kind> = Extract<ChartElement, { kind: K }>;
type Base = 'type' | 'id' | 'name' | 'place' | 'title' | 'at' | 'facet' | 'over' | 'titles' | 'thinned' | 'kind';

export function chart<K extends Kind>(kind: K, words: Omit<Of<K>, Base> & Partial<Pick<Of<K>, Base>>): ChartElement {
  const made = { type: 'chart', id: `chart_${kind}`, name: `chart_${kind}`, place: 'main', title: `${kind}图`, at: null, facet: [], over: [], titles: {}, thinned: null, kind, ...words };
  return made as unknown as ChartElement;
}

export interface ChartFixture {
  chart: ChartElement;
  tables: TableElement[];
}

const seq = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const wave = (i: number): number => Math.sin(i * 1.7) + Math.cos(i * 0.6);
const hidden = { hidden: true, place: 'detail' } as const;
const t = (id: string, columns: string[], rows: Cell[][]): TableElement =>
  table(id, columns.map((key, k) => column(key, typeof rows[0]?.[k] === 'number' ? 'num' : 'text')), rows, hidden);

export const CHARTS: Record<Kind, ChartFixture> = {
  line: {
    tables: [t('lines', ['x', 'y', 's', 'low', 'high'], ['甲', '乙', '丙'].flatMap((s, k) => seq(12).map((i): Cell[] => [i, 4 + k * 2 + wave(i), s, 3.4 + k * 2 + wave(i), 4.6 + k * 2 + wave(i)])))],
    chart: chart('line', { of: 'lines', x: 'x', y: 'y', series: 's', low: 'low', high: 'high', step: null, phase: null }),
  },
  bar: {
    tables: [t('bars', ['x', 'y', 's', 'low', 'high'], ['大一', '大二', '大三', '大四'].flatMap((x, i) => ['男', '女'].map((s, k): Cell[] => [x, 20 + i * 7 - k * 5, s, 17 + i * 7 - k * 5, 23 + i * 7 - k * 5])))],
    chart: chart('bar', { of: 'bars', x: 'x', y: 'y', series: 's', start: null, low: 'low', high: 'high', second: null, arrange: 'grouped' }),
  },
  point: {
    tables: [t('points', ['x', 'y', 's'], seq(80).map((i): Cell[] => [i / 8, i / 10 + wave(i), i % 3 === 0 ? '男' : '女'])), t('fit', ['x', 'y', 'low', 'high'], seq(11).map((i): Cell[] => [i, i * 0.8, i * 0.8 - 0.7, i * 0.8 + 0.7]))],
    chart: chart('point', { of: 'points', x: 'x', y: 'y', series: 's', size: null, label: null, low: null, high: null, row: null, over: [{ type: 'line', of: 'fit', x: 'x', y: 'y', label: '拟合' }, { type: 'band', of: 'fit', x: 'x', low: 'low', high: 'high', label: null }, { type: 'reference', x: null, y: 4, label: '均值' }, { type: 'diagonal', intercept: 0, slope: 1, label: null }, { type: 'region', x_low: 6, x_high: 8, y_low: null, y_high: null, label: '区域' }] }),
  },
  box: {
    tables: [table('boxes', [...['x', 'min', 'q1', 'median', 'q3', 'max'].map((k, i) => column(k, i === 0 ? 'text' : 'num')), column('outliers', 'text'), column('density', 'text')], ['男', '女'].map((x, k): Cell[] => [x, 1 + k, 2.4 + k, 3.2 + k, 4.4 + k, 6.8 + k, [8.1 + k, 8.3 + k], seq(21).flatMap((i) => [1 + k + i * 0.3, Math.exp(-((i - 8) ** 2) / 18)])]), hidden)],
    chart: chart('box', { of: 'boxes', x: 'x', min: 'min', q1: 'q1', median: 'median', q3: 'q3', max: 'max', series: null, outliers: 'outliers', density: 'density', titles: { y: '小时' } }),
  },
  interval: {
    tables: [t('means', ['g', 'm', 'lo', 'hi'], [['男', 3.82, 3.54, 4.11], ['女', 3.21, 2.98, 3.44]]), t('cases', ['g', 'v'], seq(180).map((i): Cell[] => [i % 2 === 0 ? '男' : '女', Math.round((3.5 + 1.5 * wave(i)) * 10) / 10])), t('diff', ['label', 'd', 'dl', 'dh'], [['男 − 女', 0.61, 0.25, 0.98]])],
    chart: chart('interval', { of: 'means', x: 'g', y: 'm', low: 'lo', high: 'hi', group: null, size: null, texts: null, raw: { of: 'cases', x: 'g', y: 'v' }, contrast: { of: 'diff', label: 'label', y: 'd', low: 'dl', high: 'dh' }, titles: { y: '每周运动时长（小时）' } }),
  },
  histogram: {
    tables: [t('bins', ['a', 'b', 'n'], seq(10).map((i): Cell[] => [i, i + 1, Math.round(30 * Math.exp(-((i - 4) ** 2) / 8))]))],
    chart: chart('histogram', { of: 'bins', low: 'a', high: 'b', count: 'n', series: null, titles: { x: '年龄（岁）' } }),
  },
  heat: {
    tables: [t('cells', ['r', 'c', 'v'], ['运动', '睡眠', '成绩', '压力'].flatMap((r, i) => ['运动', '睡眠', '成绩', '压力'].map((c, k): Cell[] => [r, c, i === k ? 1 : Math.round(wave(i * 4 + k) * 40) / 100])))],
    chart: chart('heat', { of: 'cells', row: 'r', column: 'c', value: 'v', text: null, mark: null }),
  },
  network: {
    tables: [t('nodes', ['id', 'label', 'g'], ['甲', '乙', '丙', '丁', '戊'].map((l, i): Cell[] => [`n${i}`, l, i < 2 ? '因' : '果'])), t('edges', ['a', 'b', 'w'], [['n0', 'n2', 0.6], ['n1', 'n2', -0.3], ['n2', 'n3', 0.8], ['n2', 'n4', 0.4]])],
    chart: chart('network', { nodes: 'nodes', edges: 'edges', node: 'id', label: 'label', source: 'a', target: 'b', size: null, group: 'g', shape: null, x: null, y: null, weight: 'w', text: null, arrange: 'layers' }),
  },
  control: {
    tables: [table('runs', [column('i', 'integer'), ...['v', 'cl', 'u', 'l'].map((k) => column(k)), column('s', 'flag')], seq(25).map((i): Cell[] => [i + 1, i === 17 ? 14.2 : 10 + wave(i), 10, 13, 7, i === 17]), hidden)],
    chart: chart('control', { of: 'runs', index: 'i', value: 'v', cl: 'cl', ucl: 'u', lcl: 'l', signal: 's', phase: null, panel: null }),
  },
  surface: {
    tables: [t('grid', ['x', 'y', 'z'], seq(15).flatMap((i) => seq(15).map((k): Cell[] => [i, k, 60 - (i - 6) ** 2 - (k - 8) ** 2 / 2])))],
    chart: chart('surface', { of: 'grid', x: 'x', y: 'y', z: 'z', draw: 'contour' }),
  },
  tree: {
    tables: [t('joins', ['id', 'up', 'label', 'h'], [['r', null, '', 5], ['a', 'r', '', 2], ['b', 'r', '', 3], ['1', 'a', '北京', 0], ['2', 'a', '上海', 0], ['3', 'b', '广州', 0], ['4', 'b', '深圳', 0]])],
    chart: chart('tree', { of: 'joins', node: 'id', parent: 'up', label: 'label', height: 'h', value: null, draw: 'dendrogram' }),
  },
  radar: {
    tables: [t('profile', ['a', 'v', 'g'], ['甲', '乙'].flatMap((g, k) => ['速度', '力量', '耐力', '柔韧', '协调'].map((a, i): Cell[] => [a, 5 + wave(i + k * 3), g])))],
    chart: chart('radar', { of: 'profile', axis: 'a', value: 'v', group: 'g' }),
  },
  words: {
    tables: [t('cloud', ['w', 'n'], ['学习', '运动', '睡眠', '压力', '图书馆', '食堂', '室友', '论文', '实习', '考研', '社团', '篮球'].map((w, i): Cell[] => [w, 60 - i * 4]))],
    chart: chart('words', { of: 'cloud', word: 'w', weight: 'n', group: null, rows: null }),
  },
  share: {
    tables: [t('shares', ['p', 'v'], [['文学', 69], ['工学', 78], ['理学', 97], ['医学', 28]])],
    chart: chart('share', { of: 'shares', path: 'p', value: 'v', draw: 'ring' }),
  },
  mosaic: {
    tables: [t('tiles', ['r', 'c', 'n', 'e'], ['喜欢', '一般', '不喜欢'].flatMap((r, i) => ['男', '女'].map((c, k): Cell[] => [r, c, 20 + i * 8 + k * 15, i === 0 ? 2.4 - k * 4.8 : 0.3])))],
    chart: chart('mosaic', { of: 'tiles', row: 'r', column: 'c', count: 'n', residual: 'e' }),
  },
  flow: {
    tables: [t('streams', ['a', 'b', 'v'], [['入学', '理科', 60], ['入学', '文科', 40], ['理科', '就业', 35], ['理科', '读研', 25], ['文科', '就业', 30], ['文科', '读研', 10]])],
    chart: chart('flow', { of: 'streams', source: 'a', target: 'b', value: 'v' }),
  },
  nomogram: {
    tables: [t('scales', ['s', 'v', 'p'], ['得分', '年龄', '血压'].flatMap((s, k) => seq(6).map((i): Cell[] => [s, String(i * 10 + k * 20), i * (20 - k * 4)])))],
    chart: chart('nomogram', { of: 'scales', scale: 's', value: 'v', position: 'p' }),
  },
};

export const ELEMENTS: Record<Element['type'], Element> = {
  lead: { type: 'lead', id: 'lead', place: 'lead', at: null, text: '{who}比女生多 {d:num} 小时（*p* {p:peq}）。', facts: { who: '男生', d: 0.6141, p: 0.0011 }, figures: [{ title: '均值差', value: '{d:num} 小时', note: null }, { title: '检验', value: '*p* {p:peq}', note: '双侧' }] },
  text: { type: 'text', id: 'text', place: 'text', at: null, text: '论文版的一段。', facts: {}, voice: 'paper', about: null },
  table: MAIN,
  check: { type: 'check', id: 'check', place: 'check', at: null, title: '正态性', state: 'care', text: '偏度 {s:num}。', facts: { s: 0.52 }, more: { what: '数据是否近似正态。', data: '偏度 {s:num}。', impact: '样本大时影响小。', todo: '可以改用秩检验。' }, remedies: [{ title: '改用 Mann-Whitney', method: 'hypothesis_test/mann_whitney', carry: ['group'] }] },
  warning: { type: 'warning', id: 'warning', place: 'main', at: null, code: 'data.dropped', text: '剔除了 {n:integer} 行。', facts: { n: 9 }, columns: [], rows: [3, 17] },
  formula: { type: 'formula', id: 'formula', name: 'formula', place: 'detail', title: '回归方程', at: null, symbolic: 'y = b_0 + b_1 x', filled: 'y = {b0:num} + {b1:num} x', facts: { b0: 1.2345, b1: -0.5 } },
  rules: { type: 'rules', id: 'rules', name: 'rules', place: 'detail', title: '决策规则', at: null, rules: [{ when: [['c1', '<=', 2.5]], then: '甲', n: 40, share: 0.9 }] },
  try: { type: 'try', id: 'try', name: 'try', place: 'detail', title: '代入新值', at: null, model: 'm8', start: [{ c1: 12.5 }] },
  file: { type: 'file', id: 'file', name: 'file', place: 'detail', title: '下载', at: null, file_name: '结果.csv', bytes: 2048, file_id: 'f1' },
  model: { type: 'model', id: 'model', name: 'model', place: 'detail', title: '模型', at: null, model_id: 'm8', task: 'classification', features: [{ id: 'c1', name: '年龄', label: null, measure: '定量' }], scores: { AUC: 0.87 } },
  data: { type: 'data', id: 'data', name: 'data', place: 'detail', title: '因子得分', at: null, vid: null, kept: 'k1', rows: 303, columns: [{ id: 'c40', name: '得分', label: null, measure: '定量' }], changed: 303, preview: [[0.31], [-1.2]] },
  chart: CHARTS.bar.chart,
  panel: { type: 'panel', id: 'panel', name: 'panel', place: 'detail', title: '四合一', at: null, charts: [{ ...CHARTS.histogram.chart, id: 'p1' }, { ...CHARTS.box.chart, id: 'p2' }] },
};

/** One report with everything: what the tests of a page need. */
export function everything(): Report {
  const tables = Object.values(CHARTS).flatMap((f) => f.tables);
  return report([...Object.values(ELEMENTS), ...tables, { ...ELEMENTS.text, id: 'note', type: 'text', place: 'main', text: '注文。', voice: null, about: 'result' } as Element]);
}
