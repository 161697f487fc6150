/** One-use addresses for files: a token never stands in an address, so a browser's download takes a ticket instead. */
import type { Readable } from 'node:stream';
import { endingOf, withoutControls } from '@hengxi/contracts/names';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { randomCode } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import * as store from './store.ts';

export interface Download {
  /** The name the person sees; sent as filename*. */
  name: string;
  type: string;
  size: number | null;
  open: () => Readable;
}

/** Finds what may be downloaded; null when there is no such thing for this owner. */
export type DownloadSource = (owner: Owner, id: number) => Promise<Download | null>;

export const TICKET_SECONDS = 60;

export type Downloads = ReturnType<typeof createDownloads>;

export function createDownloads(deps: { db: Db; keys: Keys }) {
  const sources = new Map<string, DownloadSource>();
  const digest = (ticket: string): string => deps.keys.digest('download', ticket);
  const find = async (owner: Owner, kind: string, id: number): Promise<Download | null> =>
    (await sources.get(kind)?.(owner, id)) ?? null;
  return {
    register(kind: string, source: DownloadSource): void {
      if (sources.has(kind)) throw new Error(`Downloads of kind ${kind} have a source already`);
      sources.set(kind, source);
    },

    async issue(owner: Owner, kind: string, id: number): Promise<string> {
      if (!(await find(owner, kind, id))) throw missing();
      const ticket = randomCode();
      await store.insertDownload(deps.db, digest(ticket), owner, { kind, id }, TICKET_SECONDS);
      return `/v1/downloads/${ticket}`;
    },

    /** The right is looked up again: what was taken away since the ticket was given is not handed out. */
    async redeem(ticket: string): Promise<Download> {
      const granted = await store.takeDownload(deps.db, digest(ticket));
      const download = granted ? await find(granted.owner, granted.kind, granted.id) : null;
      if (!download) throw new Fault(30005);
      return download;
    },
  };
}

/** Letters of the plain name. */
const PLAIN_MOST = 80;

/** RFC 6266 with the name in UTF-8; the plain fallback is harmless ASCII and keeps the ending. */
export function attachment(shown: string): string {
  const name = withoutControls(shown);
  const ending = endingOf(name);
  const stem = name.slice(0, name.length - ending.length).replace(/[^\w.-]+/g, '_');
  const plain = `${stem.slice(0, PLAIN_MOST - ending.length)}${ending}` || 'download';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
