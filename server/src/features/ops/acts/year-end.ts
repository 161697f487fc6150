/** When the year-end report of a year is open, and whether at all. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { Fault } from '../../../lib/errors.ts';
import { define, field, instant } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import type { Context } from '../context.ts';
import { forLog, logged } from '../mask.ts';

const FORM = z.strictObject({ opens_at: instant, closes_at: instant, is_on: z.boolean() });
const yearIn = (target: string): number | null => (/^2\d{3}$/.test(target) ? Number(target) : null);

export function yearEndActs({ yearEnd: { desk } }: Context): Act[] {
  async function look(executor: Db, target: string): Promise<Looked | null> {
    const year = yearIn(target);
    if (year === null) return null;
    const season = await desk.find(executor, year);
    return { name: `${year} 年终报告`, owner: null, version: season.version, before: forLog(season, 'open') };
  }
  return [
    define({
      kind: 'year_report',
      look,
      roles: ['内容'],
      act: 'year_report.change',
      title: '修改开放时间',
      payload: FORM,
      fields: [
        field('opens_at', '开放', 'instant'),
        field('closes_at', '结束', 'instant'),
        field('is_on', '启用', 'switch', { hint: '关闭后不能生成和查看，已生成的仍可撤回' }),
      ],
      async run({ tx, target, version, payload }) {
        const { opens_at: opensAt, closes_at: closesAt, is_on: isOn } = payload;
        if (closesAt <= opensAt) throw new Fault(30408, { detail: '结束时间须晚于开放时间' });
        return logged(await desk.put(tx, yearIn(target) ?? 0, version, { opensAt, closesAt, isOn }), 'open');
      },
    }),
  ];
}
