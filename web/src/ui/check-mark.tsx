/** ● 通过 ◆ 注意 ▲ 违反: shape, word and colour together, so that none of them carries the meaning alone. */

import { CHECK_WORDS, type CheckState } from '@hengxi/contracts/report/check-words';

export type { CheckState } from '@hengxi/contracts/report/check-words';

const MARKS: Record<CheckState, { colour: string; path: string }> = {
  pass: { colour: 'var(--ok)', path: 'M6 1.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2z' },
  care: { colour: 'var(--warn)', path: 'M6 .8 11.2 6 6 11.2.8 6z' },
  fail: { colour: 'var(--bad)', path: 'm6 1 5.4 9.6H.6z' },
  unknown: { colour: 'var(--ink-3)', path: 'M2 5h8v2H2z' },
};

export function checkWord(state: CheckState): string {
  return CHECK_WORDS[state];
}

export interface CheckMarkProps {
  state: CheckState;
  size?: number;
  /** True where the word stands beside the mark. */
  decorative?: boolean;
}

export function CheckMark({ state, size = 12, decorative = false }: CheckMarkProps) {
  const mark = MARKS[state];
  const label = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': CHECK_WORDS[state] };
  return (
    <svg
      viewBox="0 0 12 12"
      width={size}
      height={size}
      fill="currentColor"
      style={{ color: mark.colour, flex: 'none', verticalAlign: '-1px' }}
      {...label}
    >
      {decorative ? null : <title>{CHECK_WORDS[state]}</title>}
      <path d={mark.path} />
    </svg>
  );
}
