/** Acts on enterprises: seats and terms that were not bought, an owner replaced by papers, freezing, trials, contracts. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { missing } from '../../../lib/errors.ts';
import { define, field, instant, line, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import { forLog, logged } from '../mask.ts';

const GB = 1_000_000_000;
const count = (most: number) => z.number().int().min(1, '须为正整数').max(most);
const Limits = z.strictObject({
  seat_gb: count(100_000),
  member_runs: count(100),
  member_waiting: count(1000),
  seat_runs: count(100),
  runs_max: count(10_000),
  trial_days: count(365),
  trial_seats: count(1000),
  trial_review: z.boolean(),
});

export function enterpriseActs({ enterprises: { desk, contracts } }: Context): Act[] {
  const number = (target: string): number => {
    const id = idOf(target);
    if (id === null) throw missing();
    return id;
  };

  async function look(executor: Db, target: string): Promise<Looked | null> {
    const id = idOf(target);
    const row = id === null ? null : await desk.find(executor, id);
    if (!row || row.state === 'deleted') return null;
    return {
      name: row.name,
      owner: await desk.ownerOf(executor, row.id),
      version: row.version,
      before: forLog(row, 'open'),
    };
  }
  async function lookContract(executor: Db, target: string): Promise<Looked | null> {
    const id = idOf(target);
    const row = id === null ? null : await contracts.find(executor, id);
    if (!row) return null;
    const owner = await desk.ownerOf(executor, row.enterpriseId);
    return { name: row.orderNo, owner, version: row.version, before: forLog(row, 'open') };
  }

  const onEnterprise = { kind: 'enterprise', look } as const;
  const worth = { ...onEnterprise, roles: ['财务', '运维'], asks: ['客服'], isMoney: true } as const;

  return [
    define({
      ...worth,
      act: 'enterprise.seats',
      title: '增加席位',
      payload: z.strictObject({ seats: count(2000), until: instant }),
      fields: [field('seats', '席位数', 'number'), field('until', '截止时间', 'instant')],
      fourEyes: async () => '赠送席位须两人确认',
      run: async ({ tx, target, version, payload }) =>
        logged(await desk.giveSeats(tx, number(target), version, payload), 'open'),
    }),
    define({
      ...worth,
      act: 'enterprise.term',
      title: '延长期限',
      payload: z.strictObject({ days: count(366) }),
      fields: [field('days', '天数', 'number', { hint: '按到期时的席位数顺延' })],
      fourEyes: async () => '延长期限须两人确认',
      run: async ({ tx, target, version, payload }) =>
        logged(await desk.extend(tx, number(target), version, payload.days), 'open'),
    }),
    define({
      ...worth,
      act: 'enterprise.owner',
      title: '更换所有者',
      danger: true,
      payload: z.strictObject({ user_id: count(999_999_999), papers: line(200) }),
      fields: [
        field('user_id', '新所有者的用户编号', 'number', { hint: '须是该企业的在职成员' }),
        field('papers', '核验的文件', 'text', { hint: '如：加盖公章的变更函、营业执照' }),
      ],
      fourEyes: async () => '更换所有者须两人核验文件',
      async run({ tx, target, version, payload }) {
        const { before, after } = await desk.replaceOwner(tx, number(target), version, payload.user_id);
        return logged({ before, after: { ...after, ownerId: payload.user_id, papers: payload.papers } }, 'open');
      },
    }),
    define({
      ...onEnterprise,
      act: 'enterprise.freeze',
      title: '冻结企业',
      roles: ['运维'],
      asks: ['客服', '财务'],
      danger: true,
      payload: nothing,
      fields: [],
      fourEyes: async () => '冻结企业须两人确认',
      run: async ({ tx, target, version, reason }) =>
        logged(await desk.hold(tx, number(target), version, reason), 'open'),
    }),
    define({
      ...onEnterprise,
      act: 'enterprise.unfreeze',
      title: '解除冻结',
      roles: ['运维'],
      asks: ['客服', '财务'],
      payload: nothing,
      fields: [],
      run: async ({ tx, target, version }) => logged(await desk.hold(tx, number(target), version, null), 'open'),
    }),
    define({
      ...onEnterprise,
      act: 'enterprise.storage',
      title: '调整存储',
      roles: ['运维'],
      asks: ['客服'],
      payload: z.strictObject({ gb: count(1_000_000).nullable() }),
      fields: [field('gb', '存储空间（GB）', 'number', { optional: true, hint: '留空为按席位计算' })],
      run: async ({ tx, target, version, payload }) =>
        logged(
          await desk.setStorage(tx, number(target), version, payload.gb === null ? null : payload.gb * GB),
          'open',
        ),
    }),
    define({
      ...onEnterprise,
      act: 'trial.approve',
      title: '通过试用',
      roles: ['客服', '财务'],
      reason: false,
      payload: nothing,
      fields: [],
      run: async ({ tx, target, version }) => logged(await desk.approveTrial(tx, number(target), version), 'open'),
    }),
    define({
      ...onEnterprise,
      act: 'trial.refuse',
      title: '驳回试用',
      roles: ['客服', '财务'],
      payload: nothing,
      fields: [],
      run: async ({ tx, target, version, reason }) =>
        logged(await desk.refuseTrial(tx, number(target), version, reason), 'open'),
    }),
    define({
      act: 'contract.archive',
      title: '归档合同',
      kind: 'contract',
      roles: ['财务'],
      reason: false,
      look: lookContract,
      payload: nothing,
      fields: [],
      run: async ({ tx, target, version }) => logged(await contracts.archive(tx, number(target), version), 'open'),
    }),
    define({
      act: 'tenancy.change',
      title: '修改企业限额',
      kind: 'limits',
      roles: ['运维'],
      isMoney: true,
      async look(executor) {
        const row = await desk.limits.read(executor);
        return { name: '企业限额', owner: null, version: row.version, before: forLog(row, 'open') };
      },
      payload: Limits,
      fields: [
        field('seat_gb', '每席位存储（GB）', 'number'),
        field('member_runs', '每成员同时运行', 'number'),
        field('member_waiting', '每成员排队', 'number'),
        field('seat_runs', '每席位折算并发', 'number'),
        field('runs_max', '全企业并发上限', 'number'),
        field('trial_days', '试用天数', 'number'),
        field('trial_seats', '试用席位', 'number'),
        field('trial_review', '试用须审核', 'switch'),
      ],
      fourEyes: async () => '企业限额影响全部企业，须两人确认',
      run: async ({ tx, version, payload }) =>
        logged(
          await desk.limits.change(tx, version, {
            seatBytes: payload.seat_gb * GB,
            memberRuns: payload.member_runs,
            memberWaiting: payload.member_waiting,
            seatRuns: payload.seat_runs,
            runsMax: payload.runs_max,
            trialDays: payload.trial_days,
            trialSeats: payload.trial_seats,
            trialReview: payload.trial_review,
          }),
          'open',
        ),
    }),
  ];
}
