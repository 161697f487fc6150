/** The answers as a labelled version in 我的数据, and the form of the method they are read by. */
import { csvField } from '@hengxi/contracts/csv';
import { EXPERT_METHODS } from '@hengxi/contracts/expert-methods';
import type { Db } from '../../lib/db.ts';
import type { Actor } from '../../lib/guard.ts';
import type { ColumnEdit } from '../files/schema.ts';
import type { Files } from '../files/service.ts';
import { expertCode } from './links.ts';
import { wrong } from './projects.ts';
import type { Projects } from './projects.ts';
import { askedKeys, isAboutOneself, judgementBasis, pairs } from './questions.ts';
import type { About, AnswerValue, Content, Dataset, Protocol } from './schema.ts';
import * as store from './store.ts';
import type { ProjectRow, RoundRow, SheetRow } from './tables.ts';
import { plainValues } from './views.ts';

/** A sheet that was not submitted counts from this share of answers on. */
const ENOUGH = 0.8;

export interface Sheet {
  expert: string;
  round: number;
  state: '按时' | '逾期' | '部分';
  values: ReadonlyMap<string, AnswerValue>;
}

export interface Variable {
  name: string;
  label: string | null;
  key: string;
}

/** How a cell stands in the table: comparisons with a sign, negative where the second matters more. */
export function cellOf(value: AnswerValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return INFLUENCE_WORDS.get(value) ?? value;
  if (typeof value !== 'object') return String(value);
  return String(value.favours === 'second' && value.value > 1 ? -value.value : value.value);
}

const INFLUENCE_WORDS: ReadonlyMap<string, string> = new Map([
  ['large', '大'],
  ['medium', '中'],
  ['small', '小'],
]);

const number = (at: number): string => String(at + 1).padStart(2, '0');

const ABOUT_NAMES: Readonly<Record<About, string>> = {
  degree: '学历',
  rank: '职称',
  years: '工作年限',
  field: '专业领域',
};

export function variablesOf(project: Pick<ProjectRow, 'kind'>, content: Content): Variable[] {
  const about = content.protocol.about.map((one) => ({ name: ABOUT_NAMES[one], label: null, key: `about:${one}` }));
  return [...questionsOf(project, content), ...about];
}

function questionsOf(project: Pick<ProjectRow, 'kind'>, content: Content): Variable[] {
  if (project.kind === 'ahp')
    return pairs(content).map(({ key, title }, at) => ({ name: `比较${number(at)}`, label: title, key }));
  const items = content.items.map(({ id, dimension, text }, at) => ({
    name: `指标${number(at)}`,
    label: dimension === '' ? text : `${dimension}：${text}`,
    key: `item:${id}`,
  }));
  const authority = [
    { name: '判断依据', label: '判断依据 Ca', key: 'ca' },
    { name: '熟悉程度', label: '熟悉程度 Cs', key: 'cs' },
    ...content.protocol.ca.map(({ id, name }, at) => ({
      name: `依据${number(at)}`,
      label: `判断依据：${name}`,
      key: `ca:${id}`,
    })),
  ];
  const comments = content.items.map(({ id, text }, at) => ({
    name: `意见${number(at)}`,
    label: `意见：${text}`,
    key: `comment:${id}`,
  }));
  return [...items, ...(content.protocol.ask_authority ? authority : []), ...comments];
}

/** Of the same length, so that they stand in their order. */
const roundName = (round: number, last: number): string => `第${String(round).padStart(String(last).length, '0')}轮`;

/** Columns nobody has answered are left out; of comparisons none, since their places say what is compared. */
export function tableOf(sheets: readonly Sheet[], variables: readonly Variable[]): { used: Variable[]; csv: string } {
  const hasAny = ({ key }: Variable) => sheets.some(({ values }) => cellOf(values.get(key)) !== '');
  const used = variables.filter((one) => one.key.startsWith('pair:') || hasAny(one));
  const head = ['专家', '轮次', '状态', ...used.map(({ name }) => name)];
  const last = Math.max(...sheets.map(({ round }) => round));
  const lines = sheets.map(({ expert, round, state, values }) => [
    expert,
    roundName(round, last),
    state,
    ...used.map(({ key }) => cellOf(values.get(key))),
  ]);
  return { used, csv: `${[head, ...lines].map((line) => line.map(csvField).join(',')).join('\n')}\n` };
}

