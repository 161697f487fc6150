import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alpha,
  bytes,
  condition,
  columnDecimals,
  date,
  duration,
  fixed,
  integer,
  interval,
  num,
  numeric,
  peq,
  percent,
  plain,
  pvalue,
  range,
  READING,
  scientific,
  show,
  signed,
  stars,
  starsNote,
  text,
  tokens,
} from './format.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('numbers', () => {
  test.each([
    [3.3, '3.30'],
    [0.6141, '0.61'],
    [279.52, '279.5'],
    [99.96, '100.0'],
    [99.94, '99.94'],
    [301, '301'],
    [3, '3.00'],
    [0, '0.00'],
    [-0.2, '−0.20'],
    [0.0123, '0.012'],
    [-0.0909, '−0.09'],
    [0.00341, '0.0034'],
    [0.00002, '2.0×10⁻⁵'],
    [-0.00002, '−2.0×10⁻⁵'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [1e22, '1.0×10²²'],
    [1201129084.84, '1,201,129,084.8'],
    [-76849, '−76,849'],
    [2015.5, '2015.5'],
    [9999, '9999'],
  ])('%s reads %s', (x, shown) => expect(num(x)).toBe(shown));

  test.each([
    [1 - 0.95, '0.05'],
    [1 - 0.975, '0.025'],
    [1 - 0.999, '0.001'],
    [1 - 0.9, '0.10'],
    [0.0125, '0.0125'],
  ])('a level of %s reads %s: rounded, .03 would be a level nobody set', (x, shown) => expect(alpha(x)).toBe(shown));

  test('p just under a level of test is not written as the level', () => {
    expect(pvalue(0.02487)).toBe('.0249');
    expect(pvalue(0.1996)).toBe('.1996');
    expect(pvalue(0.0251)).toBe('.025');
  });

  test('a chosen number of decimals is kept, unless the value would read as zero', () => {
    expect(num(3.14159, 3)).toBe('3.142');
    expect(num(0.0004, 2)).toBe('4.0×10⁻⁴');
    expect([num(-0.022, 1), num(0.0049, 2), num(0.0012, 1), num(0.3, 0), num(0.01, 1)]).toEqual([
      '−0.02',
      '0.005',
      '0.001',
      '0.3',
      '0.01',
    ]);
    expect(interval(-0.022, 0.42, 1)).toBe('[−0.02, 0.4]');
    expect(num(301, 2)).toBe('301.00');
  });

  test('minus is the true sign and never stands before a zero', () => {
    expect(fixed(-0.004, 2)).toBe('0.00');
    expect(fixed(-1.5, 0)).toBe('−2');
    expect(fixed(-0, 2)).toBe('0.00');
  });

  test('signs are written on both sides of zero only', () => {
    expect(signed(0.61)).toBe('+0.61');
    expect(signed(-0.2)).toBe('−0.20');
    expect(signed(0)).toBe('0.00');
    expect(signed(Infinity)).toBe('+∞');
  });

  test('counts have thousands, weighted counts one decimal', () => {
    expect(integer(13847)).toBe('13,847');
    expect(integer(1000000)).toBe('1,000,000');
    expect(integer(-5000)).toBe('−5,000');
    expect(integer(999)).toBe('999');
    expect(integer(1234.56)).toBe('1,234.6');
  });

  test('infinite bounds travel as words', () => {
    expect(numeric('inf')).toBe(Infinity);
    expect(numeric('-inf')).toBe(-Infinity);
    expect(numeric('7')).toBeNull();
    expect(numeric(Number.NaN)).toBeNull();
    expect(text('-inf')).toBe('−∞');
  });

  test('no number but zero ever reads as zero, and no ASCII minus leaves', () => {
    fc.assert(
      fc.property(finite, (x) => {
        const shown = num(x);
        expect(shown).not.toContain('-');
        expect(shown).not.toMatch(/NaN|undefined|e/);
        expect(x === 0 || /[1-9∞]/.test(shown)).toBe(true);
        expect(shown.startsWith('−')).toBe(x < 0);
      }),
    );
  });

  test('rounding changes a number by at most a tenth, or half of the last of four decimals', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (x) => {
        expect(Math.abs(Number(num(x).replaceAll(',', '')) - x)).toBeLessThanOrEqual(Math.max(0.1 * x, 0.00005));
      }),
    );
  });
});

