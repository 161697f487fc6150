/** Mosaic: widths by column totals, heights by shares within; shaded by the engine's residuals when given. */
import { integer, percent } from '../format.ts';
import type { CustomSeriesOption } from 'echarts';

import { labelStyle, LETTER_ROOM } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import { clip, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { fill, FONT, hatchOf, onFill, ramp, seriesColour } from './theme.ts';

const PROPORTIONS = '宽为横轴各类的占比，高为该类之内的占比';

interface Tile {
  x: number;
  width: number;
  y: number;
  height: number;
  i: number;
  row: number;
}

/** Areas stand for counts: a layout of the given counts, nothing more. */
function tiles(source: ChartSource, rows: readonly string[], columns: readonly string[]): Tile[] {
  const count = (i: number): number => Math.max(0, source.num('count', i) ?? 0);
  const all = Array.from({ length: source.size }, (_, i) => i);
  const total = all.reduce((sum, i) => sum + count(i), 0) || 1;
  let x = 0;
  return columns.flatMap((column) => {
    const inside = all.filter((i) => source.text('column', i) === column);
    const sum = inside.reduce((s, i) => s + count(i), 0);
    const width = sum / total;
    let y = 0;
    const cells = rows.flatMap((row, r) =>
      inside
        .filter((i) => source.text('row', i) === row)
        .map((i): Tile => {
          const height = sum > 0 ? count(i) / sum : 0;
          y += height;
          return { x, width, y: y - height, height, i, row: r };
        }),
    );
    x += width;
    return cells;
  });
}

/** A turned label goes no further than this. */
const TURNED_MOST = 96;
/** Of the length of a label turned by 45 degrees, what it takes to the left and downwards. */
const SLANT = 0.72;

/** Labels of tiles too near each other are left out; the name of each stands in its tip. */
function spaced(middles: readonly number[]): Set<number> {
  const shown = new Set<number>();
  let last = -Infinity;
  middles.forEach((at, k) => {
    if (at - last < LETTER_ROOM) return;
    shown.add(k);
    last = at;
  });
  return shown;
}

interface Names {
  left: number;
  below: number;
  isTurned: boolean;
  columns: Set<number>;
  rows: Set<number>;
}

/** Room of the names beside and below the tiles: those of columns are turned where one is wider than its tile. */
function roomOfNames(all: readonly Tile[], source: ChartSource, context: Context, height: number): Names {
  const size = textSize(context);
  const widest = (role: 'row' | 'column'): number =>
    Math.max(0, ...source.levels(role).map((name) => textWidth(name, size)));
  const heads = all.filter((t) => t.row === source.levels('row').length - 1);
  const beside = Math.min(context.width * 0.3, widest('row')) + 12;
  const isTurned = heads.some(
    (t) => textWidth(source.text('column', t.i), size) > Math.max(24, t.width * (context.width - beside)),
  );
  const slant = Math.min(TURNED_MOST, widest('column')) * SLANT;
  const left = isTurned ? Math.max(beside, slant) : beside;
  const below = isTurned ? slant + 18 : 36;
  const middles = heads.map((t) => (t.x + t.width / 2) * (context.width - left - 8));
  const first = all.filter((t) => t.x === all[0]?.x);
  return {
    left,
    below,
    isTurned,
    columns: new Set([...spaced(middles)].flatMap((k) => heads[k]?.i ?? [])),
    rows: new Set([...spaced(first.map((t) => (t.y + t.height / 2) * height))].flatMap((k) => first[k]?.i ?? [])),
  };
}

export function drawMosaic(source: ChartSource, context: Context): Drawing {
  const rows = source.levels('row');
  const columns = source.levels('column');
  const all = tiles(source, rows, columns);
  const tilesHeight = context.compact ? 206 : 276;
  const names = roomOfNames(all, source, context, tilesHeight);
  const height = 8 + tilesHeight + names.below;
  const box = { left: names.left, top: 8, width: context.width - names.left - 8, height: tilesHeight };
  const series: CustomSeriesOption = {
    type: 'custom',
    coordinateSystem: 'none',
    data: all.map((t) => ({
      value: t.i,
      row: source.row(t.i),
      tip: [
        `${source.text('row', t.i)} × ${source.text('column', t.i)}`,
        `${source.heading('count')} ${integer(source.num('count', t.i) ?? 0)}`,
        `列内占比 ${percent(t.height, 1)}`,
        ...(source.has('residual') ? [`${source.heading('residual')} ${source.shown('residual', t.i)}`] : []),
      ],
    })),
    renderItem: (params) => {
      const t = all[params.dataIndex];
      if (t === undefined) return null;
      const residual = source.num('residual', t.i);
      const paint = fill(context.theme, t.row);
      const colour =
        residual === null
          ? context.theme.hatched === true
            ? paint.color
            : seriesColour(context.theme, t.row)
          : ramp(context.theme.diverging, (Math.max(-4, Math.min(4, residual)) / 4 + 1) / 2);
      const shape = {
        x: box.left + t.x * box.width + 1,
        y: box.top + t.y * box.height + 1,
        width: Math.max(0, t.width * box.width - 2),
        height: Math.max(0, t.height * box.height - 2),
      };
      const share = percent(t.height, 1);
      const font = `${textSize(context)}px ${FONT}`;
      const fits = shape.height > 18 && shape.width > textWidth(share, textSize(context)) + 6;
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape,
            style: {
              fill: colour,
              stroke: context.theme.ink3,
              lineWidth: residual === null && paint.decal === undefined ? 0 : 0.5,
              ...(residual === null ? hatchOf(paint) : {}),
            },
          },
          ...(fits
            ? [
                {
                  type: 'text' as const,
                  x: shape.x + shape.width / 2,
                  y: shape.y + shape.height / 2,
                  style: {
                    text: share,
                    fill: onFill(context.theme, colour),
                    font,
                    align: 'center' as const,
                    verticalAlign: 'middle' as const,
                  },
                },
              ]
            : []),
          ...(names.rows.has(t.i)
            ? [
                {
                  type: 'text' as const,
                  x: box.left - 8,
                  y: shape.y + shape.height / 2,
                  style: {
                    text: clip(source.text('row', t.i), names.left - 10, textSize(context)),
                    fill: labelStyle(context).color,
                    font,
                    align: 'right' as const,
                    verticalAlign: 'middle' as const,
                  },
                },
              ]
            : []),
          ...(names.columns.has(t.i)
            ? [
                {
                  type: 'text' as const,
                  x: shape.x + shape.width / 2,
                  y: box.top + box.height + 8,
                  rotation: names.isTurned ? Math.PI / 4 : 0,
                  style: {
                    text: clip(
                      source.text('column', t.i),
                      names.isTurned ? TURNED_MOST : Math.max(24, shape.width),
                      textSize(context),
                    ),
                    fill: labelStyle(context).color,
                    font,
                    align: names.isTurned ? ('right' as const) : ('center' as const),
                  },
                },
              ]
            : []),
        ],
      };
    },
  };
  return {
    height,
    option: { series: [series] },
    ...(source.has('residual')
      ? { reading: `${PROPORTIONS}；蓝色为多于预期，棕色为少于预期。` }
      : { reading: `${PROPORTIONS}。` }),
  };
}