const isNumber = ({ key }: Variable): boolean =>
  ['item:', 'pair:'].some((start) => key.startsWith(start)) || ['ca', 'cs', 'about:years'].includes(key);

/** Two scores in one round: fewer say nothing of an item. */
const SCORES = 2;

const isScored = (sheets: readonly Sheet[], { key }: Variable): boolean =>
  [...new Set(sheets.map(({ round }) => round))].some(
    (at) => sheets.filter(({ round, values }) => round === at && typeof values.get(key) === 'number').length >= SCORES,
  );

interface Read {
  content: Content;
  rounds: readonly RoundRow[];
  sheets: readonly Sheet[];
  used: readonly Variable[];
  /** Id of a column by its name. */
  id: (name: string) => string;
}

function delphiForm({ content, rounds, sheets, used, id }: Read): Dataset['form'] {
  const { protocol } = content;
  const items = used.filter((one) => one.key.startsWith('item:') && isScored(sheets, one));
  const has = (name: string): boolean => used.some((one) => one.name === name);
  const hasAuthority = has('判断依据') && has('熟悉程度');
  return {
    items: items.map(({ name }) => id(name)),
    round: id('轮次'),
    expert: id('专家'),
    ...(hasAuthority ? { judgement_basis: [id('判断依据')], familiarity: [id('熟悉程度')] } : {}),
    scale_max: protocol.scale_max,
    rule: protocol.rule,
    ...(['mean_cv', 'iqr'].includes(protocol.rule) ? { mean_min: protocol.mean_min } : {}),
    ...(protocol.rule === 'mean_cv' ? { cv_max: protocol.cv_max } : {}),
    ...(protocol.rule === 'percent_agreement' ? { agree_percent: protocol.agree_percent } : {}),
    ...(protocol.rule === 'iqr' ? { iqr_max: protocol.iqr_max } : {}),
    agree_from: protocol.agree_from,
    // More than were invited cannot have answered, whatever was counted then.
    invited: rounds.map(({ number: at, invited }) =>
      Math.max(invited, sheets.filter(({ round }) => round === at).length),
    ),
  };
}

function ahpForm({ content, used, id }: Read): Dataset['form'] {
  return {
    source: 'columns',
    hierarchy: content.tree,
    expert: id('专家'),
    judgements: used.filter(({ key }) => key.startsWith('pair:')).map(({ name }) => id(name)),
    ...(content.alternatives.length > 0 ? { alternatives: content.alternatives } : {}),
    limit: content.protocol.cr_max,
  };
}

function aboutThemselves(protocol: Protocol, said: ReadonlyMap<string, AnswerValue>): Map<string, AnswerValue> {
  const values = new Map([...said].filter(([key]) => isAboutOneself(key)));
  const ca = judgementBasis(protocol, said);
  return ca === null ? values : values.set('ca', ca);
}

/** Everything a project ever asked, by its latest wording. */
function mergedContent(contents: readonly Content[]): Content {
  const last = contents.at(-1);
  if (!last) throw new Error('A round without content');
  const items = new Map(contents.flatMap((content) => content.items.map((item) => [item.id, item])));
  return { ...last, items: [...items.values()] };
}

