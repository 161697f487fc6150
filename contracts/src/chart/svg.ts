/** A figure as vectors with text kept as text; the same in a browser and on the server. */
import type { Drawing } from './drawing.ts';
import type { Plate, PlateText, Swatch } from './plate.ts';
import { PX_PER_MM } from './plate.ts';
import { safeOption } from './safe-option.ts';
import { hatchLines } from './hatch.ts';
import type { ChartTheme } from './theme.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);

/** One drawing alone. */
export async function chartSvg(drawing: Drawing, theme: ChartTheme, width: number): Promise<string> {
  const { init } = await import('./engine.ts');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height: drawing.height });
  chart.setOption({ ...safeOption(drawing.option, theme), backgroundColor: theme.paper }, { notMerge: true });
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}

/** The whole figure; its size is stated in millimetres, so that it is placed at its true size. */
export async function plateSvg(plate: Plate, theme: ChartTheme, title: string): Promise<string> {
  const parts: string[] = [];
  for (const { x, y, width, drawing, theme: own } of plate.cells) {
    const svg = await chartSvg(drawing, own, width);
    parts.push(svg.replace('<svg ', `<svg x="${round(x)}" y="${round(y)}" `));
  }
  const { width, height } = plate;
  const size = `width="${round(width / PX_PER_MM)}mm" height="${round(height / PX_PER_MM)}mm"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" role="img" ${size} viewBox="0 0 ${round(width)} ${round(height)}">`,
    `<title>${escaped(title)}</title><desc>${escaped(plate.summary)}</desc>`,
    `<rect width="${round(width)}" height="${round(height)}" fill="${theme.paper}"/>`,
    ...parts,
    ...plate.swatches.map((swatch) => swatchSvg(swatch)),
    ...plate.texts.map((text) => textSvg(text, theme)),
    '</svg>',
  ].join('\n');
}

function swatchSvg({ shape, x, y, colour, outline, hatch }: Swatch): string {
  if (shape === 'line') return `<path d="M${round(x)} ${round(y)}h14" stroke="${colour}" stroke-width="2"/>`;
  if (shape === 'dot') return `<circle cx="${round(x + 7)}" cy="${round(y)}" r="4" fill="${colour}"/>`;
  const edge = outline === null ? '' : ` stroke="${outline}" stroke-width="1"`;
  const box = { x: x + 1, y: y - 5, width: 12, height: 10 };
  const lines = hatch === null ? [] : hatchLines(hatch, box);
  const path = lines.map(([a, b]) => `M${round(a[0])} ${round(a[1])}L${round(b[0])} ${round(b[1])}`).join('');
  const over = path === '' ? '' : `<path d="${path}" stroke="#000" stroke-width="1"/>`;
  return `<rect x="${round(box.x)}" y="${round(box.y)}" width="12" height="10" fill="${colour}"${edge}/>${over}`;
}

function textSvg({ x, y, text, size, bold, family }: PlateText, theme: ChartTheme): string {
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${round(x)}" y="${round(y)}" font-family="${family}" font-size="${size}"${weight} fill="${theme.ink2}">${escaped(text)}</text>`;
}

const round = (x: number): number => Math.round(x * 100) / 100;
