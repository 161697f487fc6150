/** What a reader changes about one figure. Presentation only: no value of a table is touched, everything can be taken back. */
import type { ChartElement, ChartKind } from '../../generated/contract.ts';

export const PALETTES = ['house', 'bright', 'blue', 'grey', 'pattern'] as const;
export type Palette = (typeof PALETTES)[number];
export const PALETTE_NAMES: Readonly<Record<Palette, string>> = {
  house: '默认（色觉障碍者也能分辨）',
  bright: '鲜明（Okabe-Ito，同样能分辨）',
  blue: '单色深浅',
  grey: '灰度印刷',
  pattern: '灰度加花纹',
};

export const LETTERS = ['house', 'song', 'hei', 'times', 'arial'] as const;
/** Families a figure may be set in; each falls back to what systems ship in its place. */
export type Letters = (typeof LETTERS)[number];
export const LETTER_NAMES: Readonly<Record<Letters, string>> = {
  house: '默认（无衬线）',
  song: '宋体',
  hei: '黑体',
  times: 'Times New Roman（汉字宋体）',
  arial: 'Arial（汉字黑体）',
};

/** Letters of a figure on paper, in points. */
export const POINTS = [7, 8, 9, 10, 10.5, 12] as const;

export const SIZES = ['single', 'middle', 'double', 'slide'] as const;
export type FigureSize = (typeof SIZES)[number];
/** Widths in millimetres; a slide also has a fixed height of 9/16. */
export const MILLIMETRES: Readonly<Record<FigureSize, number>> = { single: 85, middle: 140, double: 180, slide: 254 };
export const SIZE_NAMES: Readonly<Record<FigureSize, string>> = {
  single: '单栏 85 mm',
  middle: '一栏半 140 mm',
  double: '双栏 180 mm',
  slide: 'PPT 16:9（254 mm）',
};

export type Spread = 'ci' | 'sd' | 'se';
export const SPREAD_NAMES: Readonly<Record<Spread, string>> = {
  ci: '置信区间',
  sd: '均值 ± 标准差（SD）',
  se: '均值 ± 标准误（SE）',
};

export type Brackets = 'none' | 'significant' | 'all';
export type AxisName = 'x' | 'y';

export interface Limits {
  min: number | null;
  max: number | null;
  /** Distance of the ticks. */
  step: number | null;
}

export interface ReferenceLine {
  axis: AxisName;
  at: number;
  label: string;
}

/** A text of the reader's own, at a place counted from the left and the top of one drawing as shares of its size. */
export interface Annotation {
  x: number;
  y: number;
  text: string;
  /** The facet it stands in; of a chart without facets the empty text. */
  facet: string;
}

export interface FigureEdit {
  title?: string;
  axes?: Partial<Record<AxisName, string>>;
  limits?: Partial<Record<AxisName, Limits>>;
  /** Labels of the groups as they shall stand; others follow in the order they came. */
  order?: string[];
  palette?: Palette;
  pt?: number;
  size?: FigureSize;
  /** As wide as the page, whatever size holds for all figures or for the panel. */
  asPage?: true;
  spread?: Spread;
  points?: boolean;
  lines?: ReferenceLine[];
  brackets?: Brackets;
  letters?: Letters;
  texts?: Annotation[];
}

/** What holds for every figure of a report unless a figure says otherwise. */
export type FigureStyle = Pick<FigureEdit, 'palette' | 'pt' | 'size' | 'letters'>;
export const STYLE_KEYS = ['palette', 'pt', 'size', 'letters'] as const;

/** What an editor may offer for a kind. Colours, letters, size and title are offered for all. */
export interface Offer {
  /** The word of the chart whose heading names each axis. */
  axes: Partial<Record<AxisName, string>>;
  /** Axes with numbers, whose limits can be set; `zero`: bars stand on zero, only the far end moves. */
  limits: readonly AxisName[];
  zero: boolean;
  /** The word whose labels are groups that can change places. */
  order: string | null;
  /** Single cases or symbols that can be left out. */
  points: string | null;
  lines: readonly AxisName[];
  spread: boolean;
  brackets: boolean;
  hatched: boolean;
}

const NONE: Offer = {
  axes: {},
  limits: [],
  zero: false,
  order: null,
  points: null,
  lines: [],
  spread: false,
  brackets: false,
  hatched: false,
};

export const OFFERS: Readonly<Record<ChartKind, Offer>> = {
  line: { ...NONE, axes: { x: 'x', y: 'y' }, limits: ['x', 'y'], points: '数据点', lines: ['x', 'y'] },
  bar: { ...NONE, axes: { y: 'y' }, limits: ['y'], zero: true, order: 'x', lines: ['y'], hatched: true },
  point: { ...NONE, axes: { x: 'x', y: 'y' }, limits: ['x', 'y'], lines: ['x', 'y'] },
  box: {
    ...NONE,
    axes: { y: 'y' },
    limits: ['y'],
    order: 'x',
    points: '离群值',
    lines: ['y'],
    brackets: true,
    hatched: true,
  },
  interval: {
    ...NONE,
    axes: { y: 'y' },
    limits: ['y'],
    order: 'x',
    points: '个案的点',
    lines: ['y'],
    spread: true,
    brackets: true,
  },
  histogram: {
    ...NONE,
    axes: { x: 'x', y: 'count' },
    limits: ['x', 'y'],
    zero: true,
    lines: ['x', 'y'],
    hatched: true,
  },
  heat: NONE,
  network: NONE,
  control: NONE,
  surface: NONE,
  tree: NONE,
  radar: NONE,
  words: NONE,
  share: { ...NONE, hatched: true },
  mosaic: { ...NONE, hatched: true },
  flow: NONE,
  nomogram: NONE,
};

