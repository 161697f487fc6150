/** A report as one HTML file, and the same file laid out for the printer. */
import type { Block, FigureBlock } from '@hengxi/contracts/report/blocks';
import { coverHtml, type Picture, reportFile } from '@hengxi/contracts/report/html';
import katex from 'katex';
import { asSvg, figuresIn, NO_PICTURE, PAGE_MM, pictured } from './figures.ts';
import type { Job, Tell } from './job.ts';

const FIGURE_MM = { paper: 150, screen: 190 };

/** MathML needs neither a script nor a font of ours, and is read aloud. */
const math = (tex: string): string =>
  katex.renderToString(tex, {
    displayMode: true,
    throwOnError: false,
    trust: false,
    strict: 'ignore',
    output: 'mathml',
  });

export async function writePage(job: Job, blocks: readonly Block[], paper: boolean, tell: Tell): Promise<string> {
  const figures = figuresIn(blocks);
  const pictures = new Map<FigureBlock, Picture>();
  for (const [i, block] of figures.entries()) {
    const room = paper ? { mm: FIGURE_MM.paper, most: PAGE_MM } : { mm: FIGURE_MM.screen };
    let parts = 0;
    const drawnPictures = await pictured(block, room, (drawn) => {
      parts += 1;
      if (parts > 1) tell(i, figures.length + 1, `图 ${block.n}，第 ${parts} 页`);
      return asSvg(drawn);
    });
    const picture =
      typeof drawnPictures === 'string'
        ? { parts: [`<p class="note">${NO_PICTURE[drawnPictures]}</p>`], reading: '' }
        : { parts: drawnPictures.map(({ made }) => made), reading: drawnPictures[0]?.drawn.plate.reading ?? '' };
    pictures.set(block, picture);
    tell(i + 1, figures.length + 1, `图 ${block.n}`);
  }
  const { style, header } = job.options;
  return reportFile({
    title: job.title,
    blocks,
    style,
    pictures,
    math,
    paper,
    header,
    before: paper ? cover(job) : '',
  });
}

function cover(job: Job): string {
  if (job.options.cover === null) return '';
  return coverHtml({ ...job.options.cover, title: job.title, date: job.date });
}
