/**
 * What a page written at the build leaves open and the server fills in when it is asked for: prices, limits, counts, the
 * operator. A package is built before its operator is known. Three forms, of which none may stand inside its own kind:
 *
 *   {{name}}                                   a text, escaped; {{json:name}} inside a string of JSON in a script
 *   <hx-each of="list">…{{field}}…</hx-each>   once for each row of a list
 *   <hx-if has="name">…</hx-if>                only where the text is not empty or the list has rows
 *   <hx-unless has="name">…</hx-unless>        only where it is
 */

/** Texts that stand alone. */
export const SITE_TEXTS = [
  'origin',
  'methods.total',
  'methods.member',
  'methods.standard',
  'formats',
  'company.name',
  'company.address',
  'company.hotline',
  'company.mail',
  'company.icp',
  'company.police',
  'promo.title',
  'promo.rules',
  'promo.from',
  'promo.to',
  'promo.first',
  'captcha',
  // Not empty where some price was higher before.
  'struck',
  'updated',
] as const;
export type SiteText = (typeof SITE_TEXTS)[number];

/** Lists with the fields of their rows. */
export const SITE_LISTS = {
  packages: ['title', 'description', 'price', 'before', 'discount', 'term'],
  edu: ['title', 'description', 'price', 'before', 'discount', 'term'],
  editions: ['title', 'standard', 'member', 'enterprise'],
  /** Of a page that does not exist: those with the nearest addresses. */
  near: ['path', 'title'],
} as const;
export type SiteList = keyof typeof SITE_LISTS;

export interface SiteFacts {
  texts: Record<SiteText, string>;
  lists: { [L in SiteList]: readonly Record<(typeof SITE_LISTS)[L][number], string>[] };
}

const TEXT = /\{\{(json:)?([\w.]+)\}\}/g;
const EACH = /<hx-each of="(\w+)">([\s\S]*?)<\/hx-each>/g;
const CONDITION = /<hx-(if|unless) has="([\w.]+)">([\s\S]*?)<\/hx-\1>/g;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** Inside the quotes of a JSON string that stands in a script: nothing may end the script. */
const inJson = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('<', String.raw`\u003c`);

type Known = Readonly<Record<string, string>>;

function fillBlock(html: string, known: Known, counts: Readonly<Record<string, number>>): string {
  return html
    .replace(CONDITION, (_, kind: string, name: string, inside: string) => {
      const has = Object.hasOwn(counts, name) ? counts[name] !== 0 : textOf(known, name) !== '';
      return has === (kind === 'if') ? inside : '';
    })
    .replace(TEXT, (_, json: string | undefined, name: string) =>
      json ? inJson(textOf(known, name)) : escape(textOf(known, name)),
    );
}

function textOf(known: Known, name: string): string {
  const text = Object.hasOwn(known, name) ? known[name] : undefined;
  if (text === undefined) throw new Error(`A page asks for ${name}, which nobody knows`);
  return text;
}

/** The page with everything put in; throws Error for a name that does not exist. Linear in the length of the page. */
export function fillHoles(html: string, { texts, lists }: SiteFacts): string {
  const rows: ReadonlyMap<string, readonly Known[]> = new Map(Object.entries(lists));
  const counts = Object.fromEntries([...rows].map(([name, list]) => [name, list.length]));
  // Piece by piece, so that nothing that was put in is read again.
  const pieces: string[] = [];
  let at = 0;
  for (const { 0: whole, 1: name = '', 2: inside = '', index } of html.matchAll(EACH)) {
    const list = rows.get(name);
    if (!list) throw new Error(`A page asks for the list ${name}, which nobody knows`);
    pieces.push(fillBlock(html.slice(at, index), texts, counts));
    for (const row of list) pieces.push(fillBlock(inside, { ...texts, ...row }, counts));
    at = index + whole.length;
  }
  return [...pieces, fillBlock(html.slice(at), texts, counts)].join('');
}

/** Facts with every name and one row in every list: a page that cannot be filled with them does not leave the build. */
export function sampleFacts(): SiteFacts {
  const named = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, name]));
  // The records are made from the very lists that are their types.
  return {
    texts: named(SITE_TEXTS),
    lists: Object.fromEntries(Object.entries(SITE_LISTS).map(([name, fields]) => [name, [named(fields)]])),
  } as unknown as SiteFacts;
}
