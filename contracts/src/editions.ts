/**
 * How the limits of an edition are said. The one place for it: the comparison, the purchase dialog, the membership page and
 * the price page all draw from it. A limit of something that cannot be used yet has no line here.
 */
import { integer } from './format.ts';

/** What is said of an edition's limits; null is "no limit". */
export interface EditionLimits {
  edition: 'standard' | 'member' | 'enterprise';
  upload_bytes: number;
  storage_bytes: number | null;
  files: number | null;
  rows: number | null;
  analyses_day: number | null;
  member_methods: boolean;
}

export interface EditionLine {
  title: string;
  /** Of an enterprise the limit is that of one seat, where editions are compared. */
  perSeat?: true;
  show: (limits: EditionLimits) => string;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** 20 MB, 1 GB, 1.5 GB: limits are set in powers of 1024. */
function size(bytes: number | null): string {
  if (bytes === null) return '不限';
  const [value, unit] = bytes >= GIB ? [bytes / GIB, 'GB'] : [bytes / MIB, 'MB'];
  return `${Number(value.toFixed(1))} ${unit}`;
}

const count = (n: number | null, unit: string): string => (n === null ? '不限' : `${integer(n)} ${unit}`);

const LIMITS: readonly EditionLine[] = [
  { title: '单个文件', show: ({ upload_bytes: n }) => size(n) },
  { title: '存储空间', perSeat: true, show: ({ storage_bytes: n }) => size(n) },
  { title: '数据文件', show: ({ files: n }) => count(n, '个') },
  { title: '一次分析的行数', show: ({ rows: n }) => count(n, '行') },
  { title: '每日分析', show: ({ analyses_day: n }) => count(n, '次') },
];

const METHODS: EditionLine = { title: '会员方法', show: ({ member_methods: has }) => (has ? '可用' : '不可用') };

/** The lines of every comparison; methods for members count once there is one. */
export function linesOf(methods: readonly { tier: string }[]): readonly EditionLine[] {
  return methods.some(({ tier }) => tier === 'member') ? [...LIMITS, METHODS] : LIMITS;
}
