/** What the desk does with the contest: seasons, judges, publication, appeals, prizes, certificates. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { Fault } from '../../../lib/errors.ts';
import { findUser } from '../../accounts/service.ts';
import { APPEAL_STATES, PRIZE_KINDS } from '../../contest/schema.ts';
import type { Prize } from '../../contest/schema.ts';
import { choicesOf, define, field, instant, line, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';

const LONG = 20_000;
const FILE = 2_000_000;
const kindOf = (label: string): Prize['kind'] | undefined =>
  (Object.keys(PRIZE_KINDS) as Prize['kind'][]).find((kind) => PRIZE_KINDS[kind] === label);

/** One award a line, from the first down: 一等奖,3,积分,500. */
const prizes = z
  .string()
  .trim()
  .max(2000)
  .nullable()
  .transform((text, context): Prize[] =>
    (text ?? '')
      .split('\n')
      .filter((row) => row.trim() !== '')
      .map((row, at) => {
        const [award = '', places = '', label = '', value = ''] = row.split(/[,，]/).map((part) => part.trim());
        const kind = kindOf(label);
        const isWhole = /^\d{1,5}$/.test(places) && /^\d{0,6}$/.test(value);
        if (award === '' || award.length > 20 || !kind || !isWhole || Number(places) < 1 || Number(value) > 100_000) {
          context.addIssue({ code: 'custom', message: `第 ${at + 1} 行应为“奖项,名额,积分或会员天数或仅证书,数量”` });
          return z.NEVER;
        }
        return { award, places: Number(places), kind, value: kind === 'none' ? 0 : Number(value) };
      }),
  );
export const prizeLines = (list: readonly Prize[]): string =>
  list.map(({ award, places, kind, value }) => `${award},${places},${PRIZE_KINDS[kind]},${value}`).join('\n');

const times = {
  signup_from: instant,
  signup_to: instant,
  answer_from: instant,
  answer_to: instant,
  results_at: instant,
};
const TIME_FIELDS = [
  field('signup_from', '报名开始', 'instant'),
  field('signup_to', '报名截止', 'instant'),
  field('answer_from', '赛题发布', 'instant'),
  field('answer_to', '提交截止', 'instant'),
  field('results_at', '计划公布', 'instant'),
];
const optionalText = z
  .string()
  .trim()
  .max(LONG)
  .nullable()
  .transform((text) => text ?? '');
const content = { title: line(60), summary: optionalText, rules: optionalText, problems: optionalText, prizes };
const CONTENT_FIELDS = [
  field('title', '名称', 'text'),
  field('summary', '简介', 'lines', { optional: true }),
  field('rules', '规则', 'lines', { optional: true, hint: '参赛者报名时同意的全文' }),
  field('problems', '赛题', 'lines', { optional: true, hint: '赛题发布时间以前不对外显示' }),
  field('prizes', '奖项', 'lines', { optional: true, hint: '每行一个，从高到低：一等奖,3,积分,500' }),
];
const timesOf = (payload: z.output<z.ZodObject<typeof times>>) => ({
  signupFrom: payload.signup_from,
  signupTo: payload.signup_to,
  answerFrom: payload.answer_from,
  answerTo: payload.answer_to,
  resultsAt: payload.results_at,
});

