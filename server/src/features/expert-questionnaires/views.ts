/** Projects as they travel to their owner. Results are only of closed rounds, and of enough answers. */
import type { Db } from '../../lib/db.ts';
import { feedbackOf } from './feedback.ts';
import type { Links } from './links.ts';
import type { AnswerValue, Content, FeedbackCard, Project, RoundView, Stored } from './schema.ts';
import * as store from './store.ts';
import type { ProjectRow, RoundRow, SheetRow } from './tables.ts';

export const plainValues = (sheet: ReadonlyMap<string, Stored>): Map<string, AnswerValue> =>
  new Map([...sheet].map(([key, { value }]) => [key, value]));

/** The cards of a round as they would be shown now: what was submitted counts. */
export async function cardsOf(
  db: Db,
  round: RoundRow,
  content: Content,
  all: readonly SheetRow[],
): Promise<FeedbackCard[]> {
  const counting = all.filter((sheet) => sheet.round === round.number && sheet.submittedAt !== null);
  const read = await store.readAnswers(
    db,
    counting.map(({ id }) => id),
  );
  const { scale_max: scaleMax, least_shown: least } = content.protocol;
  return feedbackOf(round.items, [...read.values()].map(plainValues), { scaleMax, least });
}

/** Comments by item, sorted, so that their order tells nothing. */
async function commentsOf(db: Db, round: RoundRow, all: readonly SheetRow[]): Promise<Record<string, string[]>> {
  const counting = all.filter((sheet) => sheet.round === round.number && sheet.submittedAt !== null);
  const read = await store.readAnswers(
    db,
    counting.map(({ id }) => id),
  );
  const said = (item: string): string[] =>
    [...read.values()]
      .map((sheet) => sheet.get(`comment:${item}`)?.value)
      .filter((value) => typeof value === 'string')
      .map((value) => value.trim())
      .filter((value) => value !== '')
      .sort((a, b) => a.localeCompare(b, 'zh-CN'));
  return Object.fromEntries(
    round.items.map((item) => [item, said(item)]).filter(([, list]) => (list?.length ?? 0) > 0),
  );
}

async function roundView(db: Db, project: ProjectRow, round: RoundRow, all: readonly SheetRow[]): Promise<RoundView> {
  const own = all.filter((sheet) => sheet.round === round.number);
  const submitted = own.filter((sheet) => sheet.submittedAt !== null);
  const { content } = await store.findVersion(db, round.projectId, round.version);
  const isShown =
    project.kind === 'delphi' && round.state === 'closed' && submitted.length >= content.protocol.least_shown;
  return {
    number: round.number,
    version: round.version,
    state: round.state,
    items: round.items,
    decisions: round.decisions,
    invited: round.invited,
    started: own.length,
    submitted: submitted.length,
    late: submitted.filter(({ isLate }) => isLate).length,
    opened_at: round.openedAt.toISOString(),
    due_at: round.dueAt.toISOString(),
    closed_at: round.closedAt?.toISOString() ?? null,
    results: isShown ? await cardsOf(db, round, content, all) : null,
    comments: isShown ? await commentsOf(db, round, all) : {},
  };
}

export async function projectView(db: Db, links: Links, row: ProjectRow): Promise<Project> {
  const all = await store.listSheets(db, row.id);
  const rounds = await store.listRounds(db, row.id);
  const frozen = await store.listVersions(db, row.id);
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    state: row.state,
    content: row.content,
    revision: row.revision,
    version: row.version,
    round: row.round,
    public_code: row.publicDigest === null ? null : links.everybody(row.id, row.publicSerial),
    rounds: await Promise.all(rounds.map((round) => roundView(db, row, round, all))),
    versions: frozen.map(({ number, reason, frozenAt }) => ({ number, reason, frozen_at: frozenAt.toISOString() })),
    updated_at: row.updatedAt.toISOString(),
  };
}
