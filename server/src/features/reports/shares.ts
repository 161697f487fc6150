/** Shares: an unguessable code for one revision as it is now. Unknown, ended and expired codes are never told apart. */
import { Fault, missing, tooMany } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { randomCode } from '../../lib/keys.ts';
import type { Limiter } from '../../lib/limits.ts';
import { inProject, parseDocument } from './context.ts';
import type { ReportsContext } from './context.ts';
import type { Share, ShareBody, SharedReport } from './schema.ts';
import { endShare, findShared, insertShare, liveShares, loadConfig } from './share-store.ts';
import { loadEntry } from './store.ts';
import type { ShareEntry } from './tables.ts';
import { forVisitor } from './shared-view.ts';

/** Wrong codes per hour and network before it must wait. */
const MISSES = 300;

function wire(row: ShareEntry): Share {
  const { code, rev, blocks, hideSmall, createdAt, endsAt } = row;
  return {
    code,
    rev,
    blocks,
    hide_small: hideSmall,
    created_at: createdAt.toISOString(),
    ends_at: endsAt?.toISOString() ?? null,
  };
}

/** Days a new share of this owner may last at most; null: as the sharer decides. Refuses where no shares are allowed. */
export type Sharing = (owner: Owner) => Promise<number | null>;

export function createShares(context: ReportsContext & { limiter: Limiter; sharing: Sharing }) {
  const { db, projects, limiter, load, sharing } = context;

  return {
    async add(owner: Owner, project: number, rid: number, body: ShareBody): Promise<Share> {
      const entry = await loadEntry(db, owner, inProject(project), rid);
      if (entry?.rev === 0) throw new Fault(30605);
      const row = await load(owner, project, rid);
      const config = await loadConfig(db, rid, 'analysis');
      const { blocks, hide_small: hideSmall } = body;
      const most = await sharing(owner);
      const days = most === null ? body.days : Math.min(body.days ?? most, most);
      // Results added beside this one are reports of their own: not shared with it.
      const { beside: _own, ...presentation } = config?.presentation ?? {};
      const fresh = { code: randomCode(), rid, rev: row.rev, blocks, hideSmall, presentation, title: row.title };
      return db.transaction(async (tx) => {
        const share = await insertShare(tx, fresh, days);
        const until = days === null ? '永久有效' : `${days} 天内有效`;
        await projects.log(tx, row.projectId, {
          act: 'shared',
          text: `${row.title}：分享链接，${until}`,
          rid,
          rev: row.rev,
          title: row.title,
        });
        return wire(share);
      });
    },

    async list(owner: Owner, project: number, rid: number): Promise<Share[]> {
      await load(owner, project, rid);
      return (await liveShares(db, rid)).map(wire);
    },

    async end(owner: Owner, code: string): Promise<void> {
      const ended = await endShare(db, owner, code);
      if (!ended) throw missing();
      const entry = await loadEntry(db, owner, null, ended.rid);
      if (!entry) return;
      const { projectId, title, rid, rev } = entry;
      await db.transaction((tx) =>
        projects.log(tx, projectId, { act: 'unshared', text: `${title}：撤回分享`, rid, rev, title }),
      );
    },

    /** For anybody who holds the code. `network` pays for wrong ones. */
    async open(code: string, network: string): Promise<SharedReport> {
      const storedShare = await findShared(db, code);
      if (!storedShare) {
        const wait = limiter.take(`share miss ${network}`, MISSES, 3600);
        if (wait > 0) throw tooMany(wait);
        throw new Fault(30004);
      }
      const { share, method, document, madeAt } = storedShare;
      const shown = forVisitor(parseDocument(document, madeAt), { blocks: share.blocks, hideSmall: share.hideSmall });
      return {
        title: share.title,
        method,
        document: shown,
        presentation: share.presentation,
        hide_small: share.hideSmall,
        made_at: shown.made_at,
        ends_at: share.endsAt?.toISOString() ?? null,
      };
    },
  };
}