export const offerOf = (chart: ChartElement): Offer => OFFERS[chart.kind];

/** Numbers a person may type; full-width signs and true minus are understood. Null where it is no number. */
export function typedNumber(text: string): number | null {
  const plain = text.normalize('NFKC').replaceAll('−', '-').replaceAll(',', '').trim();
  if (plain === '') return null;
  const x = Number(plain);
  return Number.isFinite(x) ? x : null;
}

// --- reading what was stored ---------------------------------------------------------------------------------------------

type Stored = Readonly<Record<string, unknown>>;
const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const word = (value: unknown, most: number): string | null => (typeof value === 'string' ? value.slice(0, most) : null);
const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** Annotations a figure takes, and letters one has. */
export const MOST_TEXTS = 20;
export const TEXT_LETTERS = 60;

const MOST = { words: 200, label: 60, lines: 10, groups: 500 };

/** Only what the edit says and what makes sense. */
export function readFigure(stored: unknown): FigureEdit {
  if (!isStored(stored)) return {};
  const edit: FigureEdit = {};
  const title = word(stored['title'], MOST.words);
  if (title !== null && title.trim() !== '') edit.title = title;
  const axes = perAxis(stored['axes'], (v) => word(v, MOST.words));
  if (axes !== null) edit.axes = axes;
  const limits = perAxis(stored['limits'], readLimits);
  if (limits !== null) edit.limits = limits;
  if (Array.isArray(stored['order'])) {
    const order = stored['order'].filter((t: unknown): t is string => typeof t === 'string').slice(0, MOST.groups);
    if (order.length > 0) edit.order = order;
  }
  const palette = PALETTES.find((p) => p === stored['palette']);
  if (palette !== undefined) edit.palette = palette;
  const pt = POINTS.find((p) => p === stored['pt']);
  if (pt !== undefined) edit.pt = pt;
  const size = SIZES.find((s) => s === stored['size']);
  if (size !== undefined) edit.size = size;
  else if (stored['asPage'] === true) edit.asPage = true;
  const spread = (['ci', 'sd', 'se'] as const).find((s) => s === stored['spread']);
  if (spread !== undefined) edit.spread = spread;
  if (typeof stored['points'] === 'boolean') edit.points = stored['points'];
  const brackets = (['none', 'significant', 'all'] as const).find((b) => b === stored['brackets']);
  if (brackets !== undefined) edit.brackets = brackets;
  if (Array.isArray(stored['lines'])) {
    const lines = stored['lines'].flatMap(readLine).slice(0, MOST.lines);
    if (lines.length > 0) edit.lines = lines;
  }
  const letters = LETTERS.find((l) => l === stored['letters']);
  if (letters !== undefined) edit.letters = letters;
  if (Array.isArray(stored['texts'])) {
    const texts = stored['texts'].flatMap(readText).slice(0, MOST_TEXTS);
    if (texts.length > 0) edit.texts = texts;
  }
  return edit;
}

function perAxis<T>(value: unknown, read: (v: unknown) => T | null): Partial<Record<AxisName, T>> | null {
  if (!isStored(value)) return null;
  const limits: Partial<Record<AxisName, T>> = {};
  for (const axis of ['x', 'y'] as const) {
    const own = read(value[axis]);
    if (own !== null) limits[axis] = own;
  }
  return Object.keys(limits).length > 0 ? limits : null;
}

function readLimits(value: unknown): Limits | null {
  if (!isStored(value)) return null;
  const [min, max, step] = [finite(value['min']), finite(value['max']), finite(value['step'])];
  if (min !== null && max !== null && min >= max) return null;
  const kept = { min, max, step: step !== null && step > 0 ? step : null };
  return kept.min === null && kept.max === null && kept.step === null ? null : kept;
}

function readLine(value: unknown): ReferenceLine[] {
  if (!isStored(value)) return [];
  const at = finite(value['at']);
  const axis = (['x', 'y'] as const).find((a) => a === value['axis']);
  if (at === null || axis === undefined) return [];
  return [{ axis, at, label: word(value['label'], MOST.label) ?? '' }];
}

function readText(value: unknown): Annotation[] {
  if (!isStored(value)) return [];
  const [x, y] = [finite(value['x']), finite(value['y'])];
  const text = word(value['text'], TEXT_LETTERS)?.trim() ?? '';
  if (x === null || y === null || text === '') return [];
  return [{ x: inside(x), y: inside(y), text, facet: word(value['facet'], MOST.words) ?? '' }];
}

/** A place inside the drawing, to the thousandth. */
export function inside(share: number): number {
  return Math.round(Math.min(0.99, Math.max(0.01, share)) * 1000) / 1000;
}
