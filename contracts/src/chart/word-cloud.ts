/** A word cloud: area by weight, largest in the middle, placed on a fixed spiral so that it is the same every time. */
import type { CustomSeriesOption } from 'echarts';

import type { Context, Drawing } from './drawing.ts';
import { extent, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT, seriesColour } from './theme.ts';

interface Word {
  i: number;
  text: string;
  size: number;
  x: number;
  y: number;
  width: number;
  colour: number;
}

const MOST = 160;

function placed(source: ChartSource, width: number, height: number): Word[] {
  const [low, high] = extent(source.numbers('weight'));
  const groups = source.has('group') ? source.levels('group') : [];
  const order = Array.from({ length: source.size }, (_, i) => i)
    .sort((a, b) => (source.num('weight', b) ?? 0) - (source.num('weight', a) ?? 0))
    .slice(0, MOST);
  const done: Word[] = [];
  for (const i of order) {
    const share = high === low ? 0.5 : Math.sqrt(((source.num('weight', i) ?? low) - low) / (high - low));
    const size = 12 + share * Math.min(40, width / 12);
    const text = source.text('word', i);
    const box = {
      i,
      text,
      size,
      width: textWidth(text, size),
      colour: groups.length > 0 ? groups.indexOf(source.text('group', i)) : done.length % 3,
    };
    const at = spot(box.width, size, done, width, height);
    if (at !== null) done.push({ ...box, ...at });
  }
  return done;
}

function spot(
  w: number,
  size: number,
  done: readonly Word[],
  width: number,
  height: number,
): { x: number; y: number } | null {
  for (let k = 0; k < 1400; k += 1) {
    const turn = k * 0.35;
    const x = width / 2 + Math.cos(turn) * turn * 1.9;
    const y = height / 2 + Math.sin(turn) * turn * 0.95;
    const inside = x - w / 2 > 2 && x + w / 2 < width - 2 && y - size / 2 > 2 && y + size / 2 < height - 2;
    if (
      inside &&
      done.every((o) => Math.abs(o.x - x) > (o.width + w) / 2 + 4 || Math.abs(o.y - y) > (o.size + size) / 2 + 2)
    )
      return { x, y };
  }
  return null;
}

export function drawWordCloud(source: ChartSource, context: Context): Drawing {
  const height = context.compact ? 260 : 360;
  const all = placed(source, context.width, height);
  const groups = source.has('group') ? source.levels('group') : [];
  const series: CustomSeriesOption = {
    type: 'custom',
    coordinateSystem: 'none',
    data: all.map((w) => ({
      value: w.i,
      row: source.row(w.i),
      tip: [w.text, `${source.heading('weight')} ${source.shown('weight', w.i)}`],
    })),
    renderItem: (params) => {
      const w = all[params.dataIndex];
      if (w === undefined) return null;
      return {
        type: 'text',
        x: w.x,
        y: w.y,
        style: {
          text: w.text,
          fill:
            groups.length > 0
              ? seriesColour(context.theme, w.colour)
              : ([context.theme.ink, context.theme.pri, context.theme.ink2][w.colour] ?? context.theme.ink),
          font: `600 ${w.size}px ${FONT}`,
          align: 'center',
          verticalAlign: 'middle',
        },
      };
    },
  };
  return {
    height,
    option: { series: [series] },
    ...(groups.length > 1 ? { legend: groups.map((text, index) => ({ text, index, dot: true })) } : {}),
    ...(all.length < source.size ? { reading: `图中显示权重最大的 ${all.length} 个词，共 ${source.size} 个。` } : {}),
  };
}
