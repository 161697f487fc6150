/** Any text as LaTeX writes it, for XeLaTeX with ctex: signs of TeX are escaped, signs its fonts lack go through mathematics. */
const GREEK: Record<string, string> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'varepsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  ι: 'iota',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ν: 'nu',
  ξ: 'xi',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  τ: 'tau',
  υ: 'upsilon',
  φ: 'varphi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
  Γ: 'Gamma',
  Δ: 'Delta',
  Θ: 'Theta',
  Λ: 'Lambda',
  Ξ: 'Xi',
  Π: 'Pi',
  Σ: 'Sigma',
  Φ: 'Phi',
  Ψ: 'Psi',
  Ω: 'Omega',
};

const SIGNS: Record<string, string> = {
  '−': '-',
  '±': '\\pm',
  '×': '\\times',
  '÷': '\\div',
  '<': '<',
  '>': '>',
  '∞': '\\infty',
  '≤': '\\le',
  '≥': '\\ge',
  '≠': '\\ne',
  '≈': '\\approx',
  '√': '\\surd',
  '→': '\\to',
  '°': '^{\\circ}',
  '′': "'",
  '⌊': '\\lfloor',
  '⌋': '\\rfloor',
};

const TEXT: Record<string, string> = {
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '\\': '\\textbackslash{}',
  '`': '\\textasciigrave{}',
  '"': '\\textquotedbl{}',
  '|': '\\textbar{}',
};

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻';
const LOWERED = '₀₁₂₃₄₅₆₇₈₉₋';
const digits = (run: string, of: string): string => [...run].map((c) => '0123456789-'[of.indexOf(c)] ?? '').join('');

/** Runs of raised and lowered digits, a letter under a bar, and every other letter alone. */
const PIECES = /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|[₀₁₂₃₄₅₆₇₈₉₋]+|\p{L}[\u0304\u0305]|[\s\S]/gu;

function piece(text: string): string {
  const first = text.charAt(0);
  if (RAISED.includes(first)) return `$^{${digits(text, RAISED)}}$`;
  if (LOWERED.includes(first)) return `$_{${digits(text, LOWERED)}}$`;
  if (/^.[\u0304\u0305]$/u.test(text)) return `$\\bar{${first}}$`;
  const greek = GREEK[text];
  if (greek !== undefined) return `$\\${greek}$`;
  const sign = SIGNS[text];
  if (sign !== undefined) return `$${sign}$`;
  // A break would end the paragraph, and with it the table.
  return TEXT[text] ?? (/[\r\n\t]/.test(text) ? ' ' : text);
}

export function tex(text: string): string {
  return (text.match(PIECES) ?? []).map(piece).join('');
}

/** Behind the end of a row, a bracket is read as a distance and an asterisk as a command. */
export function texRow(cells: readonly string[]): string {
  const line = cells.join(' & ');
  return `${/^[[*]/.test(line) ? '{}' : ''}${line} \\\\`;
}
