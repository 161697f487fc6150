/**
 * A word cloud: size by weight, largest in the middle, placed on a fixed spiral so that it is the same every time. Words
 * stand inside the shape of the chart's mask; of words with a turn of 90 the text runs upwards.
 */
import type { CustomSeriesOption } from 'echarts';

import type { Context, Drawing } from './drawing.ts';
import { extent, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT, seriesColour } from './theme.ts';

interface Box {
  /** Width and height on the picture, after the turn. */
  w: number;
  h: number;
}

interface Word extends Box {
  i: number;
  text: string;
  size: number;
  upright: boolean;
  x: number;
  y: number;
  colour: number;
}

const MOST = 500;
const SMALLEST = 10;
const STEPS = 2600;
/** Sizes tried until the words wanted have room, from the largest. */
const SCALES = [1.3, 1, 0.82, 0.67, 0.55, 0.45] as const;

interface Room {
  width: number;
  height: number;
  /** Is a point of the picture inside the shape? */
  inside: (x: number, y: number) => boolean;
  /** Share of the picture words may stand on. */
  share: number;
}

/** The shape fills the picture, its proportions kept. */
function roomOf(lines: readonly string[], width: number, height: number): Room {
  const rows = lines.length;
  const columns = lines[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return { width, height, inside: () => true, share: 1 };
  const cell = Math.min((width - 8) / columns, (height - 8) / rows);
  const left = (width - columns * cell) / 2;
  const top = (height - rows * cell) / 2;
  const inked = lines.reduce((sum, line) => sum + [...line].filter((mark) => mark === '1').length, 0);
  return {
    width,
    height,
    inside: (x, y) => lines[Math.floor((y - top) / cell)]?.[Math.floor((x - left) / cell)] === '1',
    share: (inked * cell * cell) / (width * height),
  };
}

/** Corners, edges and middle of a box, about every third of a character. */
function* probes({ w, h }: Box, x: number, y: number): Generator<[number, number]> {
  const across = Math.max(2, Math.ceil(w / 14));
  const down = Math.max(2, Math.ceil(h / 14));
  for (let i = 0; i <= across; i += 1)
    for (let j = 0; j <= down; j += 1) yield [x + (i / across - 0.5) * w, y + (j / down - 0.5) * h];
}

/** Colours by the groups that have a name; without one words take turns. */
const groupsOf = (source: ChartSource): string[] =>
  source.has('group') ? source.levels('group').filter((name) => name !== '' && name !== '–' && name !== '—') : [];

function spot(box: Box, done: readonly Word[], room: Room): { x: number; y: number } | null {
  const { width, height, inside } = room;
  for (let k = 0; k < STEPS; k += 1) {
    const turn = k * 0.3;
    const x = width / 2 + Math.cos(turn) * turn * (width / height) * 0.75;
    const y = height / 2 + Math.sin(turn) * turn * 0.75;
    const fits = x - box.w / 2 > 2 && x + box.w / 2 < width - 2 && y - box.h / 2 > 2 && y + box.h / 2 < height - 2;
    if (
      !fits ||
      done.some((o) => Math.abs(o.x - x) < (o.w + box.w) / 2 + 3 && Math.abs(o.y - y) < (o.h + box.h) / 2 + 1)
    )
      continue;
    if ([...probes(box, x, y)].every(([px, py]) => inside(px, py))) return { x, y };
  }
  return null;
}

function placed(source: ChartSource, room: Room, scale: number): Word[] {
  const [low, high] = extent(source.numbers('weight'));
  const groups = groupsOf(source);
  const order = Array.from({ length: source.size }, (_, i) => i)
    .sort((a, b) => (source.num('weight', b) ?? 0) - (source.num('weight', a) ?? 0))
    .slice(0, MOST);
  const largest = Math.min(56, room.width / 9, room.height / 5) * Math.sqrt(room.share) * scale;
  const done: Word[] = [];
  for (const i of order) {
    const share = high === low ? 0.5 : Math.sqrt(((source.num('weight', i) ?? low) - low) / (high - low));
    const size = SMALLEST + share * Math.max(0, largest - SMALLEST);
    const text = source.text('word', i);
    const upright = source.num('turn', i) === 90;
    const long = textWidth(text, size);
    const box = upright ? { w: size, h: long } : { w: long, h: size };
    const at = spot(box, done, room);
    if (at === null) continue;
    const colour = groups.length > 0 ? groups.indexOf(source.text('group', i)) : done.length % 3;
    done.push({ i, text, size, upright, ...box, ...at, colour });
  }
  return done;
}

/** Of the words wanted so many must have room: a few small ones left out matter less than sizes that tell nothing. */
const ENOUGH = 0.9;

/** The largest size at which nearly all have room; else the one at which most have. */
function arranged(source: ChartSource, room: Room): Word[] {
  const wanted = Math.min(source.size, MOST);
  let best: Word[] = [];
  for (const scale of SCALES) {
    const words = placed(source, room, scale);
    if (words.length > best.length) best = words;
    if (best.length >= wanted * ENOUGH) break;
  }
  return best;
}

/** The words with their places, and the shape they stand in. */
export function arrangedWords(source: ChartSource, context: Context) {
  const mask = source.other('mask');
  const lines = mask === null ? [] : Array.from({ length: mask.size }, (_, i) => mask.text('line', i));
  const height = context.compact ? 260 : lines.length > 0 ? 420 : 360;
  const room = roomOf(lines, context.width, height);
  return { height, list: arranged(source, room), inside: room.inside };
}

export function drawWordCloud(source: ChartSource, context: Context): Drawing {
  const { height, list: all } = arrangedWords(source, context);
  const groups = groupsOf(source);
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
        rotation: w.upright ? Math.PI / 2 : 0,
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
    ...(all.length < source.size
      ? { reading: `图中放下 ${all.length} 个词，共 ${source.size} 个；没放下的见词表。` }
      : {}),
  };
}
