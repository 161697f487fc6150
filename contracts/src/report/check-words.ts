/** How the state of an assumption check is said, on screen and in every export. */
export type CheckState = 'pass' | 'care' | 'fail' | 'unknown';

export const CHECK_WORDS: Readonly<Record<CheckState, string>> = {
  pass: '通过',
  care: '注意',
  fail: '违反',
  unknown: '未检验',
};
