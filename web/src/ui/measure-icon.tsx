/** What kind of variable a column is, in one shape, one colour and one word (look/style.md section 2). */
import type { ReactNode } from 'react';

import styles from './measure-icon.module.css';

export type MeasureKind = '定类' | '定序' | '定量' | '量表题' | '时间' | '多选题集' | '文本' | '标识';

export const MEASURE_KINDS: readonly MeasureKind[] = [
  '定量',
  '量表题',
  '定类',
  '定序',
  '时间',
  '多选题集',
  '文本',
  '标识',
];

/** The kind of a column: flags and order refine the four measures of the wire. */
export function measureKind(column: { measure: string; ordered: boolean; flags: readonly string[] }): MeasureKind {
  if (column.flags.includes('多选题集')) return '多选题集';
  if (column.flags.includes('标识')) return '标识';
  if (column.flags.includes('量表')) return '量表题';
  if (column.measure === '定类') return column.ordered ? '定序' : '定类';
  if (column.measure === '定量' || column.measure === '时间') return column.measure;
  return '文本';
}

/** Variable of tokens.css for fills that must match the icon. */
export const MEASURE_COLOUR: Record<MeasureKind, string> = {
  定类: 'var(--nominal)',
  定序: 'var(--ordinal)',
  定量: 'var(--scale)',
  量表题: 'var(--likert)',
  时间: 'var(--time)',
  多选题集: 'var(--multi)',
  文本: 'var(--text)',
  标识: 'var(--identity)',
};

const stroke = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

const SHAPES: Record<MeasureKind, ReactNode> = {
  定类: (
    <>
      <circle cx="8" cy="4" r="2.6" />
      <circle cx="3.6" cy="11.6" r="2.6" />
      <circle cx="12.4" cy="11.6" r="2.6" />
    </>
  ),
  定序: (
    <>
      <rect x="1.5" y="10" width="3.4" height="4.5" rx=".6" />
      <rect x="6.3" y="6.2" width="3.4" height="8.3" rx=".6" />
      <rect x="11.1" y="1.5" width="3.4" height="13" rx=".6" />
    </>
  ),
  定量: (
    <path
      fillRule="evenodd"
      d="M1.6 4.5h12.8c.6 0 1 .4 1 1v5c0 .6-.4 1-1 1H1.6c-.6 0-1-.4-1-1v-5c0-.6.4-1 1-1zm1.8 0v3.2h1.2V4.5zm2.7 0v2.2h1.2V4.5zm2.7 0v3.2H10V4.5zm2.7 0v2.2h1.2V4.5z"
    />
  ),
  量表题: (
    <>
      <path d="M1.5 11.5h13M2 11.5V7.5M5 11.5V9M8 11.5V7.5M14 11.5V7.5M11 11.5V9" {...stroke} strokeWidth="1.4" />
      <circle cx="11" cy="5.2" r="2.2" />
    </>
  ),
  时间: (
    <>
      <path d="M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3" {...stroke} strokeWidth="1.4" />
      <rect x="8.8" y="9" width="2.8" height="2.6" />
    </>
  ),
  多选题集: (
    <>
      <path d="M1.5 2h5v5h-5zM1.5 9.5h5v5h-5z" {...stroke} strokeWidth="1.3" />
      <path d="M2.7 4.4l1.2 1.2 2-2.4M2.7 11.9l1.2 1.2 2-2.4M9 4.5h5.5M9 12h5.5" {...stroke} strokeWidth="1.4" />
    </>
  ),
  文本: <path d="M2.5 2.5h11v3M2.5 2.5v3M8 2.5v11M5.8 13.5h4.4" {...stroke} strokeWidth="1.6" />,
  标识: (
    <>
      <circle cx="4.6" cy="8" r="3" {...stroke} strokeWidth="1.6" />
      <path d="M7.6 8h7M12 8v3.2M14.6 8v2.4" {...stroke} strokeWidth="1.6" />
    </>
  ),
};

export interface MeasureIconProps {
  kind: MeasureKind;
  size?: 13 | 14 | 16;
  /** True where the word stands beside the icon: it must not be read twice. */
  decorative?: boolean;
  /** Given by a menu that sets its icons apart. */
  className?: string | undefined;
}

export function MeasureIcon({ kind, size = 14, decorative = false, className }: MeasureIconProps) {
  const label = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': kind };
  return (
    <svg
      className={className === undefined ? styles['icon'] : `${styles['icon']} ${className}`}
      style={{ color: MEASURE_COLOUR[kind] }}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="currentColor"
      {...label}
    >
      {decorative ? null : <title>{kind}</title>}
      {SHAPES[kind]}
    </svg>
  );
}
