import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { ROOT } from './setup.mjs';
import { HEIGHT, indexed_png, lines_of, painter, WIDTH } from './share-pictures.mjs';

const measure = (text) => text.length * 10;

it.each([
  ['独立样本检验', 30, ['独立样', '本检验']],
  ['用 Mann-Whitney 检验', 60, ['用', 'Mann-Whitney', '检验']],
  ['一二三。', 30, ['一二三。']],
])('%s in lines of %d', (text, width, lines) => {
  expect(lines_of(text, width, measure)).toEqual(lines);
});

test('a picture has the size that is promised, and few bytes, however long the title', async () => {
  const paint = await painter();
  for (const title of ['卡方', '指数加权移动平均控制图（EWMA）与累积和控制图的比较方法说明全名']) {
    const png = paint({ title, sentence: '两个独立组的均值是否有差异', foot: '需要 1 个定类变量' });
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([WIDTH, HEIGHT]);
    expect(png.length).toBeLessThan(60_000);
  }
});

test('a picture with a palette is the picture', async () => {
  const { createCanvas, loadImage } = createRequire(join(ROOT, 'server/package.json'))('@napi-rs/canvas');
  const colours = [
    [31, 85, 130],
    [197, 138, 60],
    [245, 244, 240],
    [0, 0, 0],
    [255, 255, 255],
    [29, 35, 43],
  ];
  const png = indexed_png(
    colours.flatMap((colour) => [...colour, 255]),
    3,
    2,
  );
  const ink = createCanvas(3, 2).getContext('2d');
  ink.drawImage(await loadImage(png), 0, 0);
  expect([...ink.getImageData(0, 0, 3, 2).data]).toEqual(colours.flatMap((colour) => [...colour, 255]));
});
