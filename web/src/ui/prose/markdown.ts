/** Markdown of our own pages to HTML. Raw HTML in it stays text; formulas are marked and drawn later, where KaTeX is loaded. */
import MarkdownIt from 'markdown-it';

const md = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** `$…$` and `$$…$$`: kept as text in an element of their own, so that a page without KaTeX still says something. */
md.inline.ruler.before('escape', 'formula', (state, silent) => {
  const { src, pos } = state;
  if (src[pos] !== '$') return false;
  const fence = src[pos + 1] === '$' ? '$$' : '$';
  const end = src.indexOf(fence, pos + fence.length);
  const text = end < 0 ? '' : src.slice(pos + fence.length, end);
  // A price is not a formula: no space after the opening sign, none before the closing one.
  if (text.trim() === '' || (fence === '$' && text !== text.trim())) return false;
  if (!silent) {
    const token = state.push('formula', 'span', 0);
    token.content = text.trim();
    token.markup = fence;
  }
  state.pos = end + fence.length;
  return true;
});
md.renderer.rules['formula'] = (tokens, at) => {
  const token = tokens[at];
  const display = token?.markup === '$$' ? ' data-display' : '';
  return `<span class="formula" data-formula${display}>${md.utils.escapeHtml(token?.content ?? '')}</span>`;
};
// Tables scroll inside themselves on a narrow screen.
md.renderer.rules.table_open = () => '<div class="table-scroll" tabindex="0" role="region" aria-label="表格"><table>';
md.renderer.rules.table_close = () => '</table></div>';

export function toHtml(text: string): string {
  return md.render(text);
}

export interface Section {
  title: string;
  text: string;
}

/** Splits at headings of level 2; what stands before the first one has no title. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ title: '', text: '' }];
  for (const line of text.split('\n')) {
    const heading = /^## (.+)$/.exec(line);
    if (heading?.[1]) sections.push({ title: heading[1].trim(), text: '' });
    else {
      const last = sections.at(-1);
      if (last) last.text += `${line}\n`;
    }
  }
  return sections.filter((section) => section.title !== '' || section.text.trim() !== '');
}

/** The block between the first two lines of dashes is about the page, not part of it. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, '');
}

export function frontMatter(text: string, name: string): string {
  const block = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
  const line = block.split('\n').find((one) => one.startsWith(`${name}:`));
  return (line ?? '')
    .slice(name.length + 1)
    .replace(/\s+#.*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');
}
