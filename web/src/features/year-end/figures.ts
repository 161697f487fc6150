/** The figures of a year: how each is called and written, and what exactly was counted. */
import { integer } from '@hengxi/contracts/format';
import type { YearNumbers } from '@hengxi/server/year-end/schema';

export interface Figure {
  key: string;
  label: string;
  /** null: there is nothing to tell. */
  value: string | null;
  meaning: string;
}

export function figuresOf(numbers: YearNumbers): Figure[] {
  const top = numbers.top === null || numbers.top_runs === 0 ? null : `${numbers.top}，${integer(numbers.top_runs)} 次`;
  return [
    {
      key: 'runs',
      label: '完成分析',
      value: `${integer(numbers.runs)} 次`,
      meaning: '得到结果的分析。失败和取消的不计；数据和设置都没变、直接取已有结果的也不计。',
    },
    {
      key: 'days',
      label: '分析的日子',
      value: `${integer(numbers.days)} 天`,
      meaning: '至少完成一次分析的日子，按北京时间的日期计。',
    },
    {
      key: 'methods',
      label: '用过的方法',
      value: `${integer(numbers.methods)} 种`,
      meaning: '这些分析用到的不同方法。',
    },
    {
      key: 'exports',
      label: '导出',
      value: `${integer(numbers.exports)} 次`,
      meaning: '完成的导出，含数据和报告。数据或报告已删除的不计。',
    },
    {
      key: 'rows',
      label: '读过的行',
      value: `${integer(numbers.rows)} 行`,
      meaning: '每次分析所用数据表的行数相加，是筛选之前的行数。',
    },
    {
      key: 'largest',
      label: '最大的一张表',
      value: `${integer(numbers.largest)} 行`,
      meaning: '分析用过的数据表里行数最多的一张，是筛选之前的行数。',
    },
    { key: 'top', label: '最常用的方法', value: top, meaning: '分析次数最多的方法；次数相同的，取先用到的那个。' },
  ];
}

/** What visitors see. */
export const SAMPLE: YearNumbers = {
  days: 46,
  runs: 138,
  methods: 17,
  top: '独立样本 t 检验',
  top_runs: 31,
  rows: 52_460,
  largest: 3200,
  exports: 22,
};

const BEIJING = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Asia/Shanghai' });
/** 2026-12-20 18:00 */
export const beijing = (iso: string): string => BEIJING.format(new Date(iso));

/** The days of a half-open range: 2026-01-01 至 2026-12-31; a range that ends within a day says when. */
export function rangeText({ from, to }: { from: string; to: string }): string {
  const end = beijing(to);
  const last = end.endsWith('00:00') ? beijing(new Date(Date.parse(to) - 1).toISOString()).slice(0, 10) : end;
  return `${beijing(from).slice(0, 10)} 至 ${last}（北京时间）`;
}
