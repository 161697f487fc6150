/** One small chart of each kind with the tables it reads. */
import type { Cell, ChartElement, TableElement } from '../../generated/contract.ts';

import { column, table } from './reports.ts';

type Kind = ChartElement['kind'];
type Of<K extends Kind> = Extract<ChartElement, { kind: K }>;
type Base = 'type' | 'id' | 'name' | 'place' | 'title' | 'at' | 'facet' | 'over' | 'titles' | 'thinned' | 'kind';

export function chart<K extends Kind>(kind: K, words: Omit<Of<K>, Base> & Partial<Pick<Of<K>, Base>>): ChartElement {
  const built = {
    type: 'chart',
    id: `chart_${kind}`,
    name: `chart_${kind}`,
    place: 'main',
    title: `${kind}图`,
    at: null,
    facet: [],
    over: [],
    titles: {},
    thinned: null,
    kind,
    ...words,
  };
  return built as unknown as ChartElement;
}

export interface ChartFixture {
  chart: ChartElement;
  tables: TableElement[];
}

const seq = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const wave = (i: number): number => Math.sin(i * 1.7) + Math.cos(i * 0.6);
const hidden = { hidden: true, place: 'detail' } as const;
const t = (id: string, columns: string[], rows: Cell[][]): TableElement =>
  table(
    id,
    columns.map((key, k) => column(key, typeof rows[0]?.[k] === 'number' ? 'num' : 'text')),
    rows,
    hidden,
  );

