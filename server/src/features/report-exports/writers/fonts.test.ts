import { readFileSync } from 'node:fs';
import { GlobalFonts } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { hasHanFont } from './figures.ts';
import { OWN_FONTS } from './fonts.ts';

/** Names of the tables of a font file. */
function tablesOf(path: string): string[] {
  const bytes = readFileSync(path);
  return Array.from({ length: bytes.readUInt16BE(4) }, (_, i) => bytes.toString('latin1', 12 + 16 * i, 16 + 16 * i));
}

test('two Chinese fonts come with the product, usual and bold, with TrueType outlines', () => {
  expect(OWN_FONTS.map((path) => path.replace(/^.*\//, ''))).toEqual([
    'NotoSansSC_400Regular.ttf',
    'NotoSansSC_700Bold.ttf',
    'NotoSerifSC_400Regular.ttf',
    'NotoSerifSC_700Bold.ttf',
  ]);
  for (const path of OWN_FONTS) {
    expect(tablesOf(path)).toContain('glyf');
    expect(tablesOf(path)).not.toContain('CFF ');
  }
});

test('figures of Word documents have them whatever the system has', () => {
  expect(GlobalFonts.families.map(({ family }) => family)).toEqual(
    expect.arrayContaining(['Noto Sans SC', 'Noto Serif SC']),
  );
  expect(hasHanFont()).toBe(true);
});
