/** The chart kinds of the contract, each drawn by its file. A kind the engine adds does not compile until it stands here. */
import type { ChartKind } from '../../generated/contract.ts';

import { drawBar } from './bar.ts';
import { drawBox } from './box.ts';
import { drawControl } from './control.ts';
import type { Draw } from './drawing.ts';
import { drawFlow } from './flow.ts';
import { drawHeat } from './heat.ts';
import { drawHistogram } from './histogram.ts';
import { drawInterval } from './interval.ts';
import { drawLine } from './line.ts';
import { drawMosaic } from './mosaic.ts';
import { drawNetwork } from './network.ts';
import { drawNomogram } from './nomogram.ts';
import { drawScatter } from './scatter.ts';
import { drawRadar } from './radar.ts';
import { drawPie } from './pie.ts';
import { drawSurface } from './surface.ts';
import { drawTree } from './tree.ts';
import { drawWordCloud } from './word-cloud.ts';

export const KINDS: Readonly<Record<ChartKind, Draw>> = {
  line: drawLine,
  bar: drawBar,
  point: drawScatter,
  box: drawBox,
  interval: drawInterval,
  histogram: drawHistogram,
  heat: drawHeat,
  network: drawNetwork,
  control: drawControl,
  surface: drawSurface,
  tree: drawTree,
  radar: drawRadar,
  words: drawWordCloud,
  share: drawPie,
  mosaic: drawMosaic,
  flow: drawFlow,
  nomogram: drawNomogram,
};
