import { expect, test } from 'vitest';

import { cardOf, cardText, drawCard, HEIGHT, WIDTH } from './card.ts';
import { figuresOf, rangeText, SAMPLE } from './figures.ts';

const figures = figuresOf(SAMPLE);
const wanted = {
  year: 2026,
  figures,
  ticked: new Set(['runs', 'top']),
  nickname: null,
  range: '2026-01-01 至 2026-12-31',
  host: 'hengxi.example',
  isSample: false,
};

/** A pen that keeps what was written, each character as wide as its font is high. */
function pen() {
  const written: { words: string; left: number; right: number; y: number }[] = [];
  const size = (font: string) => Number(/(\d+)px/.exec(font)?.[1]);
  const ink = {
    font: '',
    fillStyle: '' as unknown,
    strokeStyle: '' as unknown,
    lineWidth: 0,
    lineCap: 'butt' as CanvasLineCap,
    textAlign: 'left' as CanvasTextAlign,
    fillText(words: string, x: number, y: number) {
      const width = this.measureText(words).width;
      const left = ink.textAlign === 'right' ? x - width : x;
      written.push({ words, left, right: left + width, y });
    },
    measureText: (words: string) => ({ width: words.length * size(ink.font) }) as TextMetrics,
    ...Object.fromEntries(
      ['arc', 'beginPath', 'fill', 'fillRect', 'lineTo', 'moveTo', 'restore', 'rotate', 'save', 'stroke'].map(
        (name) => [name, () => undefined],
      ),
    ),
    strokeRect: () => undefined,
    translate: () => undefined,
    drawImage: () => undefined,
  };
  return { ink: ink as unknown as Parameters<typeof drawCard>[0], written };
}

test('only what is ticked stands on the picture, and no name unless asked for', () => {
  const card = cardOf(wanted);
  expect(card.rows).toEqual([
    { label: '完成分析', value: '138 次' },
    { label: '最常用的方法', value: '独立样本 t 检验，31 次' },
  ]);
  const { ink, written } = pen();
  drawCard(ink, card, null);
  const words = written.map((one) => one.words);
  expect(words).toContain('我的数据分析');
  expect(words).toContain('138 次');
  expect(words).not.toContain('46 天');
  expect(words).not.toContain('示例');
  expect(cardOf({ ...wanted, nickname: '张三' }).title).toBe('张三的数据分析');
});

test('a sample says so on the picture and to readers', () => {
  const card = cardOf({ ...wanted, isSample: true });
  const { ink, written } = pen();
  drawCard(ink, card, null);
  expect(written.map((one) => one.words)).toContain('示例');
  expect(cardText(card)).toBe(
    '示例，2026 年，我的数据分析，2026-01-01 至 2026-12-31。完成分析 138 次；最常用的方法 独立样本 t 检验，31 次',
  );
});

test('seven figures, a long method and a long name stay on the picture', () => {
  const long = figuresOf({ ...SAMPLE, top: '两因素重复测量方差分析与简单效应的事后比较', rows: 9_999_999_999 });
  const ticked = new Set(long.map(({ key }) => key));
  const { ink, written } = pen();
  drawCard(ink, cardOf({ ...wanted, figures: long, ticked, nickname: '字'.repeat(20) }), null);
  expect(written.length).toBeGreaterThan(14);
  for (const { left, right, y } of written) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(WIDTH);
    expect(y).toBeLessThan(HEIGHT);
  }
});

test('a method that is gone is no figure', () => {
  const gone = figuresOf({ ...SAMPLE, top: null });
  expect(gone.find(({ key }) => key === 'top')?.value).toBeNull();
  expect(cardOf({ ...wanted, figures: gone }).rows).toHaveLength(1);
});

test('the range says what was counted, in Beijing', () => {
  expect(rangeText({ from: '2025-12-31T16:00:00.000Z', to: '2026-12-31T16:00:00.000Z' })).toBe(
    '2026-01-01 至 2026-12-31（北京时间）',
  );
  expect(rangeText({ from: '2025-12-31T16:00:00.000Z', to: '2026-12-20T04:05:06.000Z' })).toBe(
    '2026-01-01 至 2026-12-20 12:05（北京时间）',
  );
});
