/** Finding by 汉字, Latin, full pinyin or initials (dlyb → 独立样本t检验). The pinyin table is large and loaded on first use. */

export interface Searchable {
  /** Shown and weighed first. */
  title: string;
  /** Other words it may be found by: English name, family, label. */
  words?: readonly string[];
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

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
}

/** Higher is better; 0 is no match. Without the pinyin table only letters as written are compared. */
export function score(query: string, item: Searchable): number {
  const wanted = normal(query);
  if (!wanted) return 1;
  const title = normal(item.title);
  if (title === wanted) return 100;
  if (title.startsWith(wanted)) return 90;
  if (title.includes(wanted)) return 80;
  const words = (item.words ?? []).map(normal);
  if (words.some((word) => word.startsWith(wanted))) return 70;
  if (words.some((word) => word.includes(wanted))) return 60;
  if (/^[a-z]+$/.test(wanted) && pinyinMatch) {
    const at = pinyinMatch(title, wanted);
    if (at) return at[0] === 0 ? 50 : 40;
  }
  return 0;
}

export function search<T extends Searchable>(query: string, items: readonly T[], most: number): T[] {
  return items
    .map((item, place) => ({ item, place, value: score(query, item) }))
    .filter((hit) => hit.value > 0)
    .sort((a, b) => b.value - a.value || a.place - b.place)
    .slice(0, most)
    .map((hit) => hit.item);
}
