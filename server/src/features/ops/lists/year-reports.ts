/** 年终报告: the season of each year and how many keep a report; no single report. */
import type { Context } from '../context.ts';
import { column, iso, pageOf } from './list.ts';
import type { Listed } from './list.ts';

export function yearReportsList({ yearEnd }: Context): Listed {
  return {
    title: '年终报告',
    columns: [
      column('year', '年份'),
      column('state', '状态', 'state'),
      column('opens_at', '开放', 'instant'),
      column('closes_at', '结束', 'instant'),
      column('kept', '同意并保留的份数', 'number'),
      column('few', '其中分析不足 3 次', 'number'),
    ],
    async rows(query) {
      const { total, list } = pageOf(await yearEnd.desk.years(), query);
      return {
        total,
        list: list.map(({ year, opensAt, closesAt, isOn, isOpen, version, kept, few }) => ({
          id: String(year),
          name: `${year} 年终报告`,
          version,
          cells: {
            year: String(year),
            state: isOpen ? '开放中' : isOn ? '未开放' : '已停用',
            opens_at: iso(opensAt),
            closes_at: iso(closesAt),
            kept,
            few,
          },
          values: { opens_at: iso(opensAt), closes_at: iso(closesAt), is_on: isOn },
          acts: ['year_report.change'],
        })),
      };
    },
  };
}
