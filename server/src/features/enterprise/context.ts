/** What the parts of this feature share, and what app.ts hands in about content that other features hold. */
import { logAct } from '../../lib/act-log.ts';
import type { Act } from '../../lib/act-log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Run } from '../runs/schema.ts';
import type { Place } from './access.ts';
import type { ContentChange, Holdings } from './schema.ts';

/** A person as other members see it. */
export interface PersonShown {
  nickname: string;
  /** Masked. */
  phone: string | null;
  phoneDigest: string | null;
}

export interface ContentItem {
  kind: 'file' | 'project';
  id: number;
  name: string;
  /** User who made it. */
  maker: number | null;
  visibility: 'private' | 'all';
  at: Date;
}

export interface ContentShare {
  code: string;
  title: string;
  rid: number;
  sharer: number | null;
  at: Date;
  until: Date | null;
}

/** What belongs to members of an enterprise, kept by the other features. */
export interface Content {
  holdings: (db: Db, eid: number, userId: number) => Promise<Holdings>;
  /** Everything the member made goes to the heir; `endShares` also ends its shares outside. */
  handOver: (tx: Tx, eid: number, from: number, to: number, options: { endShares: boolean }) => Promise<void>;
  /** Single things; ids that are not the member's are left alone. Gives how many moved. */
  reassign: (
    tx: Tx,
    eid: number,
    from: number,
    to: number,
    what: { files?: number[] | undefined; projects?: number[] | undefined },
  ) => Promise<number>;
  /** Bytes of files by member. */
  storage: (db: Db, eid: number) => Promise<Map<number, number>>;
  /** Counted analyses by member since a moment. */
  analyses: (db: Db, eid: number, since: Date) => Promise<Map<number, number>>;
  openRuns: (db: Db, eid: number) => Promise<number>;
  /** After the transaction: runs of the member end. */
  endRuns: (eid: number, userId: number) => Promise<void>;
  /** Newest first: what this member made, and what is open to all. */
  list: (
    db: Db,
    eid: number,
    userId: number,
    query: { kind: ContentItem['kind']; limit: number; offset: number },
  ) => Promise<{ total: number; list: ContentItem[] }>;
  /** Opens what the member made to all, or takes it back; gives the names of what changed. */
  open: (tx: Tx, eid: number, userId: number, change: ContentChange) => Promise<string[]>;
  /** Links that are open now; of everybody without a user. */
  shares: (
    db: Db,
    eid: number,
    userId: number | null,
    page: { limit: number; offset: number },
  ) => Promise<{ total: number; list: ContentShare[] }>;
  /** Gives the title of the report, or null when there is no such link (of that user). */
  endShare: (tx: Tx, eid: number, userId: number | null, code: string) => Promise<string | null>;
  /** Removes everything of a dissolved enterprise. */
  remove: (tx: Tx, eid: number) => Promise<void>;
}

/** What is to be copied, by the numbers it has where it lies. */
export interface CopyAsked {
  files: number[];
  projects: number[];
  /** Single reports; they lie in a project named like theirs. */
  reports: number[];
}

/** Bytes are copied, rows not yet. */
export interface PreparedCopy {
  files: string[];
  projects: string[];
  reports: number;
  /** Rows of the copy; `origin` is where it comes from, in words. */
  store: (tx: Tx, origin: string) => Promise<{ files: number[]; projects: number[] }>;
  /** For a copy that came to nothing. */
  discard: () => Promise<void>;
}

/** Between the space of a person and that of an enterprise; null when nothing of it is there. */
export type Copier = (from: Owner, to: Owner, asked: CopyAsked) => Promise<PreparedCopy | null>;

/** Begins an archive of everything the enterprise has. */
export type Archiver = (actor: Actor, enterprise: { id: number; name: string }, day: Date) => Promise<Run>;

export interface Persons {
  shown: (db: Db, ids: readonly number[]) => Promise<Map<number, PersonShown>>;
  /** Ends the person's sessions on the channel of an enterprise, live and offered. */
  endSessions: (tx: Tx, userId: number, eid: number) => Promise<void>;
  lastSeen: (db: Db, eid: number) => Promise<Map<number, Date>>;
  /** A message to the person's phone, when there is one. */
  tell: (userId: number, text: string) => Promise<void>;
}

export interface Context {
  db: Db;
  clock: Clock;
  keys: Keys;
  content: Content;
  persons: Persons;
  copier: Copier;
  archiver: Archiver;
  /** Address of the site, for links. */
  origin: () => string;
}

/** One row of the enterprise's own log, in the transaction of the act. */
export function note(
  tx: Tx,
  { enterprise, member }: Place,
  act: Omit<Act, 'scope' | 'actor' | 'role'>,
): Promise<number> {
  return logAct(tx, { ...act, scope: enterprise.id, actor: member.userId, role: member.role });
}
