/** A name for a new account: letters and digits that are not mistaken for one another. */
import { randomInt } from 'node:crypto';

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

export const newNickname = (): string =>
  `用户${Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
