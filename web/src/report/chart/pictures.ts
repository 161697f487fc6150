/** Figures of a report as pictures for the clipboard: word processors take pictures from it, not vectors. */
import { paintPlate } from '@hengxi/contracts/chart/paint';
import { type Plate, plateOf, PX_PER_MM } from '@hengxi/contracts/chart/plate';
import { MILLIMETRES } from '@hengxi/contracts/chart/figure-edit';
import { type ChartTheme, LIGHT } from '@hengxi/contracts/chart/theme';
import type { Block, FigureBlock } from '@hengxi/contracts/report/blocks';
import type { Picture } from '@hengxi/contracts/report/html';

/** As wide as the text of an A4 page, in CSS pixels. */
const PAGE_WIDTH = 600;

export const EASEL = {
  make: (width: number, height: number): HTMLCanvasElement => {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    return canvas;
  },
  brush: (canvas: HTMLCanvasElement): CanvasRenderingContext2D => {
    const brush = canvas.getContext('2d');
    if (brush === null) throw new Error('浏览器没有给出画布');
    return brush;
  },
};

export const paint = (plate: Plate, theme: ChartTheme, ratio: number): Promise<HTMLCanvasElement> =>
  paintPlate(plate, theme, ratio, EASEL);

export async function picturesOf(blocks: readonly Block[]): Promise<Map<FigureBlock, Picture>> {
  const pictures = new Map<FigureBlock, Picture>();
  for (const block of blocks) {
    if (block.type !== 'figure') continue;
    const theme = LIGHT;
    const width = block.size === null ? PAGE_WIDTH : MILLIMETRES[block.size] * PX_PER_MM;
    const plate = plateOf(block.figure, block.tables, { width, theme, edits: block.edits });
    if (plate === null) continue;
    const canvas = await paint(plate, theme, 2);
    const shrink = Math.min(1, PAGE_WIDTH / width);
    const markup = `<img width="${Math.round(width * shrink)}" height="${Math.round(plate.height * shrink)}" alt="" src="${canvas.toDataURL('image/png')}">`;
    pictures.set(block, { parts: [markup], reading: plate.reading });
  }
  return pictures;
}
