/** Names of files as they are shown and stored. */

/** Control characters, ends of lines, and the marks that turn the direction of reading (`报告<U+202E>fdp.exe`). */
const UNSEEN = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

export const withoutControls = (name: string): string => name.replace(UNSEEN, '');

/** The ending a file is opened by, with its point; empty where there is none. */
export const endingOf = (name: string): string => /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
