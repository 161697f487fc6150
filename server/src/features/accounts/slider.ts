/** The slider puzzle: a drawn landscape with a notched piece cut out, and the judgement of a drag. */
import { randomInt } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { SliderAnswer } from './schema.ts';

export const WIDTH = 320;
export const HEIGHT = 160;
export const PIECE = 52;
const BUMP = 9;
/** How far the piece may stand beside the hole, in pixels. */
const TOLERANCE = 5;

export interface Puzzle {
  background: string;
  piece: string;
  x: number;
  y: number;
}

export function drawPuzzle(): Puzzle {
  const x = randomInt(90, WIDTH - PIECE - 8);
  const y = randomInt(12, HEIGHT - PIECE - 8);
  const scene = createCanvas(WIDTH, HEIGHT);
  const paint = scene.getContext('2d');
  drawScene(paint);

  const piece = createCanvas(PIECE, PIECE);
  const cut = piece.getContext('2d');
  outline(cut, 0, 0);
  cut.save();
  cut.clip();
  cut.drawImage(scene, -x, -y);
  cut.restore();
  outline(cut, 0, 0);
  cut.strokeStyle = 'rgba(255,255,255,0.9)';
  cut.lineWidth = 2;
  cut.stroke();

  // A second, fainter notch makes looking for the darkest spot unreliable.
  outline(paint, decoy(x), randomInt(12, HEIGHT - PIECE - 8));
  paint.fillStyle = 'rgba(20,28,36,0.16)';
  paint.fill();
  outline(paint, x, y);
  paint.fillStyle = 'rgba(20,28,36,0.5)';
  paint.fill();
  paint.strokeStyle = 'rgba(255,255,255,0.5)';
  paint.stroke();
  return { background: scene.toDataURL('image/webp', 82), piece: piece.toDataURL('image/png'), x, y };
}

/** A place well beside the true one. */
function decoy(x: number): number {
  const far = x > WIDTH / 2 ? [8, x - PIECE - 20] : [x + PIECE + 20, WIDTH - PIECE - 8];
  const [low = 8, high = 9] = far;
  return randomInt(low, Math.max(low + 1, high));
}

/** A square with a bump on the right and a dent at the top. */
function outline(paint: SKRSContext2D, x: number, y: number): void {
  const size = PIECE - BUMP - 2;
  const left = x + 1;
  const top = y + BUMP + 1;
  const middle = size / 2;
  paint.beginPath();
  paint.moveTo(left, top);
  paint.lineTo(left + middle - BUMP, top);
  paint.arc(left + middle, top, BUMP, Math.PI, 0, true);
  paint.lineTo(left + size, top);
  paint.lineTo(left + size, top + middle - BUMP);
  paint.arc(left + size, top + middle, BUMP, -Math.PI / 2, Math.PI / 2, false);
  paint.lineTo(left + size, top + size);
  paint.lineTo(left, top + size);
  paint.closePath();
}

function drawScene(paint: SKRSContext2D): void {
  const hue = randomInt(0, 360);
  const sky = paint.createLinearGradient(0, 0, 0, HEIGHT);
  sky.addColorStop(0, `hsl(${hue} 24% 82%)`);
  sky.addColorStop(1, `hsl(${(hue + 40) % 360} 28% 92%)`);
  paint.fillStyle = sky;
  paint.fillRect(0, 0, WIDTH, HEIGHT);
  paint.fillStyle = `hsl(${(hue + 60) % 360} 40% 94%)`;
  paint.beginPath();
  paint.arc(randomInt(40, WIDTH - 40), randomInt(24, 60), randomInt(12, 24), 0, Math.PI * 2);
  paint.fill();
  for (let layer = 0; layer < 4; layer += 1) drawHills(paint, hue, layer);
  for (let dot = 0; dot < 260; dot += 1) {
    paint.fillStyle = `hsl(${randomInt(0, 360)} 40% ${randomInt(35, 80)}% / 0.35)`;
    paint.fillRect(randomInt(0, WIDTH), randomInt(0, HEIGHT), randomInt(1, 4), randomInt(1, 4));
  }
}

function drawHills(paint: SKRSContext2D, hue: number, layer: number): void {
  const base = 60 + layer * 26;
  const [long, short, phase] = [randomInt(60, 140), randomInt(18, 40), randomInt(0, 100)];
  paint.fillStyle = `hsl(${(hue + 160 + layer * 14) % 360} ${16 + layer * 4}% ${66 - layer * 10}%)`;
  paint.beginPath();
  paint.moveTo(0, HEIGHT);
  for (let x = 0; x <= WIDTH; x += 4)
    paint.lineTo(
      x,
      base + 14 * Math.sin((x + phase) / (long / Math.PI)) + 6 * Math.sin((x + phase * 3) / (short / Math.PI)),
    );
  paint.lineTo(WIDTH, HEIGHT);
  paint.closePath();
  paint.fill();
}

/**
 * A drag by hand or by keys: ends where the piece fits, takes a moment, moves in small uneven steps. Nothing here
 * stops a patient attacker; it makes each send cost a picture read and a plausible movement.
 */
export function isHumanDrag({ x, track }: SliderAnswer, target: number): boolean {
  if (Math.abs(x - target) > TOLERANCE) return false;
  const last = track.at(-1);
  if (!last || track.length < 5 || Math.abs(last.x - x) > 2) return false;
  if (last.t < 150 || last.t > 120_000) return false;
  const steps = track.slice(1).map((point, i) => {
    const before = track[i] ?? point;
    return { dx: point.x - before.x, dt: point.t - before.t };
  });
  if (steps.some(({ dx, dt }) => dt < 0 || Math.abs(dx) > WIDTH / 2)) return false;
  return new Set(steps.map(({ dx, dt }) => `${dx.toFixed(2)} ${dt.toFixed(1)}`)).size > 2;
}
