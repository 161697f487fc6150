/** The picture to save: what stands on it, and how it is drawn on a canvas of 1080 × 1920. */
import type { Figure } from './figures.ts';

export const WIDTH = 1080;
export const HEIGHT = 1920;

export interface Card {
  year: number;
  title: string;
  range: string;
  rows: { label: string; value: string }[];
  /** Where the product is found; names nobody. */
  host: string;
  isSample: boolean;
}

interface Wanted {
  year: number;
  figures: readonly Figure[];
  /** Keys of the figures to show. */
  ticked: ReadonlySet<string>;
  /** null: the name stays off. */
  nickname: string | null;
  range: string;
  host: string;
  isSample: boolean;
}

export function cardOf({ figures, ticked, nickname, ...rest }: Wanted): Card {
  const rows = figures.flatMap(({ key, label, value }) =>
    ticked.has(key) && value !== null ? [{ label, value }] : [],
  );
  return { ...rest, title: nickname === null ? '我的数据分析' : `${nickname}的数据分析`, rows };
}

/** For readers who do not see the picture. */
export const cardText = ({ year, title, range, rows, isSample }: Card): string =>
  `${isSample ? '示例，' : ''}${year} 年，${title}，${range}。${rows.map(({ label, value }) => `${label} ${value}`).join('；')}`;

const INK = '#1d232b';
const GREY = '#5b626b';
const PAPER = '#f5f4f0';
const LINE = '#d9d5ca';
const BLUE = '#1f5582';
const BRONZE = '#c58a3c';
const SANS =
  "-apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif";
const SERIF = "'Songti SC', 'Source Han Serif SC', 'Noto Serif SC', 'Noto Serif CJK SC', 'Microsoft YaHei', serif";
const LEFT = 96;
const RIGHT = WIDTH - LEFT;
const TOP_OF_ROWS = 700;
const BOTTOM_OF_ROWS = 1560;
const MOST_ROW = 140;
const QR = 200;

type Ink = Pick<
  CanvasRenderingContext2D,
  | 'arc'
  | 'beginPath'
  | 'drawImage'
  | 'fill'
  | 'fillRect'
  | 'fillText'
  | 'lineTo'
  | 'measureText'
  | 'moveTo'
  | 'restore'
  | 'rotate'
  | 'save'
  | 'stroke'
  | 'strokeRect'
  | 'translate'
> & {
  fillStyle: unknown;
  strokeStyle: unknown;
  font: string;
  lineWidth: number;
  textAlign: CanvasTextAlign;
  lineCap: CanvasLineCap;
};

/** The largest size up to this one in which the words fit. */
function fit(ink: Ink, words: string, most: number, size: number, face: string, weight = 400): void {
  ink.font = `${weight} ${size}px ${face}`;
  const { width } = ink.measureText(words);
  if (width > most) ink.font = `${weight} ${Math.floor((size * most) / width)}px ${face}`;
}

function write(ink: Ink, words: string, x: number, y: number, colour: string, align: CanvasTextAlign = 'left'): void {
  ink.fillStyle = colour;
  ink.textAlign = align;
  ink.fillText(words, x, y);
}

function rule(ink: Ink, fromX: number, fromY: number, toX: number, toY: number, colour: string, width: number): void {
  ink.strokeStyle = colour;
  ink.lineWidth = width;
  ink.beginPath();
  ink.moveTo(fromX, fromY);
  ink.lineTo(toX, toY);
  ink.stroke();
}

/** The steelyard of the mark: a beam with its scale, and the weight that slides on it. */
function steelyard(ink: Ink): void {
  ink.lineCap = 'round';
  const y = (x: number): number => 596 - ((x - LEFT) / (RIGHT - LEFT)) * 84;
  rule(ink, LEFT, y(LEFT), RIGHT, y(RIGHT), BLUE, 5);
  for (let mark = 1; mark < 24; mark += 1) {
    const x = LEFT + ((RIGHT - LEFT) * mark) / 24;
    rule(ink, x, y(x) - (mark % 6 === 0 ? 22 : 12), x, y(x) - 4, BLUE, 2);
  }
  const at = RIGHT - 96;
  rule(ink, at, y(at), at, y(at) + 56, BLUE, 3);
  ink.fillStyle = BRONZE;
  ink.beginPath();
  ink.arc(at, y(at) + 80, 26, 0, 2 * Math.PI);
  ink.fill();
}

function stamp(ink: Ink): void {
  ink.save();
  ink.translate(RIGHT - 96, 180);
  ink.rotate(-0.14);
  ink.strokeStyle = '#a8322a';
  ink.lineWidth = 5;
  ink.strokeRect(-96, -52, 192, 104);
  ink.font = `600 60px ${SANS}`;
  write(ink, '示例', 0, 22, '#a8322a', 'center');
  ink.restore();
}

export function drawCard(ink: Ink, card: Card, qr: CanvasImageSource | null): void {
  ink.fillStyle = PAPER;
  ink.fillRect(0, 0, WIDTH, HEIGHT);
  ink.font = `600 40px ${SANS}`;
  write(ink, '衡析', LEFT, 150, BLUE);
  ink.font = `600 176px ${SERIF}`;
  write(ink, String(card.year), LEFT, 350, INK);
  fit(ink, card.title, RIGHT - LEFT, 68, SERIF, 600);
  write(ink, card.title, LEFT, 460, INK);
  steelyard(ink);
  if (card.isSample) stamp(ink);
  const step = Math.min(MOST_ROW, (BOTTOM_OF_ROWS - TOP_OF_ROWS) / Math.max(1, card.rows.length));
  for (const [index, { label, value }] of card.rows.entries()) {
    const base = TOP_OF_ROWS + step * index + step * 0.64;
    ink.font = `36px ${SANS}`;
    write(ink, label, LEFT, base, GREY);
    fit(ink, value, RIGHT - LEFT - 300, 60, SERIF, 600);
    write(ink, value, RIGHT, base, INK, 'right');
    rule(ink, LEFT, TOP_OF_ROWS + step * (index + 1), RIGHT, TOP_OF_ROWS + step * (index + 1), LINE, 2);
  }
  ink.font = `600 40px ${SANS}`;
  write(ink, '衡析 · 在线统计分析平台', LEFT, 1690, INK);
  fit(ink, card.host, RIGHT - LEFT - QR - 60, 32, SANS);
  write(ink, card.host, LEFT, 1746, GREY);
  ink.font = `28px ${SANS}`;
  write(ink, `统计 ${card.range}`, LEFT, 1800, GREY);
  if (qr === null) return;
  ink.fillStyle = '#ffffff';
  ink.fillRect(RIGHT - QR, 1622, QR, QR);
  ink.drawImage(qr, RIGHT - QR + 14, 1636, QR - 28, QR - 28);
}
