/** 大赛: seasons, works with their review, judges, appeals, certificates. */
import { aliasText, numberText, phaseOf, totalOf } from '../../contest/service.ts';
import type { ContestRow } from '../../contest/service.ts';
import { APPEAL_KINDS, APPEAL_STATES, CERTIFICATE_STATES } from '../../contest/schema.ts';
import type { AppealState, Phase } from '../../contest/schema.ts';
import { prizeLines } from '../acts/contest.ts';
import type { Context } from '../context.ts';
import type { ListName } from '../schema.ts';
import { column, iso, numberIn, oneOf, stateFilter, text, textFilter } from './list.ts';
import type { Listed } from './list.ts';

const PHASE_TEXT: Record<Phase, string> = {
  upcoming: '未开始',
  signup: '报名',
  waiting: '等待赛题',
  answer: '作答',
  review: '评审',
  notice: '公示',
  finished: '已结束',
};
const appealState = (state: string | undefined): AppealState | undefined => {
  const asked = oneOf(APPEAL_STATES, state);
  return (Object.keys(APPEAL_STATES) as AppealState[]).find((known) => known === asked);
};

function actsOf(row: ContestRow): string[] {
  const { openedAt, assignedAt, publishedAt, settledAt } = row;
  return [
    ...(publishedAt ? [] : ['contest.edit']),
    ...(openedAt ? ['contest.notice'] : ['contest.open']),
    ...(openedAt && !publishedAt ? ['contest.postpone', 'contest.judge'] : []),
    ...(assignedAt ? [] : ['contest.file']),
    ...(openedAt && !assignedAt ? ['contest.draw'] : []),
    ...(assignedAt && !publishedAt ? ['contest.publish'] : []),
    ...(publishedAt && !settledAt ? ['contest.settle'] : []),
  ];
}

const TIMES = [
  column('signup_from', '报名开始', 'instant'),
  column('signup_to', '报名截止', 'instant'),
  column('answer_from', '赛题发布', 'instant'),
  column('answer_to', '提交截止', 'instant'),
  column('results_at', '计划公布', 'instant'),
];
const timesOf = (row: ContestRow) => ({
  signup_from: iso(row.signupFrom),
  signup_to: iso(row.signupTo),
  answer_from: iso(row.answerFrom),
  answer_to: iso(row.answerTo),
  results_at: iso(row.resultsAt),
});

