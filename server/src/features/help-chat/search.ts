/** Which help page a question is about (BM25 over its words), and the passage of it that answers best. */
export interface HelpText {
  slug: string;
  title: string;
  aliases: readonly string[];
  purpose: string;
  /** Markdown. */
  text: string;
}

interface Passage {
  heading: string | null;
  text: string;
  words: ReadonlySet<string>;
}

interface Page {
  source: HelpText;
  counts: Map<string, number>;
  /** Of the title and of the other names, each for itself. */
  names: ReadonlySet<string>[];
  length: number;
  passages: Passage[];
}

export interface Hit {
  source: HelpText;
  /** The part of the question's weight that stands in the page. */
  share: number;
  passage: { heading: string | null; text: string } | null;
}

const K1 = 1.2;
const B = 0.75;
/** A word of the title tells more than one of the text. */
const TITLE_WEIGHT = 6;
const PURPOSE_WEIGHT = 3;

/** Words every question has; they say nothing of what it is about. */
const EMPTY =
  /请问|怎么|怎样|如何|什么|哪个|哪些|可以|能不能|是不是|有没有|我想|我要|一下|为什么|时候|应该|需要|使用|[吗呢的了吧啊么]/gu;

/** Pairs of Chinese characters, and words and numbers of other scripts. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  const words: string[] = plain.match(/[a-z0-9]+/gu) ?? [];
  for (const run of plain.match(/\p{Script=Han}+/gu) ?? []) {
    const characters = Array.from(run);
    if (characters.length === 1) words.push(run);
    for (let at = 0; at + 1 < characters.length; at += 1) words.push(`${characters[at]}${characters[at + 1]}`);
  }
  return words;
}

/** Markdown as a reader sees it. */
const readable = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/^\s*(?:[-*]|\d+\.)\s+/u, '')
    .replace(/[*`]/gu, '')
    .trim();

function passagesOf({ text, purpose }: HelpText): Passage[] {
  let heading: string | null = null;
  const passages: Passage[] = [];
  const add = (of: string | null, line: string): void => {
    passages.push({ heading: of, text: line, words: new Set(wordsOf(`${of ?? ''} ${line}`)) });
  };
  if (purpose !== '') add(null, purpose);
  let isCode = false;
  for (const line of text.split('\n')) {
    const head = /^#+\s+(.*)$/u.exec(line);
    if (line.startsWith('```')) isCode = !isCode;
    else if (head) heading = readable(head[1] ?? '');
    // Tables, code, and lines with numbers that are filled in elsewhere are no sentences to quote.
    else if (!isCode && line.trim() !== '' && !/^\s*[|$>]|\{\{/u.test(line)) add(heading, readable(line));
  }
  return passages;
}

export function createSearch(texts: readonly HelpText[]) {
  const pages = texts.map((source): Page => {
    const counts = new Map<string, number>();
    const count = (text: string, weight: number): void => {
      for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
    };
    count([source.title, ...source.aliases].join(' '), TITLE_WEIGHT);
    count(source.purpose, PURPOSE_WEIGHT);
    count(source.text, 1);
    const length = [...counts.values()].reduce((sum, n) => sum + n, 0);
    const names = [source.title, ...source.aliases].map((name) => new Set(wordsOf(name)));
    return { source, counts, names, length, passages: passagesOf(source) };
  });
  const mean = pages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pages.length);
  const holding = new Map<string, number>();
  for (const { counts } of pages) for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => {
    const n = holding.get(word) ?? 0;
    return Math.log(1 + (pages.length - n + 0.5) / (n + 0.5));
  };

  return (question: string, most: number): Hit[] => {
    const asked = [...new Set(wordsOf(question.replace(EMPTY, ' ')))];
    const whole = asked.reduce((sum, word) => sum + weightOf(word), 0);
    if (whole === 0) return [];
    return pages
      .map((page) => {
        let score = 0;
        let covered = 0;
        for (const word of asked) {
          const n = page.counts.get(word) ?? 0;
          if (n === 0) continue;
          covered += weightOf(word);
          score += (weightOf(word) * n * (K1 + 1)) / (n + K1 * (1 - B + (B * page.length) / mean));
        }
        // A page that holds the whole question comes before one that holds a rare word of it many times.
        const share = covered / whole;
        return { page, score: score * share * (1 + likeness(page, asked)), share };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.page.source.slug < b.page.source.slug ? -1 : 1))
      .slice(0, most)
      .map(({ page, share }) => ({ source: page.source, share, passage: best(page, asked) }));
  };

  /** 1 where the question is a name of the page and nothing else. */
  function likeness({ names }: Page, asked: readonly string[]): number {
    const alike = names.map((name) => {
      const shared = asked.filter((word) => name.has(word)).length;
      return shared / (name.size + asked.length - shared);
    });
    return Math.max(0, ...alike);
  }

  function best({ passages }: Page, asked: readonly string[]): Hit['passage'] {
    const sum = ({ words }: Passage): number =>
      asked.reduce((all, word) => all + (words.has(word) ? weightOf(word) : 0), 0);
    const [first] = passages.map((passage) => ({ passage, score: sum(passage) })).toSorted((a, b) => b.score - a.score);
    return first ? { heading: first.passage.heading, text: first.passage.text } : null;
  }
}
