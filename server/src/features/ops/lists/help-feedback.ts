/** 帮助页反馈: what readers say of help pages, newest first. */
import { REASONS, VERDICTS } from '../../help-feedback/schema.ts';
import type { Context } from '../context.ts';
import { column, iso, oneOf, stateFilter } from './list.ts';
import type { Listed } from './list.ts';

const verdictOf = (wanted: string | undefined): 'yes' | 'no' | undefined => {
  const title = oneOf(VERDICTS, wanted);
  return title === undefined ? undefined : title === 'yes' ? 'yes' : 'no';
};

export function helpFeedbackList({ helpFeedback }: Context): Listed {
  return {
    title: '帮助页反馈',
    columns: [
      column('slug', '页面'),
      column('verdict', '评价', 'state'),
      column('reason', '原因'),
      column('text', '说明'),
      column('share', '这一页有帮助的'),
      column('version', '方法版本'),
      column('created_at', '时间', 'instant'),
    ],
    filters: [stateFilter(VERDICTS)],
    async rows(query) {
      const { total, list } = await helpFeedback.queue(verdictOf(query.state), query);
      return {
        total,
        list: list.map((row) => ({
          id: String(row.id),
          name: `帮助页反馈 ${row.id}`,
          cells: {
            slug: `/help/${row.slug}/`,
            verdict: VERDICTS[row.verdict],
            reason: row.reason === null ? null : REASONS[row.reason],
            text: row.text,
            share: `${row.share.yes} / ${row.share.all}`,
            version: row.version,
            created_at: iso(row.createdAt),
          },
          acts: [],
        })),
      };
    },
  };
}
