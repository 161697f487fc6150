/** Enterprises, their contracts, and what holds for all of them. */
import type { EnterpriseRow } from '../../enterprise/service.ts';
import type { Context } from '../context.ts';
import type { ListName } from '../schema.ts';
import { column, iso, numberIn, oneOf, stateFilter, text, textFilter } from './list.ts';
import type { Listed } from './list.ts';

const GB = 1_000_000_000;
const STATE = {
  pending: '待开通',
  trial: '试用',
  active: '正式',
  grace: '到期宽限',
  readonly: '只读',
  frozen: '冻结',
  dissolving: '解散中',
  deleted: '已删除',
};
const FILTER = { trial_waiting: '试用待审核', ...STATE };
const CONTRACT = { draft: '草拟', signed: '已签', archived: '已归档' };

function actsOf({ state, heldAt, endsAt }: EnterpriseRow, hasTrial: boolean): string[] {
  if (state === 'deleted') return [];
  return [
    ...(hasTrial ? ['trial.approve', 'trial.refuse'] : []),
    'enterprise.seats',
    ...(endsAt ? ['enterprise.term'] : []),
    'enterprise.owner',
    'enterprise.storage',
    heldAt ? 'enterprise.unfreeze' : 'enterprise.freeze',
  ];
}

export function enterpriseLists({
  db,
  enterprises: { desk, contracts },
}: Context): Record<Extract<ListName, 'enterprises' | 'contracts' | 'tenancy'>, Listed> {
  return {
    enterprises: {
      title: '企业',
      columns: [
        column('id', '编号', 'number'),
        column('name', '企业名称'),
        column('credit_code', '信用代码'),
        column('owner', '所有者编号', 'number'),
        column('state', '状态', 'state'),
        column('seats', '席位', 'number'),
        column('used', '在职', 'number'),
        column('ends_at', '到期', 'instant'),
        column('storage', '存储（GB）'),
        column('note', '说明'),
      ],
      filters: [stateFilter(FILTER), textFilter('id', '编号'), textFilter('target', '名称')],
      async rows({ page, page_size: size, state, id, target }) {
        const asked = { page, page_size: size, id: numberIn(id), name: text(target) };
        const wanted = oneOf(FILTER, state) as keyof typeof FILTER | undefined;
        const { total, list } = await desk.list({ ...asked, state: wanted });
        const limits = await desk.limits.read(db);
        const rows = list.map(async ({ row, trial }) => ({
          id: String(row.id),
          name: row.name,
          version: row.version,
          cells: {
            id: row.id,
            name: row.name,
            credit_code: row.creditCode,
            owner: await desk.ownerOf(db, row.id),
            state: trial ? FILTER.trial_waiting : STATE[row.state],
            seats: row.seats,
            used: row.seatsUsed,
            ends_at: iso(row.endsAt),
            storage: String((row.storageBytes ?? limits.seatBytes * Math.max(1, row.seats)) / GB),
            note: row.heldReason ?? (trial ? `联系人：${trial.contact}` : null),
          },
          acts: actsOf(row, trial !== null),
          values: { gb: row.storageBytes === null ? null : Math.round(row.storageBytes / GB) },
        }));
        return { total, list: await Promise.all(rows) };
      },
    },
    contracts: {
      title: '企业合同',
      columns: [
        column('id', '编号', 'number'),
        column('enterprise', '企业'),
        column('order_no', '订单号'),
        column('template', '模板版本'),
        column('state', '状态', 'state'),
        column('created_at', '下单时间', 'instant'),
        column('signed_at', '签署上传', 'instant'),
        column('archived_at', '归档', 'instant'),
      ],
      filters: [stateFilter(CONTRACT)],
      async rows({ page, page_size: size, state }) {
        const wanted = oneOf(CONTRACT, state) as keyof typeof CONTRACT | undefined;
        const { total, list } = await contracts.all({ page, page_size: size, state: wanted });
        return {
          total,
          list: list.map(({ row, name }) => ({
            id: String(row.id),
            name: `${name} ${row.orderNo}`,
            version: row.version,
            has_proof: row.proofId !== null,
            cells: {
              id: row.id,
              enterprise: name,
              order_no: row.orderNo,
              template: row.templateVersion,
              state: CONTRACT[row.state],
              created_at: iso(row.createdAt),
              signed_at: iso(row.signedAt),
              archived_at: iso(row.archivedAt),
            },
            acts: row.state === 'signed' ? ['contract.archive'] : [],
          })),
        };
      },
    },
    tenancy: {
      title: '企业限额',
      columns: [
        column('seat_gb', '每席位存储（GB）', 'number'),
        column('member_runs', '每成员同时运行', 'number'),
        column('member_waiting', '每成员排队', 'number'),
        column('seat_runs', '每席位折算并发', 'number'),
        column('runs_max', '全企业并发上限', 'number'),
        column('trial_days', '试用天数', 'number'),
        column('trial_seats', '试用席位', 'number'),
        column('trial_review', '试用须审核', 'flag'),
      ],
      async rows() {
        const row = await desk.limits.read(db);
        const cells = {
          seat_gb: row.seatBytes / GB,
          member_runs: row.memberRuns,
          member_waiting: row.memberWaiting,
          seat_runs: row.seatRuns,
          runs_max: row.runsMax,
          trial_days: row.trialDays,
          trial_seats: row.trialSeats,
          trial_review: row.trialReview,
        };
        const only = { id: 'all', name: '企业限额', version: row.version, cells, values: cells };
        return { total: 1, list: [{ ...only, acts: ['tenancy.change'] }] };
      },
    },
  };
}
