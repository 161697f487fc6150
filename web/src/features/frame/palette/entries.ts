/** What the command palette can find, as one list of things to go to. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import type { Column, FileRow } from '@hengxi/server/files/schema';
import type { ReportRow } from '@hengxi/server/reports/schema';

import { NO_VID } from '../../../lib/catalogue.ts';
import type { Searchable } from '../../../lib/search.ts';

export const SECTIONS = ['方法', '变量', '数据', '报告', '帮助', '操作'] as const;
export type Section = (typeof SECTIONS)[number];

export interface Entry extends Searchable {
  id: string;
  section: Section;
  /** Quiet words on the right. */
  note: string;
  to: string;
}

export function methodEntries(methods: readonly MethodRow[], vid: number | null): Entry[] {
  return methods.map((method) => ({
    id: `method ${method.algo_code}`,
    section: '方法',
    title: method.title,
    words: [
      method.title_en,
      method.family,
      method.purpose,
      method.algo_code.split('/').at(-1)?.replaceAll('_', ' ') ?? '',
    ],
    aliases: method.aliases,
    note: method.needs || method.family,
    to: method.algo_type === PROCESSING ? processingPath(method.algo_code, vid) : operationPath(method, vid),
  }));
}

/** As the server tells the kinds of methods apart. */
const PROCESSING = 2;

function processingPath(path: string, vid: number | null): string {
  return vid === null ? '/dataprocessing/index' : `/dataprocessing/dispose/${vid}?method=${encodeURIComponent(path)}`;
}

/** With a table at hand the method opens on it; otherwise the method page asks for the table first. */
function operationPath({ algo_code, takes_data, needs_data }: MethodRow, vid: number | null): string {
  const method = encodeURIComponent(algo_code);
  if (!takes_data || (vid === null && !needs_data)) return `/analysis/operation/${NO_VID}?method=${method}`;
  return vid === null ? `/analysis/index?method=${method}` : `/analysis/operation/${vid}?method=${method}`;
}

export function helpEntries(methods: readonly MethodRow[]): Entry[] {
  return methods.map((method) => ({
    id: `help ${method.slug}`,
    section: '帮助',
    title: `${method.title}：方法说明`,
    words: [method.title_en, method.family],
    aliases: method.aliases,
    note: '帮助文档',
    to: `/help/${method.slug}/`,
  }));
}

export function columnEntries(columns: readonly Column[], vid: number): Entry[] {
  return columns.map((column) => ({
    id: `column ${column.id}`,
    section: '变量',
    title: column.label ?? column.name,
    words: [column.name],
    note: column.label ? column.name : column.measure,
    to: `/mydata/detail/${vid}?column=${column.id}`,
  }));
}

export function fileEntries(files: readonly FileRow[]): Entry[] {
  return files.map((file) => ({
    id: `file ${file.fid}`,
    section: '数据',
    title: file.name,
    words: [file.format],
    note: `${file.rows.toLocaleString('en-US')} × ${file.columns}`,
    to: `/mydata/detail/${file.vid}`,
  }));
}

export function reportEntries(reports: readonly ReportRow[]): Entry[] {
  return reports
    .filter((report) => report.vid !== null)
    .map((report) => ({
      id: `report ${report.rid}`,
      section: '报告',
      title: report.title,
      words: [report.method, report.file_name ?? ''],
      note: report.file_name ?? report.method,
      to: `/analysis/result/${report.vid}?project_id=${report.project_id}&report_id=${report.rid}`,
    }));
}

export const PLACES: readonly Entry[] = [
  { id: 'go data', section: '操作', title: '我的数据', words: ['上传', '导入'], note: '', to: '/mydata/index' },
  {
    id: 'go processing',
    section: '操作',
    title: '数据处理',
    words: ['编码', '筛选', '计算变量'],
    note: '',
    to: '/dataprocessing/index',
  },
  { id: 'go analysis', section: '操作', title: '数据分析', words: ['选方法'], note: '', to: '/analysis/index' },
  { id: 'go member', section: '操作', title: '个人中心', words: ['昵称', '设备', '设置'], note: '', to: '/member' },
  { id: 'go help', section: '操作', title: '帮助中心', words: ['文档'], note: '', to: '/help/' },
];

/** The table the page is about, from its address. */
export function vidOf(pathname: string): number | null {
  const match = /^\/(?:mydata\/detail|dataprocessing\/dispose|analysis\/operation|analysis\/result)\/([1-9]\d*)/.exec(
    pathname,
  );
  return match?.[1] ? Number(match[1]) : null;
}
