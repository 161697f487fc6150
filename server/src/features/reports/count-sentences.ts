/** Sentences without the counts hidden in the tables: words in their place, and no fact that no sentence uses. */
import type { Element, Fact } from '@hengxi/contracts/contract';
import { SMALL, SMALL_TEXT, clearAbout, isCountKey, isSmall } from './count-cells.ts';
import type { Hidden } from './count-cells.ts';

const HIDDEN_TEXT = '—';
/** Whole numbers that count no cases. */
const NO_COUNT = /^(?:k|df|levels|rank|lag|step|dim)/;

export function hideInSentences(element: Element, hidden: Hidden): Element {
  switch (element.type) {
    case 'lead': {
      const { facts, rewrite } = bare(
        element.facts,
        [element.text, ...element.figures.flatMap(({ value, note }) => [value, note ?? ''])],
        hidden,
      );
      const figures = element.figures.map((figure) => ({
        ...figure,
        value: rewrite(figure.value),
        note: figure.note === null ? null : rewrite(figure.note),
      }));
      return { ...element, facts, text: rewrite(element.text), figures };
    }
    case 'text':
    case 'warning': {
      const { facts, rewrite } = bare(element.facts, [element.text], hidden);
      return { ...element, facts, text: rewrite(element.text) };
    }
    case 'check': {
      const { more } = element;
      const { facts, rewrite } = bare(element.facts, [element.text, ...(more ? Object.values(more) : [])], hidden);
      const usedFacts = more && {
        what: rewrite(more.what),
        data: rewrite(more.data),
        impact: rewrite(more.impact),
        todo: rewrite(more.todo),
      };
      return { ...element, facts, text: rewrite(element.text), more: usedFacts };
    }
    case 'rules':
      return { ...element, rules: element.rules.filter(({ n }) => n >= SMALL) };
    case 'table':
      return clearAbout(element, hidden);
    default:
      return element;
  }
}

const PLACEHOLDER = /\{(\w+)(?::([+\w]+))?\}/g;

interface Bare {
  facts: Record<string, Fact>;
  rewrite: (text: string) => string;
}

function bare(facts: Record<string, Fact>, templates: string[], hidden: Hidden): Bare {
  const words = new Map<string, string>();
  const used = new Set<string>();
  for (const template of templates) {
    for (const [, name = '', format = ''] of template.matchAll(PLACEHOLDER)) {
      used.add(name);
      const word = wordFor(name, format, facts[name] ?? null, hidden);
      if (word) words.set(name, word);
    }
  }
  return {
    facts: Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) => (used.has(name) ? [[name, words.get(name) ?? value]] : [])),
    ),
    rewrite: (text) => text.replace(PLACEHOLDER, (whole, name: string) => (words.has(name) ? `{${name}:text}` : whole)),
  };
}

function wordFor(name: string, format: string, value: Fact, hidden: Hidden): string | null {
  if (typeof value !== 'number') return null;
  if (format.startsWith('percent')) return hidden.shares.has(value) ? HIDDEN_TEXT : null;
  if (hidden.expected.has(value) && format !== 'integer') return HIDDEN_TEXT;
  if (format !== 'integer' || NO_COUNT.test(name)) return null;
  if (isSmall(value)) return isCountKey(name) || hidden.counts.has(value) ? SMALL_TEXT : null;
  return hidden.counts.has(value) ? HIDDEN_TEXT : null;
}
