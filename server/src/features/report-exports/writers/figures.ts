/** Figures as pixels and vectors on the server; the drawings are those of the screen. */
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import { paintPlate } from '@hengxi/contracts/chart/paint';
import { type Plate, PX_PER_MM, plateOf } from '@hengxi/contracts/chart/plate';
import { tiff, withDpi } from '@hengxi/contracts/chart/raster';
import { plateSvg } from '@hengxi/contracts/chart/svg';
import { MILLIMETRES } from '@hengxi/contracts/chart/figure-edit';
import { type ChartTheme, LIGHT } from '@hengxi/contracts/chart/theme';
import type { Block, FigureBlock } from '@hengxi/contracts/report/blocks';
import { wordsOf } from '@hengxi/contracts/report/blocks';
import { setPlatformAPI } from 'echarts/core';
import { Refused } from './job.ts';

setPlatformAPI({ createCanvas: () => createCanvas(32, 32) as never });

/** Fonts with 汉字 that may stand on a server; without one, pictures show boxes. */
const HAN = /CJK|Source Han|WenQuanYi|YaHei|PingFang|Hiragino|Sim(Sun|Hei)|Heiti|Songti/i;

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

/** At its own width where the reader chose one. Null where the figure has nothing to draw. */
export function drawnAt(block: FigureBlock, otherwise: number): Drawn | null {
  const theme = LIGHT;
  const mm = block.size === null ? otherwise : MILLIMETRES[block.size];
  const plate = plateOf(block.figure, block.tables, { width: mm * PX_PER_MM, theme, edits: block.edits });
  return plate === null ? null : { plate, theme, title: wordsOf(block.title) };
}

export async function asPng({ plate, theme }: Drawn, dpi: number): Promise<Uint8Array> {
  const canvas = await paintPlate(plate, theme, dpi / 96, easel);
  return withDpi(canvas.toBuffer('image/png'), dpi);
}

export async function asTiff({ plate, theme }: Drawn, dpi: number): Promise<Uint8Array> {
  const canvas = await paintPlate(plate, theme, dpi / 96, easel);
  const { width, height } = canvas;
  return tiff(canvas.getContext('2d').getImageData(0, 0, width, height).data, width, height, dpi);
}

export const asSvg = ({ plate, theme, title }: Drawn): Promise<string> => plateSvg(plate, theme, title);

/** Said in the place of a figure without a picture. */
export const NO_PICTURE = { empty: '没有可以画的数据。', failed: '这张图画不出来，数字见表。' } as const;

export interface Pictured<T> {
  drawn: Drawn;
  made: T;
}

/** One picture that cannot be drawn does not take the document with it. */
export async function pictured<T>(
  block: FigureBlock,
  mm: number,
  write: (drawn: Drawn) => Promise<T>,
): Promise<Pictured<T> | keyof typeof NO_PICTURE> {
  try {
    const drawn = drawnAt(block, mm);
    return drawn === null ? 'empty' : { drawn, made: await write(drawn) };
  } catch (error) {
    if (error instanceof Refused) throw error;
    return 'failed';
  }
}

export const figuresIn = (blocks: readonly Block[]): FigureBlock[] =>
  blocks.filter((b): b is FigureBlock => b.type === 'figure');
