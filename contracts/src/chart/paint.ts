/** A figure as pixels. The canvas is the browser's or the server's; both have the same face. */
import type { EChartsOption } from 'echarts';
import type { Plate } from './plate.ts';
import { safeOption } from './safe-option.ts';
import { hatchLines, type Segment } from './hatch.ts';
import type { ChartTheme } from './theme.ts';

/** What is used of a 2D context. */
export interface Brush<Canvas> {
  fillStyle: unknown;
  strokeStyle: unknown;
  lineWidth: number;
  font: string;
  scale(x: number, y: number): void;
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  fillRect(x: number, y: number, w: number, h: number): void;
  strokeRect(x: number, y: number, w: number, h: number): void;
  fillText(text: string, x: number, y: number): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  arc(x: number, y: number, r: number, from: number, to: number): void;
  stroke(): void;
  fill(): void;
  drawImage(image: Canvas, x: number, y: number): void;
}

/** How an environment makes canvases: the canvas for ECharts, and the brush on it. */
export interface Easel<Canvas> {
  make: (width: number, height: number) => Canvas;
  brush: (canvas: Canvas) => Brush<Canvas>;
}

/** The canvas of a plate at `ratio` pixels per CSS pixel (dpi / 96). */
export async function paintPlate<Canvas extends { width: number; height: number }>(
  plate: Plate,
  theme: ChartTheme,
  ratio: number,
  easel: Easel<Canvas>,
): Promise<Canvas> {
  const { init } = await import('./engine.ts');
  const whole = easel.make(Math.round(plate.width * ratio), Math.round(plate.height * ratio));
  const brush = easel.brush(whole);
  brush.fillStyle = theme.paper;
  brush.fillRect(0, 0, Math.round(plate.width * ratio), Math.round(plate.height * ratio));
  let canvas: Canvas | null = null;
  for (const { x, y, width, drawing, theme: own } of plate.cells) {
    const size = { width: Math.round(width * ratio), height: Math.round(drawing.height * ratio) };
    // Drawings of one size share a canvas: each holds some megabytes until it is collected.
    if (canvas?.width !== size.width || canvas.height !== size.height) canvas = easel.make(size.width, size.height);
    // ECharts draws on a canvas it is given, whoever made it.
    const chart = init(canvas, null, {
      renderer: 'canvas',
      width,
      height: drawing.height,
      devicePixelRatio: ratio,
    });
    chart.setOption({ ...atOnce(safeOption(drawing.option, own)), backgroundColor: theme.paper }, { notMerge: true });
    chart.getZr().refreshImmediately();
    brush.drawImage(canvas, Math.round(x * ratio), Math.round(y * ratio));
    chart.dispose();
  }
  brush.scale(ratio, ratio);
  paintLegend(plate, theme, brush);
  return whole;
}

/** ECharts would draw thousands of marks over several frames; a picture that is taken now would lack most of them. */
function atOnce(option: EChartsOption): EChartsOption {
  const series = [option.series ?? []].flat();
  return { ...option, series: series.map((one) => ({ ...one, progressive: 0 })) };
}

function paintLegend<Canvas>(plate: Plate, theme: ChartTheme, brush: Brush<Canvas>): void {
  for (const { shape, x, y, colour, outline, hatch } of plate.swatches) {
    brush.fillStyle = colour;
    brush.strokeStyle = shape === 'line' ? colour : (outline ?? colour);
    brush.lineWidth = shape === 'line' ? 2 : 1;
    if (shape === 'box') {
      brush.fillRect(x + 1, y - 5, 12, 10);
      if (outline !== null) brush.strokeRect(x + 1, y - 5, 12, 10);
      if (hatch !== null) strokeLines(brush, hatchLines(hatch, { x: x + 1, y: y - 5, width: 12, height: 10 }));
      continue;
    }
    brush.beginPath();
    if (shape === 'line') {
      brush.moveTo(x, y);
      brush.lineTo(x + 14, y);
      brush.stroke();
    } else {
      brush.arc(x + 7, y, 4, 0, Math.PI * 2);
      brush.fill();
    }
  }
  for (const { x, y, text, size, bold, family } of plate.texts) {
    brush.fillStyle = theme.ink2;
    brush.font = `${bold ? '600 ' : ''}${size}px ${family}`;
    brush.fillText(text, x, y);
  }
}

function strokeLines<Canvas>(brush: Brush<Canvas>, lines: readonly Segment[]): void {
  brush.strokeStyle = '#000000';
  brush.lineWidth = 1;
  brush.beginPath();
  for (const [[x1, y1], [x2, y2]] of lines) {
    brush.moveTo(x1, y1);
    brush.lineTo(x2, y2);
  }
  brush.stroke();
}
