/** TeX of a formula with its numbers filled in; the template comes from our engine, the numbers from format.ts. */
import type { FormulaElement } from '../../generated/contract.ts';
import { plain, type Reading } from '../format.ts';

/** Signs of format.ts as TeX reads them; a number in a fact is ours, a name is protected by text mode in the template. */
function texNumbers(text: string): string {
  return (
    text
      .replaceAll('−', '-')
      .replaceAll('+ -', '- ')
      .replaceAll('×10', '\\times 10')
      // A comma of thousands is no list: without its braces TeX sets a blank behind it.
      .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '{,}')
      .replace(
        /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g,
        (run) => `^{${[...run].map((c) => '0123456789-'['⁰¹²³⁴⁵⁶⁷⁸⁹⁻'.indexOf(c)] ?? '').join('')}}`,
      )
  );
}

/** `{b0:num}` is a fact, `{b}` of TeX is not: only names of facts are filled. */
function fillTex(template: string, facts: FormulaElement['facts'], reading: Reading): string {
  return template.replace(/\{([\p{L}\p{N}_.]+)(?::(\+?\w+))?\}/gu, (whole, name: string) =>
    name in facts ? plain(whole, facts, reading) : whole,
  );
}

/** The formula in symbols, then, where it has one, with its numbers. */
export function texOf(formula: FormulaElement, reading: Reading): string[] {
  const { symbolic, filled, facts } = formula;
  return filled === null ? [symbolic] : [symbolic, texNumbers(fillTex(filled, facts, reading))];
}
