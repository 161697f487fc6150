/** Finding by 汉字, Latin, full pinyin or initials (dlyb → 独立样本t检验). The pinyin table is large and loaded on first use. */

export interface Searchable {
  /** Shown and weighed first. */
  title: string;
  /** Other words it may be found by: English name, family, label. */
  words?: readonly string[];
  /** What it is called as well: found by pinyin and with a slip of the pen, like the title. */
  aliases?: readonly string[];
}

type PinyinMatch = (text: string, query: string) => number[] | null;

let pinyinMatch: PinyinMatch | null = null;
let loading: Promise<void> | null = null;

export function loadPinyin(): Promise<void> {
  loading ??= import('pinyin-pro').then((module) => {
    pinyinMatch = (text, query) => module.match(text, query, { continuous: true });
  });
  return loading;
}

/** Letters alone: t-test, t test and ttest are one word, χ² and χ2 too. */
export function normal(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\-_–−·]+/g, '');
}

/** Higher is better; 0 is no match. Without the pinyin table only letters as written are compared. */
export function score(query: string, item: Searchable): number {
  const wanted = normal(query);
  if (!wanted) return 1;
  const title = normal(item.title);
  if (title === wanted) return 100;
  if (title.startsWith(wanted)) return 90;
  if (title.includes(wanted)) return 80;
  const aliases = (item.aliases ?? []).map(normal);
  if (aliases.includes(wanted)) return 78;
  if (aliases.some((alias) => alias.startsWith(wanted))) return 75;
  const words = (item.words ?? []).map(normal);
  if (words.some((word) => word.startsWith(wanted))) return 70;
  if ([...aliases, ...words].some((word) => word.includes(wanted))) return 60;
  if (/^[a-z][a-z\d]*$/.test(wanted) && pinyinMatch) {
    const at = pinyinMatch(title, wanted);
    if (at) return at[0] === 0 ? 50 : 40;
    if (aliases.some((alias) => pinyinMatch?.(alias, wanted)?.[0] === 0)) return 35;
  }
  return 0;
}

const SLIP_SHORTEST = 3;
const SLIP_LONGEST = 8;
const SLIP_SHARE = 0.65;

/** 0 to 1: how much of a mistyped name (独力样本, 卡芳检验) stands in order in one of the names; 0 is too little. */
export function near(query: string, names: readonly string[]): number {
  const wanted = [...normal(query)];
  if (wanted.length < SLIP_SHORTEST || wanted.length > SLIP_LONGEST || !/\p{Script=Han}/u.test(query)) return 0;
  const best = Math.max(0, ...names.map((name) => inOrder(wanted, [...normal(name)]) / wanted.length));
  return best >= SLIP_SHARE ? best : 0;
}

/** Length of the longest common subsequence. */
function inOrder(a: readonly string[], b: readonly string[]): number {
  let before = Array.from({ length: b.length + 1 }, () => 0);
  for (const sign of a) {
    const now = [0];
    for (const [j, other] of b.entries()) {
      now.push(sign === other ? (before[j] ?? 0) + 1 : Math.max(before[j + 1] ?? 0, now[j] ?? 0));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}

export function search<T extends Searchable>(query: string, items: readonly T[], most: number): T[] {
  const found = items.map((item, place) => ({ item, place, value: score(query, item) }));
  const some = found.some((hit) => hit.value > 0);
  return found
    .map((hit) => (some ? hit : { ...hit, value: near(query, [hit.item.title, ...(hit.item.aliases ?? [])]) }))
    .filter((hit) => hit.value > 0)
    .sort((a, b) => b.value - a.value || a.place - b.place)
    .slice(0, most)
    .map((hit) => hit.item);
}
