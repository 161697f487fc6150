/** Projects as they travel to their owner. Results are only of closed rounds, and of enough answers. */
import type { Db } from '../../lib/db.ts';
import { feedbackOf, quantile } from './feedback.ts';
import type { Links } from './links.ts';
import type { AnswerValue, Content, FeedbackCard, Project, RoundView, SheetSign, Stored } from './schema.ts';
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

/** Median hours from the opening of a round to the first answer of each sheet. */
function startHours(round: RoundRow, own: readonly SheetRow[]): number | null {
  const hours = own
    .map(({ startedAt }) => (startedAt.getTime() - round.openedAt.getTime()) / 3_600_000)
    .sort((a, b) => a - b);
  const median = quantile(hours, 0.5);
  return median === null ? null : Math.round(Math.max(median, 0) * 10) / 10;
}

const DECADES = ['10 年以下', '10–19 年', '20–29 年', '30 年以上'];
const decadeOf = (years: number): string => DECADES[Math.min(3, Math.floor(years / 10))] ?? '';

/** Of each expert whose sheet of a closed round counts, what was said last. */
async function compositionOf(
  db: Db,
  rounds: readonly RoundRow[],
  content: Content,
  all: readonly SheetRow[],
): Promise<Project['composition']> {
  const closed = new Set(rounds.filter(({ state }) => state === 'closed').map(({ number }) => number));
  const counting = all.filter(({ round, submittedAt }) => closed.has(round) && submittedAt !== null);
  const experts = new Map<number, Map<string, AnswerValue>>();
  if (content.protocol.about.length === 0) return {};
  const read = await store.readAnswers(
    db,
    counting.map(({ id }) => id),
  );
  for (const sheet of counting.toSorted((a, b) => a.round - b.round))
    experts.set(
      sheet.expertId,
      new Map([...(experts.get(sheet.expertId) ?? []), ...plainValues(read.get(sheet.id) ?? new Map())]),
    );
  if (experts.size < content.protocol.least_shown) return {};
  const composition: Project['composition'] = {};
  for (const what of content.protocol.about) {
    const counts: Record<string, number> = {};
    for (const said of experts.values()) {
      const value = said.get(`about:${what}`);
      const name =
        typeof value === 'number' ? decadeOf(value) : typeof value === 'string' && value !== '' ? value : '未填';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    composition[what] = counts;
  }
  return composition;
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
    start_hours: startHours(round, own),
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
  const asked = frozen.find(({ number }) => number === row.version)?.content ?? row.content;
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
    composition: await compositionOf(db, rounds, asked, all),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Seconds a question takes at the least: below that nobody can have read it. */
const LEAST_SECONDS = 2;

/** A comparison by its side too: three times the first is not three times the second. */
const signed = (value: AnswerValue): number | string | null =>
  typeof value !== 'object' || value === null
    ? value
    : value.favours === 'second' && value.value > 1
      ? -value.value
      : value.value;

/** What a sheet looks like to somebody who wonders whether it was filled in with care. */
export function signsOf(
  sheet: SheetRow,
  asked: ReadonlySet<string>,
  values: ReadonlyMap<string, AnswerValue>,
): SheetSign[] {
  const given = [...values].filter(([key, value]) => asked.has(key) && value !== null).map(([, value]) => value);
  const seconds = ((sheet.submittedAt ?? sheet.savedAt).getTime() - sheet.startedAt.getTime()) / 1000;
  const isFast = given.length >= 5 && seconds < LEAST_SECONDS * given.length;
  const isSame = given.length >= 5 && new Set(given.map(signed)).size === 1;
  return [...(isFast ? (['fast'] as const) : []), ...(isSame ? (['same'] as const) : [])];
}
