/** What a report of compared texts says in words, the same on screen and in its export: each sentence holds for every input. */
import { ABSENT, integer, percent } from './format.ts';

export interface PlagdetFigures {
  characters: number;
  counted: number;
  left_out: Partial<Record<'cover' | 'contents' | 'references', number>>;
  same: number;
  similar: number;
  common: number;
  quoted: number;
  same_unquoted: number;
  same_foreign: number;
  largest: { document: number; same: number } | null;
}

export const KIND_TEXT = { same: '相同', similar: '改写相似', common: '常见表述' } as const;
export const PART_TEXT = { cover: '封面', contents: '目录', references: '参考文献', quotation: '引用' } as const;

export const NO_VERDICT =
  '结果不等于学校或期刊所用系统的结果：这里没有互联网，也没有全国性的论文库。相似不等于抄袭，是否合格由学校或期刊判断。';

/** The same wherever it is written: the server need not stand where its reader does. */
const BEIJING = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Asia/Shanghai' });

/** The first line of every result: what the text was held against. */
export function comparedWith(check: { documents: number; other_name: string | null; created_at: string }): string {
  const at = `截至 ${BEIJING.format(new Date(check.created_at))}（北京时间）`;
  return check.other_name === null
    ? `本次与 ${integer(check.documents)} 篇文档比对（我的文库 ${integer(check.documents)} 篇），${at}。`
    : `本次只与“${check.other_name}”一份文本互相比对，${at}。`;
}

/** A share with one decimal; of nothing there is none. */
export const shareText = (part: number, whole: number): string => (whole === 0 ? ABSENT : percent(part / whole, 1));

export interface FigureLine {
  key: string;
  label: string;
  value: string;
  /** Out of how many, in characters. */
  of: string;
  means: string;
}

export function figureLines(figures: PlagdetFigures, largestName: string | null): FigureLine[] {
  const { counted, quoted } = figures;
  const line = (key: string, label: string, part: number, whole: number, means: string): FigureLine => ({
    key,
    label,
    value: shareText(part, whole),
    of: `${integer(part)} / ${integer(whole)} 字`,
    means,
  });
  const lines = [
    line('same', '总相似比', figures.same, counted, '与比对文档相同的字，占计入的字。引用也算在内'),
    line(
      'similar',
      '改写相似比',
      figures.similar,
      counted,
      '所在句子与来源相似度不低于 70%、本身又不算相同的字，占计入的字',
    ),
    line(
      'unquoted',
      '去除引用后',
      figures.same_unquoted,
      counted - quoted,
      '引用以外相同的字，占引用以外计入的字。引用：有引号并注明出处，或作者标为引用',
    ),
    line('foreign', '去除本人文献后', figures.same_foreign, counted, '只算不是作者标为本人文献的来源，占计入的字'),
    line(
      'largest',
      '单篇最大',
      figures.largest?.same ?? 0,
      counted,
      largestName === null ? '与一篇文档相同的字最多占多少' : `与“${largestName}”相同的字，占计入的字`,
    ),
    line('common', '常见表述', figures.common, counted, '多数片段出现在 20 篇以上文档里的文字，另列，不算进总相似比'),
  ];
  return lines;
}

export function countedText({ characters, counted, left_out: out }: PlagdetFigures): string {
  const parts = (['cover', 'contents', 'references'] as const).flatMap((kind) =>
    out[kind] === undefined ? [] : [`${PART_TEXT[kind]} ${integer(out[kind])} 字`],
  );
  const whole = `全文有效文字 ${integer(characters)} 字（只数汉字、字母和数字），计入 ${integer(counted)} 字`;
  return parts.length === 0 ? `${whole}。` : `${whole}，未计入：${parts.join('、')}。`;
}

export const HOW_FOUND = [
  '与来源连续相同 13 字以上的文字都会标出；相隔不超过 40 字、次序一致的几段，合计 13 字以上时，其中 8 字以上的相同文字也标出。单独出现的 12 字以下的相同文字不标，只由一两个字符反复组成的片段也不标。',
  '比对前去掉空格和标点，全角与半角、大写与小写、繁体与简体视为相同。',
  '改写超过三成、翻译、图片里的文字通常查不出。',
] as const;

const NOTE: Record<string, (n: string) => string> = {
  unseen: (n) => `字里夹有看不见的字符 ${n} 处，已去掉再比对。`,
  twins: (n) => `英文单词里夹有形似的其他字母 ${n} 处，已还原再比对。`,
  radicals: (n) => `形似汉字的部首或兼容字符 ${n} 处，已还原再比对。`,
  hidden: (n) => `白色、隐藏或极小的文字 ${n} 字，未参加比对。`,
  deleted: (n) => `修订中删去的内容 ${n} 处，未参加比对。`,
  formulas: (n) => `公式 ${n} 个，未参加比对。`,
  pages: (n) => `${n} 页没有文字，未参加比对。`,
  mixed: (n) => `${n} 行的编码与其余不同，已逐行识别。`,
  unreadable: (n) => `${n} 个字符无法识别，结果可能偏低。`,
  bare_quotations: (n) => `引号内 13 字以上而没有注明出处的文字 ${n} 处，按正文计入。`,
  omitted: (n) => `相同和相似处过多，另有较短的 ${n} 处没有列出，也没有算进各项比例。`,
};

/** What was noticed in the file, in the order above. */
export const notesText = (notes: Record<string, number>): string[] =>
  Object.entries(NOTE).flatMap(([kind, words]) => (notes[kind] ? [words(integer(notes[kind]))] : []));
