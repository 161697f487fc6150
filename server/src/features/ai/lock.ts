/**
 * The number lock: a model writes words and points ({{s:s1}}), and what it points at is inserted by us. A sentence with a
 * number, sign, share, direction, comparison or verdict of its own is refused with the reason.
 */
import type { ReadingSentence } from './schema.ts';
import type { Statement } from './statements.ts';

export type Checked = { sentence: ReadingSentence; refs: string[] } | { refused: string };

const SENTENCE_MAX = 300;
const REFERENCE = /\{\{s:(s\d{1,3})\}\}/gu;
/** Where a reference stood; any other control character is refused. */
const PLACE = '\u0001';

const SHARES = /分之|百分|[倍半折番成]|翻了/u;
/** Words with 成 that speak of no tenth. */
const NO_SHARE = /[完组构形]成|成分|成员/gu;
const NUMERALS = /[〇零一二三四五六七八九十百千万亿两俩仨廿卅壹贰叁肆伍陆柒捌玖拾佰仟萬億兩弌弍弎]/u;
/** Nothing is counted in these. */
const IDIOMS = /一般|进一步|一起|一定|万一|四分位|另一方面|一方面|单一|统一/gu;
const TERMS = /显著性水平|显著性检验|统计学意义的含义|相关分析|影响因素分析|方差不齐/gu;
const VERDICTS = new RegExp(
  [
    '显著|统计学意义|有意义|差异[有存明很不]|[有存]在?差异|无关|相关|拒绝|接受|成立|满足|违反|符合|通过|可信|可靠|有效|失效',
    '[高低大小多少优劣好坏强弱快慢长短早晚胜]于|[更最较很极太偏越][^，。]{0,2}[高低大小多少优劣好坏强弱快慢长短]|超过|不足|不到|达到|等于|相等|相同|一样|一致|持平|接近',
    '增[加长大多强高]|减[少小弱低]|上升|下降|提[高升]|降低|升高|正向|负向|正的|负的|为正|为负|反向|同向|领先|落后|差距',
    '导致|造成|引起|使得|影响|促进|抑制|证[明实]|决定|取决|因果',
    '多数|少数|全部|所有|都|均|绝大|个别|唯一|只有|几个|数个|若干|翻',
    '相反|错误|并非|反而|不是|没有|不对|不实|虚假|推翻|否定|未|无|非|不[成可存具]|星',
  ].join('|'),
  'u',
);
/** Latin words a reading may use. */
const LATIN = new Set(['p', 'ci', 'ai']);

export function checkSentence(raw: string, statements: ReadonlyMap<string, Statement>): Checked {
  if (raw.trim() === '' || raw.length > SENTENCE_MAX) return { refused: '句子为空或过长' };
  if (/\p{C}/u.test(raw)) return { refused: '含有不可见字符' };
  const refs = [...raw.matchAll(REFERENCE)].map(([, id = '']) => id);
  if (refs.some((id) => !statements.has(id))) return { refused: '引用了报告里没有的内容' };
  const rest = raw.replace(REFERENCE, PLACE);
  if (/[{}]/u.test(rest)) return { refused: '引用的写法不对' };
  if (new RegExp(`${PLACE}\\s*${PLACE}`, 'u').test(rest)) return { refused: '两处引用连在一起' };
  const words = rest.replaceAll(PLACE, '，');
  const fault = faultOf(words);
  if (fault !== null) return { refused: fault };
  return { sentence: piecesOf(raw, statements), refs };
}

function faultOf(raw: string): string | null {
  // Before normalising, which would turn ½ and Ⅳ into plain characters.
  if (/\p{N}/u.test(raw)) return '写了报告之外的数字';
  const words = raw.normalize('NFKC');
  // Marks between characters would hide a word from the lists below.
  if (/\p{M}/u.test(words)) return '含有组合符号';
  const tight = words.replace(/[\s\p{P}]/gu, '');
  if (/\p{N}/u.test(words)) return '写了报告之外的数字';
  if (/[\p{S}*%‰#@/\\[\]_&]/u.test(words)) return '写了符号或比较';
  for (const text of [words, tight]) {
    if (SHARES.test(text.replace(NO_SHARE, '')) || NUMERALS.test(text.replace(IDIOMS, '·')))
      return '写了报告之外的数字';
    if (VERDICTS.test(text.replace(TERMS, '·'))) return '自己下了结论或比较';
  }
  for (const [word] of words.matchAll(/[^\p{Script=Han}\p{P}\s]+/gu))
    if (!LATIN.has(word.toLowerCase())) return '写了外文';
  return null;
}

function piecesOf(raw: string, statements: ReadonlyMap<string, Statement>): ReadingSentence {
  const pieces: ReadingSentence = [];
  let end = 0;
  for (const hit of raw.matchAll(REFERENCE)) {
    if (hit.index > end) pieces.push({ text: raw.slice(end, hit.index) });
    const id = hit[1] ?? '';
    pieces.push({ text: statements.get(id)?.text ?? '', ref: id });
    end = hit.index + hit[0].length;
  }
  if (end < raw.length) pieces.push({ text: raw.slice(end) });
  return pieces;
}