export function contestLists({ clock, db, contests }: Context): Record<Extract<ListName, `contest${string}`>, Listed> {
  const { seasons, judging, outcome } = contests;
  return {
    contests: {
      title: '大赛',
      makes: ['contest.make'],
      columns: [
        column('code', '编号'),
        column('title', '名称'),
        column('phase', '阶段', 'state'),
        column('people', '报名人数', 'number'),
        column('teams', '队伍', 'number'),
        column('works', '有作品的队伍', 'number'),
        ...TIMES,
        column('published_at', '公布时间', 'instant'),
        column('settled_at', '发奖时间', 'instant'),
      ],
      async rows(query) {
        const { total, list } = await seasons.desk.list(query);
        const now = await clock(db);
        const counts = await Promise.all(list.map(({ id }) => outcome.desk.counts(id)));
        return {
          total,
          list: list.map((row, at) => ({
            id: String(row.id),
            name: `大赛 ${row.code}`,
            version: row.version,
            values: {
              title: row.title,
              summary: row.summary,
              rules: row.rules,
              problems: row.problems,
              prizes: prizeLines(row.prizes),
              ...timesOf(row),
            },
            cells: {
              code: row.code,
              title: row.title,
              phase: row.openedAt ? PHASE_TEXT[phaseOf(row, now)] : '筹备中',
              ...counts[at],
              ...timesOf(row),
              published_at: iso(row.publishedAt),
              settled_at: iso(row.settledAt),
            },
            acts: actsOf(row),
          })),
        };
      },
    },

    contest_works: {
      title: '大赛作品',
      filters: [textFilter('id', '大赛')],
      columns: [
        column('team', '队号'),
        column('alias', '评审编号'),
        column('no', '计入的版本', 'number'),
        column('arrived_at', '提交时间', 'instant'),
        column('grace', '截止后传完', 'flag'),
        column('judges', '评委', 'number'),
        column('locked', '已评', 'number'),
        column('scores', '各评委得分'),
        column('spread', '最高与最低之差', 'number'),
        column('lack', '缺评委', 'number'),
      ],
      async rows(query) {
        const { total, list } = await judging.desk.papers(numberIn(query.id), query);
        return {
          total,
          list: list.map(({ submission, team, contest, given }) => {
            const totals = given.filter(judging.isLocked).map(({ review }) => totalOf(review.parts));
            const isUnderReview = contest.assignedAt !== null && contest.publishedAt === null;
            return {
              id: String(submission.id),
              name: `作品 ${numberText(contest, team)}`,
              cells: {
                team: numberText(contest, team),
                alias: team.alias === null ? null : aliasText(team.alias),
                no: submission.no,
                arrived_at: iso(submission.arrivedAt),
                grace: submission.inGrace,
                judges: given.length,
                locked: totals.length,
                scores: totals.join('、'),
                spread: totals.length > 1 ? Math.max(...totals) - Math.min(...totals) : null,
                lack: isUnderReview ? judging.lackOf(given) : 0,
              },
              acts: isUnderReview ? ['contest.assign'] : [],
            };
          }),
        };
      },
    },

    contest_judges: {
      title: '大赛评委',
      filters: [textFilter('id', '大赛')],
      columns: [
        column('id', '编号', 'number'),
        column('contest', '大赛'),
        column('user_id', '用户', 'customer'),
        column('name', '姓名'),
        column('school', '单位'),
        column('state', '状态', 'state'),
        column('given', '分到', 'number'),
        column('locked', '已评', 'number'),
      ],
      async rows(query) {
        const { total, list } = await judging.desk.judges(numberIn(query.id), query);
        return {
          total,
          list: list.map(({ judge, code, given, locked }) => ({
            id: String(judge.id),
            name: `评委 ${judge.id}`,
            version: judge.version,
            cells: {
              id: judge.id,
              contest: code,
              user_id: judge.userId,
              name: judge.name,
              school: judge.school,
              state: judge.active ? '在任' : '停用',
              given,
              locked,
            },
            acts: judge.active ? ['contest.judge.end'] : [],
          })),
        };
      },
    },

    contest_appeals: {
      title: '大赛申诉',
      filters: [stateFilter(APPEAL_STATES)],
      columns: [
        column('team', '队号'),
        column('kind', '类别'),
        column('text', '申诉理由'),
        column('state', '状态', 'state'),
        column('answer', '答复'),
        column('created_at', '提交时间', 'instant'),
        column('decided_at', '答复时间', 'instant'),
      ],
      async rows(query) {
        const { total, list } = await outcome.desk.appeals(appealState(query.state), query);
        return {
          total,
          list: list.map(({ appeal, team, contest }) => ({
            id: String(appeal.id),
            name: `申诉 ${appeal.id}`,
            version: appeal.version,
            cells: {
              team: numberText(contest, team),
              kind: APPEAL_KINDS[appeal.kind],
              text: appeal.text,
              state: APPEAL_STATES[appeal.state],
              answer: appeal.answer,
              created_at: iso(appeal.createdAt),
              decided_at: iso(appeal.decidedAt),
            },
            acts: appeal.state === 'open' ? ['contest.appeal'] : [],
            values: { verdict: null, answer: '', award: '', disqualify: false },
          })),
        };
      },
    },

    contest_certificates: {
      title: '大赛证书',
      filters: [textFilter('code', '证书编号')],
      columns: [
        column('code', '证书编号'),
        column('user_id', '用户', 'customer'),
        column('team', '队伍'),
        column('award', '奖项'),
        column('state', '状态', 'state'),
        column('issued_at', '签发时间', 'instant'),
      ],
      async rows(query) {
        const { total, list } = await outcome.desk.certificates(text(query.code), query);
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: row.code,
            version: row.version,
            cells: {
              code: row.code,
              user_id: row.userId,
              team: row.teamName,
              award: row.award,
              state: CERTIFICATE_STATES[row.state],
              issued_at: iso(row.issuedAt),
            },
            acts: row.state === 'valid' ? ['contest.certificate.replace', 'contest.certificate.revoke'] : [],
          })),
        };
      },
    },
  };
}
