/** Figures as pixels and vectors on the server; the drawings are those of the screen. */
import { deflateSync } from 'node:zlib';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import { paintPlate } from '@hengxi/contracts/chart/paint';
import { type Plate, PX_PER_MM, platesOf } from '@hengxi/contracts/chart/plate';
import { png, tiff } from '@hengxi/contracts/chart/raster';
import { plateSvg } from '@hengxi/contracts/chart/svg';
import { MILLIMETRES } from '@hengxi/contracts/chart/figure-edit';
import { type ChartTheme, LIGHT } from '@hengxi/contracts/chart/theme';
import type { Block, FigureBlock } from '@hengxi/contracts/report/blocks';
import { wordsOf } from '@hengxi/contracts/report/blocks';
import { setPlatformAPI } from 'echarts/core';
import { OWN_FONTS } from './fonts.ts';
import { Refused } from './job.ts';

setPlatformAPI({ createCanvas: () => createCanvas(32, 32) as never });

for (const path of OWN_FONTS) GlobalFonts.registerFromPath(path);

/** Fonts with 汉字 that may stand on a server; without one, pictures show boxes. */
const HAN = /CJK|Noto (Sans|Serif) SC|Source Han|WenQuanYi|YaHei|PingFang|Hiragino|Sim(Sun|Hei)|Heiti|Songti/i;

export const hasHanFont = (): boolean => GlobalFonts.families.some(({ family }) => HAN.test(family));

const easel = {
  make: (width: number, height: number): Canvas => {
    const canvas = createCanvas(width, height);
    // Fonts for several languages draw some 汉字 differently.
    canvas.getContext('2d').lang = 'zh-Hans';
    return canvas;
  },
  brush: (canvas: Canvas) => canvas.getContext('2d'),
};

export interface Drawn {
  plate: Plate;
  theme: ChartTheme;
  title: string;
}

/** Between the margins of a page, in millimetres; figures of dozens of drawings go on over several. */
export const PAGE_MM = 215;

interface Room {
  /** Where the reader chose no width of their own. */
  mm: number;
  /** No picture is higher: in millimetres. */
  most?: number;
}

/** None where the figure has nothing to draw. */
export function drawnAt(block: FigureBlock, { mm: otherwise, most = Infinity }: Room): Drawn[] {
  const theme = LIGHT;
  const mm = block.size === null ? otherwise : MILLIMETRES[block.size];
  const wish = { width: mm * PX_PER_MM, theme, edits: block.edits, most: most * PX_PER_MM };
  return platesOf(block.figure, block.tables, wish).map((plate) => ({ plate, theme, title: wordsOf(block.title) }));
}

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

async function pixelsOf({ plate, theme }: Drawn, dpi: number): Promise<Pixels> {
  const canvas = await paintPlate(plate, theme, dpi / 96, easel);
  const { width, height } = canvas;
  return { width, height, data: canvas.getContext('2d').getImageData(0, 0, width, height).data };
}

export async function asPng(drawn: Drawn, dpi: number): Promise<Uint8Array> {
  const { data, width, height } = await pixelsOf(drawn, dpi);
  return png(data, { width, height, dpi }, (bytes) => deflateSync(bytes, { level: 4 }));
}

export async function asTiff(drawn: Drawn, dpi: number): Promise<Uint8Array> {
  const { data, width, height } = await pixelsOf(drawn, dpi);
  return tiff(data, width, height, dpi);
}

export const asSvg = ({ plate, theme, title }: Drawn): Promise<string> => plateSvg(plate, theme, title);

/** Said in the place of a figure without a picture. */
export const NO_PICTURE = { empty: '没有可以画的数据。', failed: '这张图画不出来，数字见表。' } as const;

export interface Pictured<T> {
  drawn: Drawn;
  made: T;
}

/** The pictures of a figure, of which most have one. What cannot be drawn does not take the document with it. */
export async function pictured<T>(
  block: FigureBlock,
  room: Room,
  write: (drawn: Drawn) => Promise<T>,
): Promise<Pictured<T>[] | keyof typeof NO_PICTURE> {
  try {
    const made: Pictured<T>[] = [];
    for (const drawn of drawnAt(block, room)) made.push({ drawn, made: await write(drawn) });
    return made.length === 0 ? 'empty' : made;
  } catch (error) {
    if (error instanceof Refused) throw error;
    return 'failed';
  }
}

export const figuresIn = (blocks: readonly Block[]): FigureBlock[] =>
  blocks.filter((b): b is FigureBlock => b.type === 'figure');
