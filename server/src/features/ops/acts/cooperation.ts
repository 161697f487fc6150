/** What was done about somebody who wants to work with us. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { LEAD_STATES } from '../../cooperation/schema.ts';
import { choicesOf, define, field, line } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';

const NOTE = 1000;

export function cooperationActs({ cooperation }: Context): Act[] {
  const look = async (executor: Db, target: string): Promise<Looked | null> => {
    const row = await cooperation.find(executor, idOf(target) ?? 0);
    return row && { name: `合作 ${row.number}`, owner: null, version: row.version, before: { state: row.state } };
  };
  return [
    define({
      kind: 'cooperation',
      look,
      roles: ['客服', '内容'],
      reason: false,
      act: 'cooperation.follow',
      title: '跟进',
      payload: z.strictObject({ state: z.enum(['new', 'working', 'done', 'declined']), note: line(NOTE) }),
      fields: [
        field('state', '状态', 'choice', { choices: choicesOf(LEAD_STATES) }),
        field('note', '跟进记录', 'lines'),
      ],
      /** The log keeps the states; names and telephones stay with the form and go with it. */
      async run({ tx, target, version, payload }) {
        const { before, after } = await cooperation.decide(tx, idOf(target) ?? 0, version, payload);
        return { before: { state: before.state }, after: { state: after.state } };
      },
    }),
  ];
}
