/** Colours and shapes of charts (look/style.md section 8). Canvas and exported pictures cannot read CSS variables, so the values stand here. */

import type { FigureStyle, Letters } from './figure-edit.ts';

export interface ChartTheme {
  name: 'light' | 'dark' | 'grey';
  paper: string;
  ink: string;
  ink2: string;
  ink3: string;
  line: string;
  line2: string;
  pri: string;
  /** Series 1 to 8, in the fixed order: lines, dots, strokes. */
  series: readonly string[];
  /** Fills where they differ from the strokes. */
  fills?: readonly string[];
  /** Series too light against the paper: fills take a 1 px ink outline, lines a casing. */
  outlined: readonly boolean[];
  /** Raw points. */
  dot: number;
  sequence: readonly string[];
  diverging: readonly string[];
  /** Letters in CSS pixels, where the reader chose their size. */
  size?: number;
  /** Hatches over the fills. */
  hatched?: boolean;
  /** The family of all letters, where the reader chose one. */
  family?: string;
}

const SEQUENCE = ['#F1F5F9', '#CFE0EC', '#9DC0D9', '#6A9DC3', '#3F78A8', '#1F5582', '#123A5C'];
const DIVERGING = ['#8C4A12', '#C5843F', '#E7C49A', '#F4F2EC', '#A9C7DD', '#5A93BD', '#1F5582'];

export const LIGHT: ChartTheme = {
  name: 'light',
  paper: '#FFFFFF',
  ink: '#1D232B',
  ink2: '#4C545E',
  ink3: '#666D76',
  line: '#E4E1D9',
  line2: '#EFEDE7',
  pri: '#1F5582',
  series: ['#25509A', '#CC822F', '#1B886D', '#6FC5F5', '#891521', '#FCC95B', '#9A7BA5', '#2E3540'],
  outlined: [false, false, false, true, false, true, false, false],
  dot: 0.42,
  sequence: SEQUENCE,
  diverging: DIVERGING,
};

export const DARK: ChartTheme = {
  name: 'dark',
  paper: '#1B1F24',
  ink: '#E8E6E1',
  ink2: '#B4B8BD',
  ink3: '#8E959E',
  line: '#343A42',
  line2: '#282D34',
  pri: '#7FB3DE',
  series: ['#28A3EA', '#EEA280', '#5B8C73', '#91E7F7', '#BC4F43', '#FEEC86', '#BE9EB6', '#667177'],
  outlined: [false, false, false, false, false, false, false, false],
  dot: 0.62,
  sequence: SEQUENCE.toReversed(),
  diverging: ['#E7A965', '#B9783A', '#6B4A2A', '#2B3036', '#2C4F6C', '#4A86B5', '#8FC1E8'],
};

/** 灰度印刷: the same order as lightness; patterns are laid over by the fills below. */
export const GREY: ChartTheme = {
  ...LIGHT,
  name: 'grey',
  pri: '#1D232B',
  series: ['#000000', '#777777', '#3B3B3B', '#999999', '#1A1A1A', '#8A8A8A', '#5C5C5C', '#A6A6A6'],
  fills: ['#000000', '#FFFFFF', '#777777', '#FFFFFF', '#494949', '#C9C9C9', '#FFFFFF', '#999999'],
  outlined: [true, true, true, true, true, true, true, true],
  sequence: ['#F5F5F5', '#DDDDDD', '#BBBBBB', '#999999', '#777777', '#494949', '#1A1A1A'],
  diverging: ['#1A1A1A', '#777777', '#C9C9C9', '#FFFFFF', '#C9C9C9', '#777777', '#1A1A1A'],
};

/** Okabe and Ito's colours in an order whose neighbours differ in lightness too. */
const BRIGHT = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#D55E00', '#56B4E9', '#000000', '#F0E442'];
const BLUE = ['#123A5C', '#6A9DC3', '#1F5582', '#9DC0D9', '#3F78A8', '#CFE0EC', '#0B263D', '#84AECD'];
const BLUE_DARK = ['#7FB3DE', '#3F78A8', '#CFE0EC', '#5A93BD', '#9DC0D9', '#2C6496', '#E6F0F7', '#84AECD'];
/** Light fills that carry a hatch each. */
const PATTERN = ['#FFFFFF', '#D9D9D9', '#FFFFFF', '#D9D9D9', '#FFFFFF', '#BFBFBF', '#FFFFFF', '#EFEFEF'];

/** The theme with what its reader chose: colours and the size of letters. */
export function themed(theme: ChartTheme, { palette, pt, letters }: FigureStyle): ChartTheme {
  const size = {
    ...(pt === undefined ? {} : { size: (pt * 4) / 3 }),
    ...(letters === undefined || letters === 'house' ? {} : { family: FAMILIES[letters] }),
  };
  switch (palette ?? 'house') {
    case 'bright':
      return theme.name === 'dark'
        ? { ...theme, ...size, series: BRIGHT.map((c) => (c === '#000000' ? theme.ink2 : c)) }
        : { ...theme, ...size, series: BRIGHT, outlined: [false, false, false, false, false, false, false, true] };
    case 'blue':
      return theme.name === 'dark'
        ? { ...theme, ...size, series: BLUE_DARK }
        : { ...theme, ...size, series: BLUE, outlined: [false, false, false, true, false, true, false, true] };
    case 'grey':
      return { ...GREY, ...size };
    case 'pattern':
      return { ...GREY, ...size, fills: PATTERN, hatched: true };
    default:
      return { ...theme, ...size };
  }
}

