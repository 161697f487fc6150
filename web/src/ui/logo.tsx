/** The mark: a steelyard whose beam is a fitted line, whose pan holds the data and whose bronze weight is the estimate. */

export function Logo({ size = 26, title }: { size?: number; title?: string }) {
  const label = title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true };
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      fill="none"
      style={{ color: 'var(--pri)', flex: 'none' }}
      {...label}
    >
      <path d="M2.5 14.6 29.5 8.2" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
      <path d="M13.5 4.5V12" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
      <path d="M8 13.5v7M25.5 9.5V17" stroke="currentColor" strokeWidth="1.8" />
      <path d="M1.8 20.5h12.4a6.2 6.2 0 0 1-12.4 0z" fill="currentColor" />
      <circle cx="25.5" cy="20.5" r="4" style={{ fill: 'var(--weight)' }} />
    </svg>
  );
}

/** Line art for empty states: the same steelyard, waiting for something to weigh. At most 120 px wide. */
export function SteelyardArt({ width = 112 }: { width?: number }) {
  return (
    <svg viewBox="0 0 112 84" width={width} height={(width * 84) / 112} fill="none" aria-hidden="true">
      <g stroke="var(--pri)" strokeWidth="1.4" strokeLinecap="round">
        <path d="M8 40 104 17" />
        <path d="M46 8v23" />
        <path d="M22 37 12 62M22 37l10 25" strokeWidth="1" />
        <path d="M8 62h28" />
        <path d="M88 21v21" strokeWidth="1" />
        <path d="M54 29.6v-3M60 28.2v-3M66 26.7v-3M72 25.3v-3M78 23.9v-3" strokeWidth="1" />
      </g>
      <circle cx="46" cy="6" r="3" stroke="var(--pri)" strokeWidth="1.4" />
      <circle cx="88" cy="49" r="6.5" fill="var(--weight)" />
    </svg>
  );
}
