/** A chart in words, for those who do not see it: kind, axes, and the values where they are few. */
import type { ChartKind } from '../../generated/contract.ts';

import { extent } from './scale.ts';
import type { ChartSource } from './source.ts';

const WORDS: Record<ChartKind, string> = {
  line: '折线图',
  bar: '柱形图',
  point: '散点图',
  box: '箱线图',
  interval: '区间图',
  histogram: '直方图',
  heat: '热力图',
  network: '网络图',
  control: '控制图',
  surface: '等值线图',
  tree: '树图',
  radar: '雷达图',
  words: '词云',
  share: '构成图',
  mosaic: '马赛克图',
  flow: '流向图',
  nomogram: '列线图',
};

/** Which word of a kind names a mark and which gives its size. */
const SAID: Record<ChartKind, readonly [string, string]> = {
  line: ['x', 'y'],
  bar: ['x', 'y'],
  point: ['x', 'y'],
  box: ['x', 'median'],
  interval: ['x', 'y'],
  histogram: ['low', 'count'],
  heat: ['row', 'value'],
  network: ['label', 'size'],
  control: ['index', 'value'],
  surface: ['x', 'z'],
  tree: ['label', 'height'],
  radar: ['axis', 'value'],
  words: ['word', 'weight'],
  share: ['path', 'value'],
  mosaic: ['row', 'count'],
  flow: ['source', 'value'],
  nomogram: ['scale', 'value'],
};

const FEW = 10;

function nameOf(source: ChartSource, kind: ChartKind, role: string, i: number): string {
  const own = source.shown(role, i);
  const second =
    kind === 'heat' || kind === 'mosaic'
      ? 'column'
      : kind === 'flow'
        ? 'target'
        : kind === 'histogram'
          ? 'high'
          : source.has('series')
            ? 'series'
            : source.has('group')
              ? 'group'
              : null;
  if (second === null) return own;
  return `${own}${kind === 'flow' ? ' 到 ' : kind === 'histogram' ? ' 至 ' : '、'}${source.shown(second, i)}`;
}

export function summaryOf(source: ChartSource): string {
  const { kind } = source.chart;
  const [name, size] = SAID[kind];
  const head = `${source.title}，${WORDS[kind]}`;
  if (!source.has(size)) return `${head}，共 ${source.size} 项。`;
  const axis = source.heading(size);
  if (source.size <= FEW && kind !== 'point') {
    const each = Array.from({ length: source.size }, (_, i) => {
      const range =
        source.has('low') && source.has('high') && kind !== 'histogram'
          ? `（${source.shown('low', i)} 到 ${source.shown('high', i)}）`
          : '';
      return `${nameOf(source, kind, name, i)}：${source.shown(size, i)}${range}`;
    });
    return `${head}，${axis}。${each.join('；')}。`;
  }
  const values = source.numbers(size);
  const [low, high] = extent(values);
  const at = (v: number): number => values.indexOf(v);
  if (kind === 'point')
    return `${head}，${source.size} 个点，横轴${source.heading('x')}，纵轴${axis}，纵轴从 ${source.shown(size, at(low))} 到 ${source.shown(size, at(high))}。`;
  return `${head}，${axis}，共 ${source.size} 项。最高：${nameOf(source, kind, name, at(high))}，${source.shown(size, at(high))}；最低：${nameOf(source, kind, name, at(low))}，${source.shown(size, at(low))}。`;
}