export const CHARTS: Record<Kind, ChartFixture> = {
  line: {
    tables: [
      t(
        'lines',
        ['x', 'y', 's', 'low', 'high'],
        ['甲', '乙', '丙'].flatMap((s, k) =>
          seq(12).map((i): Cell[] => [i, 4 + k * 2 + wave(i), s, 3.4 + k * 2 + wave(i), 4.6 + k * 2 + wave(i)]),
        ),
      ),
    ],
    chart: chart('line', {
      of: 'lines',
      x: 'x',
      y: 'y',
      series: 's',
      low: 'low',
      high: 'high',
      step: null,
      phase: null,
      mark: null,
    }),
  },
  bar: {
    tables: [
      t(
        'bars',
        ['x', 'y', 's', 'low', 'high'],
        ['大一', '大二', '大三', '大四'].flatMap((x, i) =>
          ['男', '女'].map((s, k): Cell[] => [x, 20 + i * 7 - k * 5, s, 17 + i * 7 - k * 5, 23 + i * 7 - k * 5]),
        ),
      ),
    ],
    chart: chart('bar', {
      of: 'bars',
      x: 'x',
      y: 'y',
      series: 's',
      start: null,
      low: 'low',
      high: 'high',
      second: null,
      arrange: 'grouped',
    }),
  },
  point: {
    tables: [
      t(
        'points',
        ['x', 'y', 's'],
        seq(80).map((i): Cell[] => [i / 8, i / 10 + wave(i), i % 3 === 0 ? '男' : '女']),
      ),
      t(
        'fit',
        ['x', 'y', 'low', 'high'],
        seq(11).map((i): Cell[] => [i, i * 0.8, i * 0.8 - 0.7, i * 0.8 + 0.7]),
      ),
    ],
    chart: chart('point', {
      of: 'points',
      x: 'x',
      y: 'y',
      series: 's',
      size: null,
      label: null,
      low: null,
      high: null,
      row: null,
      shade: null,
      over: [
        { type: 'line', of: 'fit', x: 'x', y: 'y', label: '拟合' },
        { type: 'band', of: 'fit', x: 'x', low: 'low', high: 'high', label: null },
        { type: 'reference', x: null, y: 4, label: '均值' },
        { type: 'diagonal', intercept: 0, slope: 1, label: null },
        { type: 'region', x_low: 6, x_high: 8, y_low: null, y_high: null, label: '区域' },
      ],
    }),
  },
  box: {
    tables: [
      table(
        'boxes',
        [
          ...['x', 'min', 'q1', 'median', 'q3', 'max'].map((k, i) => column(k, i === 0 ? 'text' : 'num')),
          column('outliers', 'text'),
          column('density', 'text'),
        ],
        ['男', '女'].map((x, k): Cell[] => [
          x,
          1 + k,
          2.4 + k,
          3.2 + k,
          4.4 + k,
          6.8 + k,
          [8.1 + k, 8.3 + k],
          seq(21).flatMap((i) => [1 + k + i * 0.3, Math.exp(-((i - 8) ** 2) / 18)]),
        ]),
        hidden,
      ),
    ],
    chart: chart('box', {
      of: 'boxes',
      x: 'x',
      min: 'min',
      q1: 'q1',
      median: 'median',
      q3: 'q3',
      max: 'max',
      series: null,
      outliers: 'outliers',
      density: 'density',
      rows: null,
      titles: { y: '小时' },
    }),
  },
  interval: {
    tables: [
      t(
        'means',
        ['g', 'm', 'lo', 'hi'],
        [
          ['男', 3.82, 3.54, 4.11],
          ['女', 3.21, 2.98, 3.44],
        ],
      ),
      t(
        'cases',
        ['g', 'v'],
        seq(180).map((i): Cell[] => [i % 2 === 0 ? '男' : '女', Math.round((3.5 + 1.5 * wave(i)) * 10) / 10]),
      ),
      t('diff', ['label', 'd', 'dl', 'dh'], [['男 − 女', 0.61, 0.25, 0.98]]),
    ],
    chart: chart('interval', {
      of: 'means',
      x: 'g',
      y: 'm',
      low: 'lo',
      high: 'hi',
      group: null,
      size: null,
      texts: null,
      raw: { of: 'cases', x: 'g', y: 'v' },
      contrast: { of: 'diff', label: 'label', y: 'd', low: 'dl', high: 'dh' },
      titles: { y: '每周运动时长（小时）' },
    }),
  },
  histogram: {
    tables: [
      t(
        'bins',
        ['a', 'b', 'n'],
        seq(10).map((i): Cell[] => [i, i + 1, Math.round(30 * Math.exp(-((i - 4) ** 2) / 8))]),
      ),
    ],
    chart: chart('histogram', {
      of: 'bins',
      low: 'a',
      high: 'b',
      count: 'n',
      series: null,
      titles: { x: '年龄（岁）' },
    }),
  },
  heat: {
    tables: [
      t(
        'cells',
        ['r', 'c', 'v'],
        ['运动', '睡眠', '成绩', '压力'].flatMap((r, i) =>
          ['运动', '睡眠', '成绩', '压力'].map((c, k): Cell[] => [
            r,
            c,
            i === k ? 1 : Math.round(wave(i * 4 + k) * 40) / 100,
          ]),
        ),
      ),
    ],
    chart: chart('heat', { of: 'cells', row: 'r', column: 'c', value: 'v', text: null, mark: null }),
  },
  network: {
    tables: [
      t(
        'nodes',
        ['id', 'label', 'g'],
        ['甲', '乙', '丙', '丁', '戊'].map((l, i): Cell[] => [`n${i}`, l, i < 2 ? '因' : '果']),
      ),
      t(
        'edges',
        ['a', 'b', 'w'],
        [
          ['n0', 'n2', 0.6],
          ['n1', 'n2', -0.3],
          ['n2', 'n3', 0.8],
          ['n2', 'n4', 0.4],
        ],
      ),
    ],
    chart: chart('network', {
      nodes: 'nodes',
      edges: 'edges',
      node: 'id',
      label: 'label',
      source: 'a',
      target: 'b',
      size: null,
      group: 'g',
      shape: null,
      x: null,
      y: null,
      weight: 'w',
      text: null,
      mark: null,
      ends: null,
      arrange: 'layers',
    }),
  },
  control: {
    tables: [
      table(
        'runs',
        [
          column('i', 'integer'),
          ...['v', 'cl', 'u', 'l'].map((k) => column(k)),
          column('s', 'text'),
          column('r', 'rows'),
        ],
        seq(25).map((i): Cell[] => [
          i + 1,
          i === 17 ? 14.2 : 10 + wave(i),
          10,
          13,
          7,
          i === 17 ? '准则 1：1 点超出控制限' : null,
          seq(5).map((k) => i * 5 + k + 1),
        ]),
        hidden,
      ),
    ],
    chart: chart('control', {
      of: 'runs',
      index: 'i',
      value: 'v',
      cl: 'cl',
      ucl: 'u',
      lcl: 'l',
      signal: 's',
      phase: null,
      panel: null,
      label: null,
      rows: 'r',
    }),
  },
  surface: {
    tables: [
      t(
        'grid',
        ['x', 'y', 'z'],
        seq(15).flatMap((i) => seq(15).map((k): Cell[] => [i, k, 60 - (i - 6) ** 2 - (k - 8) ** 2 / 2])),
      ),
    ],
    chart: chart('surface', { of: 'grid', x: 'x', y: 'y', z: 'z', draw: 'contour' }),
  },
  tree: {
    tables: [
      t(
        'joins',
        ['id', 'up', 'label', 'h'],
        [
          ['r', null, '', 5],
          ['a', 'r', '', 2],
          ['b', 'r', '', 3],
          ['1', 'a', '北京', 0],
          ['2', 'a', '上海', 0],
          ['3', 'b', '广州', 0],
          ['4', 'b', '深圳', 0],
        ],
      ),
    ],
    chart: chart('tree', {
      of: 'joins',
      node: 'id',
      parent: 'up',
      label: 'label',
      height: 'h',
      value: null,
      draw: 'dendrogram',
    }),
  },
  radar: {
    tables: [
      t(
        'profile',
        ['a', 'v', 'g'],
        ['甲', '乙'].flatMap((g, k) =>
          ['速度', '力量', '耐力', '柔韧', '协调'].map((a, i): Cell[] => [a, 5 + wave(i + k * 3), g]),
        ),
      ),
    ],
    chart: chart('radar', { of: 'profile', axis: 'a', value: 'v', group: 'g' }),
  },
  words: {
    tables: [
      t(
        'cloud',
        ['w', 'n'],
        ['学习', '运动', '睡眠', '压力', '图书馆', '食堂', '室友', '论文', '实习', '考研', '社团', '篮球'].map(
          (w, i): Cell[] => [w, 60 - i * 4],
        ),
      ),
    ],
    chart: chart('words', { of: 'cloud', word: 'w', weight: 'n', group: null, rows: null, turn: null, mask: null }),
  },
  share: {
    tables: [
      t(
        'shares',
        ['p', 'v'],
        [
          ['文学', 69],
          ['工学', 78],
          ['理学', 97],
          ['医学', 28],
        ],
      ),
    ],
    chart: chart('share', { of: 'shares', path: 'p', value: 'v', draw: 'ring' }),
  },
  mosaic: {
    tables: [
      t(
        'tiles',
        ['r', 'c', 'n', 'e'],
        ['喜欢', '一般', '不喜欢'].flatMap((r, i) =>
          ['男', '女'].map((c, k): Cell[] => [r, c, 20 + i * 8 + k * 15, i === 0 ? 2.4 - k * 4.8 : 0.3]),
        ),
      ),
    ],
    chart: chart('mosaic', { of: 'tiles', row: 'r', column: 'c', count: 'n', residual: 'e' }),
  },
  flow: {
    tables: [
      t(
        'streams',
        ['a', 'b', 'v'],
        [
          ['入学', '理科', 60],
          ['入学', '文科', 40],
          ['理科', '就业', 35],
          ['理科', '读研', 25],
          ['文科', '就业', 30],
          ['文科', '读研', 10],
        ],
      ),
    ],
    chart: chart('flow', { of: 'streams', source: 'a', target: 'b', value: 'v' }),
  },
  nomogram: {
    tables: [
      t(
        'scales',
        ['s', 'v', 'p'],
        ['得分', '年龄', '血压'].flatMap((s, k) =>
          seq(6).map((i): Cell[] => [s, String(i * 10 + k * 20), i * (20 - k * 4)]),
        ),
      ),
    ],
    chart: chart('nomogram', { of: 'scales', scale: 's', value: 'v', position: 'p' }),
  },
};
