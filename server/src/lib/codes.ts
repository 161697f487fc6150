/** Short codes that people read aloud and type: 32 letters and digits that are not mistaken for one another. */
import { randomInt } from 'node:crypto';

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

export const shortCode = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export const digits = (length: number): string => Array.from({ length }, () => randomInt(10)).join('');