export function contestActs({ db: database, clock, contests }: Context): Act[] {
  const { seasons, judging, outcome } = contests;
  const look = async (executor: Db, target: string): Promise<Looked | null> => {
    const row = await seasons.find(executor, idOf(target) ?? 0);
    return (
      row && {
        name: `大赛 ${row.code}`,
        owner: null,
        version: row.version,
        before: { code: row.code, title: row.title },
      }
    );
  };
  const season = { kind: 'contest', look, roles: ['内容'] as const };
  const cid = (target: string): number => idOf(target) ?? 0;

  const acts: Act[] = [
    define({
      ...season,
      act: 'contest.make',
      title: '新建大赛',
      makes: true,
      reason: false,
      payload: z.strictObject({
        code: z
          .string()
          .trim()
          .regex(/^[A-Z]{2}\d{2}$/, '编号为两个大写字母和两位年份，例如 HX26'),
        ...content,
        ...times,
      }),
      fields: [
        field('code', '编号', 'text', { hint: '例如 HX26，出现在回执和证书上' }),
        ...CONTENT_FIELDS,
        ...TIME_FIELDS,
      ],
      async run({ tx, payload }) {
        const { code, title, summary, rules, problems, prizes: list } = payload;
        const draft = { code, title, summary, rules, problems, prizes: list, ...timesOf(payload) };
        const row = await seasons.desk.make(tx, draft);
        return { before: null, after: { code: row.code, title: row.title }, target: String(row.id) };
      },
    }),
    define({
      ...season,
      act: 'contest.edit',
      title: '编辑',
      reason: false,
      payload: z.strictObject({ ...content, ...times }),
      fields: [...CONTENT_FIELDS, ...TIME_FIELDS],
      async run({ tx, target, version, payload }) {
        const { title, summary, rules, problems, prizes: list } = payload;
        const draft = { title, summary, rules, problems, prizes: list, ...timesOf(payload) };
        const { before, after } = await seasons.desk.edit(tx, cid(target), version, draft, await clock(tx));
        return {
          before: { title: before.title, rules_version: before.rulesVersion },
          after: { title: after.title, rules_version: after.rulesVersion },
        };
      },
    }),
    define({
      ...season,
      act: 'contest.open',
      title: '开放',
      payload: nothing,
      fields: [],
      async run({ tx, target, version }) {
        const { after } = await seasons.desk.open(tx, cid(target), version, await clock(tx));
        return { before: { opened: false }, after: { opened: true, title: after.title } };
      },
    }),
    define({
      ...season,
      act: 'contest.postpone',
      title: '延期',
      payload: z.strictObject({ ...times, why: line(200) }),
      fields: [...TIME_FIELDS, field('why', '对外说明', 'text', { hint: '写进大赛公告' })],
      async run({ tx, target, version, payload }) {
        const to = { ...timesOf(payload), reason: payload.why };
        const { before, after } = await seasons.desk.postpone(tx, cid(target), version, to, await clock(tx));
        return {
          before: { answer_to: before.answerTo.toISOString() },
          after: { answer_to: after.answerTo.toISOString() },
        };
      },
    }),
    define({
      ...season,
      act: 'contest.notice',
      title: '发更正或答疑',
      reason: false,
      payload: z.strictObject({ kind: z.enum(['correction', 'answer']), text: line(2000) }),
      fields: [
        field('kind', '类别', 'choice', { choices: choicesOf({ correction: '更正', answer: '答疑' }) }),
        field('text', '内容', 'lines'),
      ],
      async run({ tx, target, payload }) {
        await seasons.desk.notice(tx, cid(target), payload.kind, payload.text, await clock(tx));
        return { before: null, after: { kind: payload.kind } };
      },
    }),
    define({
      ...season,
      act: 'contest.file',
      title: '赛题数据',
      reason: false,
      payload: z.strictObject({
        name: z
          .string()
          .trim()
          .max(80)
          .regex(/^[^\\/:*?"<>|]+\.(?:csv|txt|md|json)$/, '文件名以 .csv、.txt、.md 或 .json 结尾'),
        text: z.string().min(1, '不能为空').max(FILE),
      }),
      fields: [
        field('name', '文件名', 'text', { hint: '例如 data.csv；同名的文件会被替换' }),
        field('text', '内容', 'lines', { hint: '粘贴文件的全文，最多 200 万字' }),
      ],
      async run({ tx, target, payload }) {
        const sha256 = await seasons.desk.addFile(tx, cid(target), payload.name, payload.text, await clock(tx));
        return { before: null, after: { name: payload.name, sha256 } };
      },
    }),
    define({
      ...season,
      act: 'contest.judge',
      title: '添加评委',
      reason: false,
      payload: z.strictObject({ user_id: z.number().int().positive(), name: line(40), school: line(40) }),
      fields: [
        field('user_id', '评委的用户编号', 'number'),
        field('name', '姓名', 'text'),
        field('school', '单位', 'text', { hint: '与参赛者同单位的作品不会分给这位评委' }),
      ],
      async demand({ payload }) {
        if (!(await findUser(database, payload.user_id))) throw new Fault(31318, { detail: '没有这个用户' });
      },
      async run({ tx, target, payload }) {
        const { user_id: userId, name, school } = payload;
        const row = await judging.desk.addJudge(tx, cid(target), { userId, name, school });
        return { before: null, after: { judge: row.id } };
      },
    }),
    define({
      ...season,
      act: 'contest.draw',
      title: '分配评委',
      danger: true,
      payload: nothing,
      fields: [],
      async run({ tx, target, version }) {
        const { after, papers } = await judging.desk.draw(tx, cid(target), version, await clock(tx));
        return { before: { assigned: false }, after: { papers, seed: after.seed } };
      },
    }),
    define({
      ...season,
      act: 'contest.publish',
      title: '公布结果',
      danger: true,
      payload: nothing,
      fields: [],
      fourEyes: async () => '公布结果需要两位操作员',
      async run({ tx, target, version, by, approvedBy }) {
        const both = [by, ...(approvedBy === null ? [] : [approvedBy])];
        const { papers, method } = await outcome.desk.publish(tx, cid(target), version, both, await clock(tx));
        return { before: { published: false }, after: { papers, method } };
      },
    }),
    define({
      ...season,
      roles: ['财务'],
      asks: ['内容'],
      act: 'contest.settle',
      title: '发放奖励和证书',
      isMoney: true,
      danger: true,
      payload: nothing,
      fields: [],
      fourEyes: async () => '发放奖励需要两位操作员',
      async run({ tx, target, version }) {
        const { given } = await outcome.desk.settle(tx, cid(target), version, await clock(tx));
        return { before: { settled: false }, after: { given } };
      },
    }),
  ];

  const judgeLook = async (executor: Db, target: string): Promise<Looked | null> => {
    const row = await judging.desk.findJudge(executor, idOf(target) ?? 0);
    return row && { name: `评委 ${row.id}`, owner: null, version: row.version, before: { active: row.active } };
  };
  const paperLook = async (executor: Db, target: string): Promise<Looked | null> => {
    const row = await judging.desk.findPaper(executor, idOf(target) ?? 0);
    return row && { name: `作品 ${row.id}`, owner: null, version: null, before: { state: row.state } };
  };
  const appealLook = async (executor: Db, target: string): Promise<Looked | null> => {
    const row = await outcome.desk.findAppeal(executor, idOf(target) ?? 0);
    return row && { name: `申诉 ${row.id}`, owner: row.userId, version: row.version, before: { state: row.state } };
  };
  const certificateLook = async (executor: Db, target: string): Promise<Looked | null> => {
    const row = await outcome.desk.findCertificate(executor, idOf(target) ?? 0);
    return row && { name: row.code, owner: row.userId, version: row.version, before: { state: row.state } };
  };

  acts.push(
    define({
      kind: 'contest_judge',
      look: judgeLook,
      roles: ['内容'],
      act: 'contest.judge.end',
      title: '停用评委',
      danger: true,
      payload: nothing,
      fields: [],
      async run({ tx, target, version }) {
        const { before, after } = await judging.desk.endJudge(tx, idOf(target) ?? 0, version);
        return { before: { active: before.active }, after: { active: after.active } };
      },
    }),
    define({
      kind: 'contest_paper',
      look: paperLook,
      roles: ['内容'],
      act: 'contest.assign',
      title: '指派评委',
      payload: z.strictObject({ judge: z.number().int().positive() }),
      fields: [field('judge', '评委编号', 'number', { hint: '大赛评委列表里的编号' })],
      async run({ tx, target, payload }) {
        const row = await judging.desk.give(tx, idOf(target) ?? 0, payload.judge, await clock(tx));
        return { before: null, after: { judge: row.judgeId } };
      },
    }),
    define({
      kind: 'contest_appeal',
      look: appealLook,
      roles: ['客服', '内容'],
      act: 'contest.appeal',
      title: '答复申诉',
      reason: false,
      payload: z.strictObject({
        verdict: z.enum(['upheld', 'rejected']),
        answer: line(1000),
        award: z
          .string()
          .trim()
          .max(20)
          .nullable()
          .transform((text) => text || null),
        disqualify: z.boolean(),
      }),
      fields: [
        field('verdict', '结论', 'choice', {
          choices: choicesOf({ upheld: APPEAL_STATES.upheld, rejected: APPEAL_STATES.rejected }),
        }),
        field('answer', '理由', 'lines', { hint: '申诉人会看到全文' }),
        field('award', '更正后的奖项', 'text', { optional: true, hint: '不变则留空' }),
        field('disqualify', '取消参赛资格', 'switch'),
      ],
      async run({ tx, target, version, payload, by }) {
        const { before, after } = await outcome.desk.decide(
          tx,
          idOf(target) ?? 0,
          version,
          payload,
          by,
          await clock(tx),
        );
        return { before: { state: before.state }, after: { state: after.state, award: payload.award } };
      },
    }),
    ...(['revoke', 'replace'] as const).map((deed) =>
      define({
        kind: 'contest_certificate',
        look: certificateLook,
        roles: ['内容'],
        act: `contest.certificate.${deed}`,
        title: deed === 'revoke' ? '撤销证书' : '换发证书',
        danger: deed === 'revoke',
        payload: z.strictObject({ name: z.string().trim().max(40).optional() }),
        fields: deed === 'revoke' ? [] : [field('name', '正确的姓名', 'text')],
        async run({ tx, target, version, payload }) {
          const name = deed === 'revoke' ? null : payload.name || null;
          if (deed === 'replace' && name === null) throw new Fault(30090, { detail: '请填写正确的姓名' });
          const { before, state } = await outcome.desk.changeCertificate(
            tx,
            idOf(target) ?? 0,
            version,
            name,
            await clock(tx),
          );
          return { before: { state: before.state }, after: { state } };
        },
      }),
    ),
  );
  return acts;
}
