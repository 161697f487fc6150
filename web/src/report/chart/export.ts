/** A figure as a file: always light, at the size and resolution a journal asks for, letters as large as chosen at any size. */
import { type FigureEdits, type Plate, PX_PER_MM, plateOf } from '@hengxi/contracts/chart/plate';
import { tiff, withDpi } from '@hengxi/contracts/chart/raster';
import { plateSvg } from '@hengxi/contracts/chart/svg';
import { LIGHT } from '@hengxi/contracts/chart/theme';
import type { ChartElement, PanelElement, TableElement } from '@hengxi/contracts/contract';

import { paint } from './pictures.ts';

export type FigureFormat = 'png' | 'tiff' | 'svg';

export interface FigureWish {
  format: FigureFormat;
  dpi: number;
  /** Width on paper: 85 (single column), 140, 180 (double column). */
  mm: number;
  edits: FigureEdits;
}

/** null where the figure has nothing to draw. */
export async function figureFile(
  figure: ChartElement | PanelElement,
  tables: ReadonlyMap<string, TableElement>,
  title: string,
  { format, dpi, mm, edits }: FigureWish,
): Promise<Blob | null> {
  const theme = LIGHT;
  const plate: Plate | null = plateOf(figure, tables, { width: mm * PX_PER_MM, theme, edits });
  if (plate === null) return null;
  if (format === 'svg') return new Blob([await plateSvg(plate, theme, title)], { type: 'image/svg+xml' });
  const canvas = await paint(plate, theme, dpi / 96);
  if (format === 'tiff') {
    const { width, height } = canvas;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
    return pixels === undefined ? null : new Blob([tiff(pixels, width, height, dpi)], { type: 'image/tiff' });
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null
    ? null
    : new Blob([withDpi(new Uint8Array(await blob.arrayBuffer()), dpi)], { type: 'image/png' });
}
