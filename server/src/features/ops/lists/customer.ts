/** What one customer has: files and live sessions. Names of files are the customer's own words, so they are masked. */
import { liveSessions } from '../../accounts/service.ts';
import type { Context } from '../context.ts';
import { maskName } from '../mask.ts';
import type { ListName } from '../schema.ts';
import { column, iso, numberIn, pageOf, textFilter } from './list.ts';
import type { Listed } from './list.ts';

const BY_USER = [textFilter('user_id', '用户编号')];
const NOTHING = { total: 0, list: [] };

export function customerLists({
  db,
  files,
}: Context): Record<Extract<ListName, 'user_files' | 'user_sessions'>, Listed> {
  return {
    user_files: {
      title: '客户文件',
      columns: [
        column('id', '编号', 'number'),
        column('name', '名称'),
        column('format', '格式'),
        column('rows', '行数', 'number'),
        column('columns', '列数', 'number'),
        column('versions', '版本数', 'number'),
        column('reports', '报告数', 'number'),
        column('created_at', '上传时间', 'instant'),
        column('updated_at', '修改时间', 'instant'),
      ],
      filters: BY_USER,
      hint: '按用户编号查找。文件名打码，内容不可查看。',
      async rows(query) {
        const id = numberIn(query.user_id);
        if (id === undefined) return NOTHING;
        const page = { page: query.page, page_size: query.page_size, bin: '0', sort: 'updated' } as const;
        const { total, list } = await files.library.list({ kind: 'user', id }, page);
        return {
          total,
          list: list.map((file) => ({
            id: String(file.fid),
            cells: {
              id: file.fid,
              name: maskName(file.name),
              format: file.format,
              rows: file.rows,
              columns: file.columns,
              versions: file.versions,
              reports: file.reports,
              created_at: file.created_at,
              updated_at: file.updated_at,
            },
          })),
        };
      },
    },
    user_sessions: {
      title: '登录会话',
      columns: [
        column('id', '编号', 'number'),
        column('platform', '平台'),
        column('agent', '设备'),
        column('net', '网络'),
        column('created_at', '登录时间', 'instant'),
        column('seen_at', '最近使用', 'instant'),
        column('ends_at', '有效至', 'instant'),
      ],
      filters: BY_USER,
      hint: '按用户编号查找。',
      async rows(query) {
        const id = numberIn(query.user_id);
        if (id === undefined) return NOTHING;
        const { total, list } = pageOf(await liveSessions(db, id), query);
        return {
          total,
          list: list.map((session) => ({
            id: String(session.id),
            cells: {
              id: session.id,
              platform: session.platform,
              agent: session.agent,
              net: session.netShown,
              created_at: iso(session.createdAt),
              seen_at: iso(session.seenAt),
              ends_at: iso(session.endsAt),
            },
          })),
        };
      },
    },
  };
}