describe('columns', () => {
  test.each<[(number | null)[], number]>([
    [[3.82, 3.21], 2],
    [[279.5, 301], 1],
    [[301, 120], 0],
    [[0.14, 0.12], 2],
    [[12.3, 0.45, 0.0031], 3],
    [[0.61, 0.0004], 4],
    [[0.012, 0.034], 3],
    [[null, null], 2],
    [[0, 0], 2],
    [[3, 4], 2],
    [[Infinity, 1.5], 2],
  ])('%j takes %d decimals', (values, decimals) => expect(columnDecimals(values)).toBe(decimals));

  test('with the decimals of its column no value above a ten-thousandth reads as zero', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-4, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
        const places = columnDecimals(values);
        expect(places).toBeLessThanOrEqual(4);
        for (const v of values) expect(fixed(v, places)).toMatch(/[1-9]/);
      }),
    );
  });
});

describe('probabilities', () => {
  test.each([
    [0.00198, '.002'],
    [0.0011, '.001'],
    [0.0007, '< .001'],
    [0.0001, '< .001'],
    [0, '< .001'],
    [0.05, '.050'],
    [0.0496, '.0496'],
    [0.04999, '.04999'],
    [0.0504, '.050'],
    [0.189, '.189'],
    [0.9994, '.999'],
    [0.9996, '> .999'],
    [1, '1.000'],
  ])('%s reads %s', (p, shown) => expect(pvalue(p)).toBe(shown));

  test('other styles keep the zero or all digits', () => {
    expect(pvalue(0.002, 'zero')).toBe('0.002');
    expect(pvalue(0.00001, 'zero')).toBe('< 0.001');
    expect(pvalue(0.0000123, 'exact')).toBe('1.23×10⁻⁵');
  });

  test('in a sentence the relation is part of it', () => {
    expect(peq(0.002)).toBe('= .002');
    expect(peq(0.00001)).toBe('< .001');
    expect(peq(0.9999)).toBe('> .999');
  });

  test('no probability ever reads .000, 0.00 or 1.000 unless it is 1; stars never contradict the digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('short', 'zero', 'exact'), (p, style) => {
        const shown = pvalue(p, style);
        expect(shown).not.toMatch(/^(0?\.0+|0)$/);
        expect(shown === '1.000' && p < 1).toBe(false);
        expect(stars(p) === '*' && Number(shown) >= 0.05).toBe(false);
        expect(p >= 0.05 && Number(shown) < 0.05).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('a value outside 0 to 1 is not a probability', () => {
    expect(pvalue(1.2)).toBe('—');
    expect(pvalue(Number.NaN)).toBe('—');
  });

  test('stars follow the setting and never come without a p', () => {
    expect([0.0009, 0.009, 0.049, 0.05, null].map((p) => stars(p))).toEqual(['***', '**', '*', '', '']);
    expect([0.009, 0.04, 0.09, 0.1].map((p) => stars(p, 'economics'))).toEqual(['***', '**', '*', '']);
    expect(stars(0.0001, 'none')).toBe('');
    expect(
      starsNote(READING)
        .map((t) => t.text)
        .join(''),
    ).toBe('* p < .05，** p < .01，*** p < .001');
    expect(starsNote({ stars: 'usual', p: 'zero' }).at(-1)?.text).toBe(' < 0.001');
  });
});

describe('percent, intervals, dates', () => {
  test.each([
    [0.95, '95%'],
    [0.975, '97.5%'],
    [0.613242, '61%'],
    [0.0234, '2.3%'],
    [0.9991, '99.9%'],
    [0.0001, '< 0.1%'],
    [0, '0%'],
    [1, '100%'],
    [-0.12, '−12%'],
  ])('%s reads %s', (x, shown) => expect(percent(x)).toBe(shown));

  test('percent with decimals', () => {
    expect(percent(0.4541, 1)).toBe('45.4%');
    expect(percent(0.0004, 1)).toBe('< 0.1%');
  });

  test('intervals: square brackets beside an estimate, a dash or 到 in prose', () => {
    expect(interval(0.2512, 0.9799)).toBe('[0.25, 0.98]');
    expect(interval(-Infinity, 0.98)).toBe('[−∞, 0.98]');
    expect(interval(null, null)).toBe('—');
    expect(range(0.2512, 0.9799)).toBe('0.25–0.98');
    expect(range(-0.2, 0.9)).toBe('−0.20 到 0.90');
  });

  test('days stay days, nonsense stays readable', () => {
    expect(date('2026-11-21')).toBe('2026-11-21');
    expect(date('2026-11')).toBe('2026-11');
    expect(date(new Date(2026, 10, 21, 14, 3), true)).toBe('2026-11-21 14:03');
    expect(date('昨天')).toBe('昨天');
    expect(date(null)).toBe('—');
  });

  test('conditions are shown with their usual signs, values untouched', () => {
    expect(condition('用时 >= 60 and 专业 != "a>=b"')).toBe('用时 ≥ 60 and 专业 ≠ "a>=b"');
  });

  test('durations and sizes', () => {
    expect([0.001, 0.034, 2.34, 12.4, 200].map(duration)).toEqual([
      '< 0.01 秒',
      '0.03 秒',
      '2.3 秒',
      '12 秒',
      '3 分 20 秒',
    ]);
    expect([5, 2048, 1572864].map(bytes)).toEqual(['5 B', '2 KB', '1.5 MB']);
    expect(scientific(123456, 3)).toBe('1.23×10⁵');
  });
});

describe('ends written with powers of ten', () => {
  const sentence = (d: number, low: number, high: number): string =>
    plain('{d:+num}（95% CI {low:num} 到 {high:num}）', { d, low, high });

  test('share one power, and as many decimals as tell them apart', () => {
    expect(range(9.9e-10, 1e-9)).toBe('0.99×10⁻⁹–1.00×10⁻⁹');
    expect(range(-9.91e-10, 9.94e-10)).toBe('−9.9×10⁻¹⁰ 到 9.9×10⁻¹⁰');
    expect(interval(9.91e-10, 9.94e-10)).toBe('[9.91×10⁻¹⁰, 9.94×10⁻¹⁰]');
    expect(interval(5e-324, 1e-323)).toBe('[0.50×10⁻³²³, 1.00×10⁻³²³]');
    expect(sentence(9.95e-10, 9.9e-10, 1e-9)).toBe('+0.995×10⁻⁹（95% CI 0.990×10⁻⁹ 到 1.000×10⁻⁹）');
    expect(sentence(-9.95e-10, -1e-9, -9.9e-10)).toBe('−0.995×10⁻⁹（95% CI −1.000×10⁻⁹ 到 −0.990×10⁻⁹）');
  });

  test('keep their own where they are far from each other, the same, or one is plain', () => {
    expect(range(1e-12, 2e-9)).toBe('1.0×10⁻¹²–2.0×10⁻⁹');
    expect(range(9.99e-10, 9.99e-10)).toBe('1.0×10⁻⁹–1.0×10⁻⁹');
    expect(interval(0, 1e-9)).toBe('[0.0000, 1.0×10⁻⁹]');
    expect(interval(1e-9, Infinity)).toBe('[1.0×10⁻⁹, ∞]');
  });
});

describe('templates', () => {
  test('facts are filled in their formats', () => {
    const facts = { t: 3.3041, df: 279.52, p: 0.00112, low: 0.2512, high: 0.9799, who: '男' };
    expect(plain('{who}：*t*({df:num}) = {t:num}，*p* {p:peq}，95% CI [{low:num2}, {high:num2}]', facts)).toBe(
      '男：t(279.5) = 3.30，p = .001，95% CI [0.25, 0.98]',
    );
  });

  test('both ends of an interval in a sentence have one number of decimals', () => {
    const said = (low: number, high: number): string => plain('CI {l:num} 到 {h:num}', { l: low, h: high });
    expect(said(-0.078, 0.0199)).toBe('CI −0.078 到 0.020');
    expect(said(0.0039, 0.41)).toBe('CI 0.004 到 0.410');
    expect(said(98.2, 130.51)).toBe('CI 98.2 到 130.5');
    expect(said(-1.006, 0.022)).toBe('CI −1.01 到 0.02');
    expect(said(1.86, 7.63)).toBe('CI 1.86 到 7.63');
    expect(said(120, 250)).toBe('CI 120 到 250');
    expect(said(0, 0.05)).toBe('CI 0.00 到 0.05');
    expect(said(0.00001, 120.5)).toBe('CI 1.0×10⁻⁵ 到 120.5');
    expect(plain('CI {l:num} 到 {h:num}', { l: '-inf', h: 0.2 })).toBe('CI −∞ 到 0.20');
    expect(said(0, 0.018)).toBe('CI 0.000 到 0.018');
  });

  test('an estimate and the interval around it have one number of decimals', () => {
    const said = (x: number, low: number, high: number): string =>
      plain('OR = {x:num}（{level:percent} CI {l:num} 到 {h:num}）', { x, l: low, h: high, level: 0.95 });
    expect(said(0.034, 0.0051, 0.25)).toBe('OR = 0.034（95% CI 0.005 到 0.250）');
    expect(said(0.0017, 0, 0.0184)).toBe('OR = 0.0017（95% CI 0.0000 到 0.0184）');
    expect(said(3.73, 1.672, 8.32)).toBe('OR = 3.73（95% CI 1.67 到 8.32）');
    // Another number before the interval is none it lies around.
    expect(said(42.31, 0.0051, 0.25)).toBe('OR = 42.31（95% CI 0.01 到 0.25）');
    expect(columnDecimals([1.2, 3.73, 0.88], [1.14, 8.3, 0.001])).toBe(3);
  });

  test('markup of the template becomes tokens', () => {
    expect(tokens('**差 {d:+num}**，*p* < .05', { d: 0.61 })).toEqual([
      { text: '差 ', b: true },
      { text: '+0.61', fact: 'd', b: true },
      { text: '，' },
      { text: 'p', st: true },
      { text: ' < .05' },
    ]);
  });

  test("a user's text is never read as markup or as a template", () => {
    const hostile = '**粗** *x* {p:num} <b>';
    expect(tokens('变量 {name}', { name: hostile, p: 1 })).toEqual([
      { text: '变量 ' },
      { text: hostile, fact: 'name' },
    ]);
  });

  test('a fact that is missing or null shows a dash, lists are joined', () => {
    expect(plain('{x:num} {y} {z}', { x: null, z: ['甲', '乙'] })).toBe('— — 甲、乙');
  });

  test("the reader's settings reach every number", () => {
    const reading = { ...READING, decimals: 3, p: 'zero' as const };
    expect(plain('{m:num} {p:peq}', { m: 3.14159, p: 0.02 }, reading)).toBe('3.142 = 0.020');
  });

  test('formats of the contract', () => {
    const one = (format: string): string => show(1234.5678, format);
    expect(['integer', 'num', 'num0', 'num1', 'num2', 'num3', 'num4', '+num'].map(one)).toEqual([
      '1,234.6',
      '1234.6',
      '1235',
      '1234.6',
      '1234.57',
      '1234.568',
      '1234.5678',
      '+1234.6',
    ]);
    expect(show(true, 'flag')).toBe('是');
    expect(show('女', 'level')).toBe('女');
    expect(show('inf', 'num')).toBe('∞');
  });

  test('any text survives filling: nothing is lost, nothing is invented', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(plain('〔{x}〕', { x: value })).toBe(`〔${value}〕`);
      }),
    );
    fc.assert(fc.property(fc.string(), (template) => void tokens(template, {})));
  });
});
