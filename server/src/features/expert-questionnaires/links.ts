/** Links of experts: derived from the server's key, so that the owner can see them again and the database cannot tell. */
import type { Keys } from '../../lib/keys.ts';

const CHARACTERS = 22;

export function createLinks(keys: Keys) {
  /** 132 bits as 22 characters that need no escaping. */
  const derive = (what: string): string =>
    Buffer.from(keys.digest('expert link', what), 'hex').toString('base64url').slice(0, CHARACTERS);
  return {
    personal: (id: number, serial: number): string => derive(`expert ${id} ${serial}`),
    everybody: (pid: number, serial: number): string => derive(`project ${pid} ${serial}`),
    /** What is stored and looked up. */
    digest: (code: string): string => keys.digest('expert code', code),
  };
}
export type Links = ReturnType<typeof createLinks>;

/** E01, E02, …: all that answers and exports carry of a person. */
export const expertCode = (number: number): string => `E${String(number).padStart(2, '0')}`;
