/** Shared reports: found by the link that was reported or by who shared, never listed, never opened from here. */
import type { ShareWanted } from '../../reports/service.ts';
import type { Context } from '../context.ts';
import type { ListQuery } from '../schema.ts';
import { column, iso, numberIn, textFilter } from './list.ts';
import type { Listed } from './list.ts';

/** `https://…/s/CODE?x=1` as it stands in a complaint, or the code alone. */
export const codeIn = (text: string): string => /\/s\/([^/?#\s]+)/.exec(text)?.[1] ?? text;

function wantedOf({ code, user_id: userId }: ListQuery): ShareWanted | null {
  if (code) return { code: codeIn(code) };
  const id = numberIn(userId);
  return id === undefined ? null : { userId: id };
}

export function sharesList({ db, clock, reports: { shareDesk } }: Context): Listed {
  return {
    title: '分享',
    columns: [
      column('id', '编号', 'number'),
      column('user_id', '分享人编号', 'number'),
      column('owner', '所属'),
      column('created_at', '分享时间', 'instant'),
      column('ends_at', '有效至', 'instant'),
      column('ended_at', '结束时间', 'instant'),
      column('state', '状态', 'state'),
    ],
    filters: [textFilter('code', '分享链接或分享码'), textFilter('user_id', '分享人编号')],
    hint: '按被投诉的分享链接、分享码或分享人编号查找。',
    async rows(query) {
      const wanted = wantedOf(query);
      if (!wanted) return { total: 0, list: [] };
      const { total, list } = await shareDesk.page(wanted, query);
      const now = await clock(db);
      return {
        total,
        list: list.map((share) => {
          const isLive = share.endedAt === null && (share.endsAt === null || share.endsAt > now);
          return {
            id: String(share.id),
            name: `分享 ${share.id}`,
            cells: {
              id: share.id,
              user_id: share.createdBy,
              owner: share.ownerKind === 'user' ? '个人' : `企业 ${share.ownerId}`,
              created_at: iso(share.createdAt),
              ends_at: iso(share.endsAt) ?? '长期有效',
              ended_at: iso(share.endedAt),
              state: isLive ? '有效' : share.endedAt ? '已结束' : '已到期',
            },
            acts: isLive ? ['share.stop'] : [],
          };
        }),
      };
    },
  };
}
