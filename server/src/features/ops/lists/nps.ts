/** 推荐意愿: the score of each month with its interval, and every answer with its comment. */
import type { Context } from '../context.ts';
import type { ListName } from '../schema.ts';
import { column, iso, pageOf } from './list.ts';
import type { Listed } from './list.ts';

const EDITIONS: Record<string, string> = { standard: '标准版', member: '会员', enterprise: '企业版' };
const percent = (part: number, whole: number): string => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)}%`);
const interval = (low: number | null, high: number | null): string =>
  low === null || high === null ? '不足 30 份，只列份数' : `[${low.toFixed(1)}, ${high.toFixed(1)}]`;

export function npsLists({ nps }: Context): Record<Extract<ListName, 'nps' | 'nps_answers'>, Listed> {
  return {
    nps: {
      title: '推荐意愿',
      columns: [
        column('month', '月份'),
        column('edition', '版本'),
        column('n', '回答', 'number'),
        column('promoters', '推荐者（9–10 分）'),
        column('passives', '中立（7–8 分）'),
        column('detractors', '不推荐（0–6 分）'),
        column('score', 'NPS'),
        column('interval', '95% CI'),
        column('response', '回答率'),
      ],
      async rows(query) {
        const { total, list } = pageOf(await nps.scores(), query);
        const share = (part: number, n: number) => (n < 30 ? String(part) : `${part}（${percent(part, n)}）`);
        return {
          total,
          list: list.map(({ month, edition, shown, ...found }) => ({
            id: `${month} ${edition ?? ''}`.trim(),
            cells: {
              month,
              edition: edition === null ? '全部' : (EDITIONS[edition] ?? edition),
              n: found.n,
              promoters: share(found.promoters, found.n),
              passives: share(found.passives, found.n),
              detractors: share(found.detractors, found.n),
              score: found.score === null ? '' : found.score.toFixed(1),
              interval: interval(found.low, found.high),
              response: `${found.n}/${shown}（${percent(found.n, shown)}）`,
            },
          })),
        };
      },
    },
    nps_answers: {
      title: '推荐意愿的回答',
      columns: [
        column('score', '分数', 'number'),
        column('comment', '主要原因'),
        column('edition', '版本'),
        column('user_id', '用户编号', 'customer'),
        column('page', '页面'),
        column('created_at', '时间', 'instant'),
      ],
      async rows(query) {
        const { total, list } = await nps.answers(query);
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            cells: {
              score: row.score,
              comment: row.comment,
              edition: EDITIONS[row.edition] ?? row.edition,
              user_id: row.userId === null ? '未同意联系' : String(row.userId),
              page: row.page,
              created_at: iso(row.createdAt),
            },
          })),
        };
      },
    },
  };
}
