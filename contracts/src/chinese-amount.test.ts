import { expect, it } from 'vitest';
import { chineseAmount } from './chinese-amount.ts';

/** Examples of 支付结算办法, 附件一 (正确填写票据和结算凭证的基本规定), and whole numbers beside them. */
const RULED: [fen: number, text: string][] = [
  [140950, '壹仟肆佰零玖元伍角整'],
  [600714, '陆仟零柒元壹角肆分'],
  [168032, '壹仟陆佰捌拾元零叁角贰分'],
  [10700053, '壹拾万柒仟元零伍角叁分'],
  [1640902, '壹万陆仟肆佰零玖元零贰分'],
  [32504, '叁佰贰拾伍元零肆分'],
  [1200000, '壹万贰仟元整'],
  [0, '零元整'],
  [5, '伍分'],
  [50, '伍角整'],
  [100, '壹元整'],
  [1000, '壹拾元整'],
  [100_000_100, '壹佰万零壹元整'],
  [1_000_000_000_000, '壹佰亿元整'],
  [10_001_000_000, '壹亿零壹万元整'],
];

it.each(RULED)('writes %d fen as %s', (fen, text) => {
  expect(chineseAmount(fen)).toBe(text);
});

it('refuses what is no amount', () => {
  for (const bad of [-1, 1.5, Number.NaN, 1e15]) expect(() => chineseAmount(bad)).toThrow(RangeError);
});
