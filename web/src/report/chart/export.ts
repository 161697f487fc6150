/** A chart as a file: always light, at twice the pixels, or as vectors with text kept as text. */
import type { Drawing } from './drawing.ts';
import { safeOption } from './safe-option.ts';
import type { ChartTheme } from './theme.ts';

/** Wide enough for one and a half columns at the text size of the page. */
export const EXPORT_WIDTH = 720;

export async function chartSvg(drawing: Drawing, theme: ChartTheme): Promise<string> {
  const { init } = await import('./engine.ts');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: EXPORT_WIDTH, height: drawing.height });
  chart.setOption({ ...safeOption(drawing.option, theme), backgroundColor: theme.paper }, { notMerge: true });
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}

export async function chartPng(drawing: Drawing, theme: ChartTheme): Promise<Blob | null> {
  const { init } = await import('./engine.ts');
  const place = document.createElement('div');
  const chart = init(place, null, {
    renderer: 'canvas',
    width: EXPORT_WIDTH,
    height: drawing.height,
    devicePixelRatio: 2,
  });
  chart.setOption({ ...safeOption(drawing.option, theme), backgroundColor: theme.paper }, { notMerge: true });
  const canvas = chart.renderToCanvas({ pixelRatio: 2, backgroundColor: theme.paper });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  chart.dispose();
  return blob;
}