export function createDatasets({ db, files, projects }: { db: Db; files: Files; projects: Projects }) {
  /** What counts: of closed rounds, submitted or nearly whole; numbered as the experts are. */
  async function sheetsOf(project: ProjectRow, content: Content, rounds: readonly RoundRow[]): Promise<Sheet[]> {
    const all = await store.listSheets(db, project.id);
    const read = await store.readAnswers(
      db,
      all.map(({ id }) => id),
    );
    /** All that this expert had said when the sheet was filled in: one tells of oneself once. */
    const earlier = (sheet: SheetRow): Map<string, AnswerValue> =>
      new Map(
        all
          .filter(({ expertId, round }) => expertId === sheet.expertId && round <= sheet.round)
          .sort((a, b) => a.round - b.round)
          .flatMap(({ id }) => [...plainValues(read.get(id) ?? new Map())]),
      );
    const codes = new Map((await store.listPeople(db, project.id)).map(({ expert }) => [expert.id, expert.number]));
    return rounds.flatMap((round) => {
      const asked = askedKeys(project.kind, content, round.items);
      return all
        .filter((sheet) => sheet.round === round.number)
        .sort((a, b) => (codes.get(a.expertId) ?? 0) - (codes.get(b.expertId) ?? 0))
        .flatMap((sheet): Sheet[] => {
          const values = plainValues(read.get(sheet.id) ?? new Map());
          const isPart = sheet.submittedAt === null;
          const given = asked.filter((key) => values.has(key)).length;
          if (isPart && given < ENOUGH * asked.length) return [];
          const state = isPart ? '部分' : sheet.isLate ? '逾期' : '按时';
          for (const [key, value] of aboutThemselves(content.protocol, earlier(sheet))) values.set(key, value);
          return [{ expert: expertCode(codes.get(sheet.expertId) ?? 0), round: round.number, state, values }];
        });
    });
  }

  return {
    /** A new version of the project's file; the same code then reads it as a table that was typed. */
    async make(actor: Actor, pid: number): Promise<Dataset> {
      const project = await projects.load(actor.owner, pid);
      const closed = (await store.listRounds(db, pid)).filter(({ state }) => state === 'closed');
      if (closed.length === 0) throw wrong('还没有结束的轮次，请先结束本轮再生成数据');
      const frozen = new Map((await store.listVersions(db, pid)).map((version) => [version.number, version.content]));
      const content = mergedContent(closed.flatMap(({ version }) => frozen.get(version) ?? []));
      const all = await sheetsOf(project, content, closed);
      const least = project.kind === 'delphi' ? content.protocol.least_shown : 1;
      const sheetsIn = (round: RoundRow): number => all.filter((sheet) => sheet.round === round.number).length;
      const rounds = closed.filter((round) => sheetsIn(round) >= least);
      if (all.length === 0) throw wrong('还没有收到答卷');
      if (rounds.length === 0)
        throw wrong(
          `每一轮的答卷都少于 ${least} 份（最多 ${Math.max(...closed.map(sheetsIn))} 份），为保护匿名不生成数据`,
        );
      const shown = new Set(rounds.map((round) => round.number));
      const sheets = all.filter(({ round }) => shown.has(round));
      const { used, csv } = tableOf(sheets, variablesOf(project, content));
      const made = await files.imports.written(actor, { title: project.title, csv, fid: project.fid });
      const columns = await files.versions.columns(actor.owner, made.vid);
      const id = (name: string): string => columns.find((column) => column.name === name)?.id ?? '';
      const edits: ColumnEdit[] = used.flatMap((variable) => {
        const column = columns.find(({ name }) => name === variable.name);
        if (!column) return [];
        // A column without a value has no type to change.
        const measured = isNumber(variable) && column.profile.n > 0 ? { measure: '定量' as const } : {};
        return [{ id: column.id, label: variable.label, ...measured }];
      });
      const { vid } = await files.versions.edit(actor, made.vid, edits, { branch: false });
      await store.updateProject(db, pid, { fid: made.fid });
      const form = (project.kind === 'ahp' ? ahpForm : delphiForm)({ content, rounds, sheets, used, id });
      return {
        fid: made.fid,
        vid,
        method: EXPERT_METHODS[project.kind],
        form,
        sheets: sheets.length,
        left_out: closed.filter((round) => !shown.has(round.number)).map((round) => round.number),
      };
    },
  };
}
