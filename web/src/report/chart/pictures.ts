/** Pictures of all charts of a report, for documents outside the page. */
import type { ChartElement, Report } from '@hengxi/contracts/contract';

import { keyOf, sectionsOf } from '../outline.ts';
import type { Drawing } from './drawing.ts';
import { chartPng, chartSvg, EXPORT_WIDTH } from './export.ts';
import { KINDS } from './kinds.ts';
import { chartSource, facetsOf } from './source.ts';
import { GREY, LIGHT } from './theme.ts';

interface Picture {
  key: string;
  drawing: Drawing;
}

function drawings(report: Report, grey: boolean): Picture[] {
  const theme = grey ? GREY : LIGHT;
  return report.parts.flatMap((part, p) => {
    const { tables } = sectionsOf(part);
    const draw = (chart: ChartElement, key: string): Picture[] =>
      facetsOf(chart, tables).flatMap((facet, f) => {
        const source = chartSource(chart, tables, facet);
        return source === null || source.size === 0
          ? []
          : [
              {
                key: f === 0 ? key : `${key}/${f}`,
                drawing: KINDS[chart.kind](source, { width: EXPORT_WIDTH, theme, compact: false }),
              },
            ];
      });
    return part.elements.flatMap((element) => {
      if (element.type === 'chart') return draw(element, keyOf(p, element.id));
      return element.type === 'panel'
        ? element.charts.flatMap((chart, k) => draw(chart, `${keyOf(p, element.id)}/${k}`))
        : [];
    });
  });
}

export async function svgPictures(report: Report, grey: boolean): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const { key, drawing } of drawings(report, grey)) made.set(key, await chartSvg(drawing, grey ? GREY : LIGHT));
  return made;
}

/** Word processors take pictures, not vectors, from the clipboard. */
export async function pngPictures(report: Report, grey: boolean): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const { key, drawing } of drawings(report, grey)) {
    const blob = await chartPng(drawing, grey ? GREY : LIGHT);
    if (blob !== null)
      made.set(key, `<img width="${EXPORT_WIDTH}" height="${drawing.height}" alt="" src="${await dataUrl(blob)}">`);
  }
  return made;
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('图片没有读出')));
    reader.readAsDataURL(blob);
  });
}