export const FONT =
  "-apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', sans-serif";

const SONG = "SimSun, 'Songti SC', 'Noto Serif SC', 'Noto Serif CJK SC', serif";
const HEI = "SimHei, 'Heiti SC', 'Noto Sans SC', 'Noto Sans CJK SC', sans-serif";
const FAMILIES: Readonly<Record<Exclude<Letters, 'house'>, string>> = {
  song: SONG,
  hei: HEI,
  times: `'Times New Roman', 'Liberation Serif', ${SONG}`,
  arial: `Arial, 'Liberation Sans', ${HEI}`,
};

export const familyOf = ({ family }: ChartTheme): string => family ?? FONT;

/** Series n is also marker n and dash n, because colour is never alone. */
export const MARKERS = [
  'circle',
  'diamond',
  'triangle',
  'rect',
  'path://M0,0L10,0L5,9Z',
  'path://M4,0L6,0L6,4L10,4L10,6L6,6L6,10L4,10L4,6L0,6L0,4L4,4Z',
  'path://M1.5,0L5,3.5L8.500,0L10,1.5L6.5,5L10,8.500L8.500,10L5,6.5L1.5,10L0,8.500L3.5,5L0,1.5Z',
  'emptyCircle',
] as const;
export const DASHES: readonly (number[] | 'solid')[] = [
  'solid',
  [7, 4],
  [2, 3],
  [8, 3, 2, 3],
  [12, 4],
  [3, 2],
  [1, 4],
  [10, 3, 2, 3, 2, 3],
];

export function seriesColour(theme: ChartTheme, index: number): string {
  return theme.series[index % theme.series.length] ?? theme.ink;
}

/** Fill of a bar or a sector: colour, and an outline where the colour alone is too weak. */
export function fill(
  theme: ChartTheme,
  index: number,
): { color: string; borderColor?: string; borderWidth?: number; decal?: Decal } {
  const color = (theme.fills ?? theme.series)[index % 8] ?? theme.ink;
  const weak = theme.outlined[index % 8] === true;
  const decal =
    theme.hatched === true ? ALL_HATCHES[index % 8] : theme.name === 'grey' ? HATCHES[index % 8] : undefined;
  return {
    color,
    ...(weak ? { borderColor: theme.ink, borderWidth: 1 } : {}),
    ...(decal ? { decal } : {}),
  };
}

/** Where there is one series alone, patterns begin with a pattern and not with the empty fill. */
export const firstFill = (theme: ChartTheme, groups: number): number => (theme.hatched === true && groups < 2 ? 1 : 0);

/** For shapes a kind draws itself. */
export const hatchOf = ({ decal }: { decal?: Decal }): { decal?: Decal } => (decal === undefined ? {} : { decal });

export interface Decal {
  symbol: 'rect';
  color: string;
  dashArrayX: [number, number];
  dashArrayY: [number, number];
  rotation: number;
}

function hatch(rotation: number): Decal {
  return { symbol: 'rect', color: '#000000', dashArrayX: [1, 0], dashArrayY: [1, 4], rotation };
}

/** Of the grey print: 2 hatch /, 4 hatch \, 7 cross-hatch (drawn close). */
const HATCHES: readonly (Decal | undefined)[] = [
  undefined,
  hatch(-Math.PI / 4),
  undefined,
  hatch(Math.PI / 4),
  undefined,
  undefined,
  { ...hatch(Math.PI / 4), dashArrayX: [2, 2], dashArrayY: [2, 2] },
  undefined,
];

/** Eight that differ in direction or width: for prints without any tone. */
const ALL_HATCHES: readonly (Decal | undefined)[] = [
  undefined,
  hatch(-Math.PI / 4),
  hatch(Math.PI / 4),
  hatch(0),
  hatch(Math.PI / 2),
  { ...hatch(-Math.PI / 4), dashArrayY: [2, 3] },
  { ...hatch(Math.PI / 4), dashArrayX: [2, 2], dashArrayY: [2, 2] },
  { ...hatch(0), dashArrayY: [2, 6] },
];

/** The place of a value in a list of colours, mixed between neighbours. */
export function ramp(colours: readonly string[], share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (colours.length - 1);
  const low = Math.floor(at);
  const a = rgb(colours[low] ?? '#000000');
  const b = rgb(colours[Math.min(low + 1, colours.length - 1)] ?? '#000000');
  return `rgb(${a.map((v, i) => Math.round(v + ((b[i] ?? v) - v) * (at - low))).join(',')})`;
}

function rgb(hex: string): number[] {
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
}

/** Ink or paper, whichever reads better on a fill given as rgb(). */
export function onFill(theme: ChartTheme, colour: string): string {
  const [r = 0, g = 0, b = 0] = colour.startsWith('#') ? rgb(colour) : (colour.match(/\d+/g) ?? []).map(Number);
  const light = 0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2 > 0.3;
  if (theme.name === 'dark') return light ? '#14171B' : '#E8E6E1';
  return light ? '#1D232B' : '#FFFFFF';
}
