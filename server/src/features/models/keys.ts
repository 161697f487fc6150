/** Names of the folders that models lie in. */
import { randomBytes } from 'node:crypto';

export const newModelKey = (): string => `m_${randomBytes(16).toString('hex')}`;
