import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { expect, test } from 'vitest';

import { blocksOf } from './share-blocks.ts';

test('blocks of a share are named as their reader sees them', () => {
  expect(
    blocksOf(report([ELEMENTS.lead, MAIN, ELEMENTS.check, ELEMENTS.text, ELEMENTS.model, ELEMENTS.rules])).map(
      (b) => b.title,
    ),
  ).toEqual(['结论', '表 1 两组比较', '前提检验', '解读', '明细：决策规则']);
});
