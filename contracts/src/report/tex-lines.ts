/** A formula wider than its page in lines, broken before the plus and minus signs that stand outside of every bracket. */

/** Letters of a line between the margins of A4, signs and digits of 12 points. */
const MOST = 58;

export function texLines(tex: string, most = MOST): string[] {
  const lines: string[] = [];
  let line = '';
  for (const term of termsOf(tex)) {
    if (line !== '' && lettersOf(line + term) > most) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += term;
  }
  return [...lines, line.trimEnd()];
}

/** The lines under each other in one formula, the further ones moved in. */
export function alignedTex(tex: string): string {
  const lines = texLines(tex);
  if (lines.length === 1) return tex;
  const rows = lines.map((line, i) => `& ${i === 0 ? '' : '\\quad '}${line}`);
  return `\\begin{aligned}${rows.join(' \\\\ ')}\\end{aligned}`;
}

const OPENS = /^(?:\{|\(|\[|\\left\b)/;
const CLOSES = /^(?:\}|\)|\]|\\right\b)/;
/** A sign after one of these belongs to its number. */
const RELATION = /(?:[=<>(,{[]|\\(?:approx|le|ge|times|cdot|sim))\s*$/;

function termsOf(tex: string): string[] {
  const terms: string[] = [''];
  let depth = 0;
  for (const piece of tex.match(/\\[A-Za-z]+|\\.|[^\\]/gsu) ?? []) {
    if (CLOSES.test(piece)) depth -= 1;
    const before = terms.at(-1) ?? '';
    const breaks = depth === 0 && (piece === '+' || piece === '-') && before.trim() !== '' && !RELATION.test(before);
    if (breaks) terms.push(piece);
    else terms[terms.length - 1] = before + piece;
    if (OPENS.test(piece)) depth += 1;
  }
  return terms;
}

/** How wide it is set: 汉字 are two letters, what stands small below half of one, a command a sign. */
function lettersOf(tex: string): number {
  const small = (_: string, inner: string): string => 'i'.repeat(Math.ceil(inner.length / 2));
  const shown = tex
    .replace(/[_^]\{([^{}]*)\}/g, small)
    .replace(/[_^](.)/g, 'i')
    .replace(/\\(?:text|mathrm|mathit|operatorname|hat|bar|left|right|,|;|quad)\b ?/g, '')
    .replace(/\\[A-Za-z]+|\\./g, 'x')
    .replace(/[{}\s]/g, '')
    .replace(/\p{Script=Han}/gu, 'xx');
  return shown.length;
}
