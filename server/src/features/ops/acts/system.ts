/** Acts on the limits of the editions and on messages that were given up. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { Fault } from '../../../lib/errors.ts';
import { EDITION_TEXT, shownLimits } from '../../membership/service.ts';
import type { LimitsRow } from '../../membership/service.ts';
import { EDITIONS } from '../../membership/schema.ts';
import { define, field, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import { logged } from '../mask.ts';

const count = z.number().int().min(0).max(2_000_000_000).nullable();
/** Without a single file or row nobody could work at all. */
const some = z.number().int().min(1, '至少为 1').max(2_000_000_000).nullable();
const megabytes = z.number().int().min(1).max(10_000_000);
const Limits = z.strictObject({
  upload_mb: megabytes,
  storage_mb: megabytes.nullable(),
  files: some,
  rows: some,
  analyses_day: count,
  scripts_day: count,
  member_methods: z.boolean(),
  own_scripts: z.boolean(),
  questionnaires: z.boolean(),
  advanced_charts: z.boolean(),
  flow_models: z.boolean(),
  dashboards: z.boolean(),
});
const MB = 1024 ** 2;
const inMb = (bytes: number | null): number | null => (bytes === null ? null : Math.round(bytes / MB));
/** The limits of an edition in the units of the form. */
export function limitsValues(row: LimitsRow) {
  const { edition: _, upload_bytes: upload, storage_bytes: storage, ...others } = shownLimits(row);
  return { upload_mb: inMb(upload), storage_mb: inMb(storage), ...others };
}
const unlimited = { optional: true, hint: '留空为不限' };

export function systemActs({ db, membership, outbox }: Context): Act[] {
  const { editions } = membership;

  async function lookLimits(_executor: Db, target: string): Promise<Looked | null> {
    const row = (await editions.rows()).find(({ edition }) => edition === target);
    if (!row) return null;
    return { name: EDITION_TEXT[row.edition], owner: null, version: row.version, before: limitsValues(row) };
  }
  async function lookMessage(executor: Db, target: string): Promise<Looked | null> {
    const row = await outbox.find(executor, idOf(target) ?? 0);
    return row && { name: row.topic, owner: null, version: null, before: row };
  }

  return [
    define({
      act: 'limits.change',
      title: '修改限额',
      kind: 'limits',
      roles: ['运维'],
      isMoney: true,
      look: lookLimits,
      payload: Limits,
      fields: [
        field('upload_mb', '单个文件（MB）', 'number'),
        field('storage_mb', '存储空间（MB）', 'number', unlimited),
        field('files', '文件数', 'number', unlimited),
        field('rows', '行数', 'number', unlimited),
        field('analyses_day', '每日分析次数', 'number', unlimited),
        field('scripts_day', '每日脚本次数', 'number', unlimited),
        field('member_methods', '会员方法', 'switch'),
        field('own_scripts', '自定义脚本', 'switch'),
        field('questionnaires', '专家问卷', 'switch'),
        field('advanced_charts', '高级图形', 'switch'),
        field('flow_models', '流程建模', 'switch'),
        field('dashboards', '看板', 'switch'),
      ],
      fourEyes: async () => '版本限额影响全部用户，须两人确认',
      async run({ tx, target, version, payload }) {
        const edition = EDITIONS.find((one) => one === target);
        if (!edition) throw new Fault(30093);
        return logged(
          await editions.change(tx, edition, version, {
            uploadBytes: payload.upload_mb * MB,
            storageBytes: payload.storage_mb === null ? null : payload.storage_mb * MB,
            files: payload.files,
            rows: payload.rows,
            analysesDay: payload.analyses_day,
            scriptsDay: payload.scripts_day,
            memberMethods: payload.member_methods,
            ownScripts: payload.own_scripts,
            questionnaires: payload.questionnaires,
            advancedCharts: payload.advanced_charts,
            flowModels: payload.flow_models,
            dashboards: payload.dashboards,
          }),
          'open',
        );
      },
    }),
    define({
      act: 'outbox.retry',
      title: '重新投递',
      kind: 'outbox',
      roles: ['运维'],
      reason: false,
      look: lookMessage,
      payload: nothing,
      fields: [],
      async run({ tx, target }) {
        const id = idOf(target) ?? 0;
        const before = await outbox.find(tx, id);
        if (!(await outbox.retry(id, tx))) throw new Fault(30309);
        return { before, after: await outbox.find(tx, id) };
      },
    }),
    define({
      act: 'outbox.drop',
      title: '不再投递',
      kind: 'outbox',
      roles: ['运维'],
      isMoney: true,
      danger: true,
      look: lookMessage,
      payload: nothing,
      fields: [],
      async demand({ target }) {
        const row = await outbox.find(db, idOf(target) ?? 0);
        // Somebody waits for this money: it is sent, or written down as sent by hand, never forgotten.
        if (row?.topic === 'refund') throw new Fault(30408, { detail: '退款消息不能放弃，请重新投递' });
      },
      fourEyes: async () => '放弃投递须两人确认',
      async run({ tx, target }) {
        const id = idOf(target) ?? 0;
        const before = await outbox.find(tx, id);
        if (!(await outbox.drop(id, tx))) throw new Fault(30309);
        return { before, after: { state: '不再投递' } };
      },
    }),
  ];
}
