/** Education checks, banners and activities, broadcasts. */
import { AD_TYPES, POSITIONS } from '../acts/content.ts';
import type { Context } from '../context.ts';
import type { ListName, ListQuery } from '../schema.ts';
import { column, iso, oneOf, pageOf, stateFilter } from './list.ts';
import type { Listed, Row } from './list.ts';

const EDU = { 0: '待审核', 1: '已通过', 2: '未通过' };
const EDU_KIND = { email: '学校邮箱', chsi: '学信网', document: '证件' };
const EDU_ROLE = { student: '学生', teacher: '教师' };
const SHOWN = { on: '显示', off: '隐藏' };

export function contentLists({
  membership: { education },
  campaigns: { shows },
}: Context): Record<Extract<ListName, 'edu' | 'banners' | 'broadcasts'>, Listed> {
  return {
    edu: {
      title: '教育认证',
      columns: [
        column('id', '编号', 'number'),
        column('user_id', '用户编号', 'number'),
        column('kind', '方式'),
        column('name', '姓名'),
        column('school', '学校'),
        column('role', '身份'),
        column('chsi_code', '在线验证码'),
        column('state', '状态', 'state'),
        column('reason', '原因'),
        column('created_at', '提交时间', 'instant'),
        column('valid_to', '有效至', 'instant'),
      ],
      filters: [stateFilter(EDU, '状态', false)],
      async rows(query) {
        const state = oneOf(EDU, query.state) ?? '0';
        const status = state === '1' ? 1 : state === '2' ? 2 : 0;
        const { total, list } = await education.queue(status, query);
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: row.name,
            version: row.version,
            has_proof: row.proofId !== null,
            cells: {
              id: row.id,
              user_id: row.userId,
              kind: EDU_KIND[row.kind],
              name: row.name,
              school: row.school,
              role: EDU_ROLE[row.role],
              chsi_code: row.chsiCode,
              state: EDU[row.status],
              reason: row.reason,
              created_at: iso(row.createdAt),
              valid_to: iso(row.validTo),
            },
            acts: row.status === 0 ? ['edu.approve', 'edu.refuse'] : row.status === 1 ? ['edu.refuse'] : [],
          })),
        };
      },
    },
    banners: {
      title: '横幅与活动',
      makes: ['banner.make'],
      columns: [
        column('id', '编号', 'number'),
        column('typ', '类别'),
        column('title', '标题'),
        column('position', '位置'),
        column('label', '标注'),
        column('starts_at', '开始', 'instant'),
        column('ends_at', '结束', 'instant'),
        column('sort', '排序', 'number'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(SHOWN)],
      async rows(query) {
        return placed(await shows.allAds(), query, (row) => {
          const typ = row.typ === 1 ? '1' : '2';
          const { title, position, label } = row;
          return {
            name: title,
            cells: { typ: AD_TYPES[typ], title, position: POSITIONS[position] ?? position, label },
            act: 'banner.change',
            values: {
              typ,
              title,
              cover: row.cover,
              summary: row.summary,
              body_md: row.bodyMd,
              url: row.url,
              position,
              label,
            },
          };
        });
      },
    },
    broadcasts: {
      title: '播报',
      makes: ['broadcast.make'],
      columns: [
        column('id', '编号', 'number'),
        column('text', '内容'),
        column('starts_at', '开始', 'instant'),
        column('ends_at', '结束', 'instant'),
        column('sort', '排序', 'number'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(SHOWN)],
      async rows(query) {
        return placed(await shows.allBroadcasts(), query, ({ text }) => ({
          name: text,
          cells: { text },
          act: 'broadcast.change',
          values: { text },
        }));
      },
    },
  };
}

interface Shown {
  id: number;
  version: number;
  startsAt: Date;
  endsAt: Date;
  sort: number;
  isOn: boolean;
}

/** Rows of what is shown for a time, at a place in a row of others, and may be hidden. */
function placed<T extends Shown>(
  rows: readonly T[],
  query: ListQuery,
  wire: (row: T) => { name: string; cells: Row['cells']; act: string; values: Row['cells'] },
): { total: number; list: Row[] } {
  const wanted = oneOf(SHOWN, query.state);
  const fitting = rows.filter(({ isOn }) => wanted === undefined || isOn === (wanted === 'on'));
  const { total, list } = pageOf(fitting, query);
  return {
    total,
    list: list.map((row) => {
      const { name, cells, act, values } = wire(row);
      const place = { starts_at: iso(row.startsAt), ends_at: iso(row.endsAt), sort: row.sort };
      return {
        id: String(row.id),
        name,
        version: row.version,
        cells: { id: row.id, ...cells, ...place, state: row.isOn ? SHOWN.on : SHOWN.off },
        acts: [act],
        values: { ...values, ...place, is_on: row.isOn },
      };
    }),
  };
}
