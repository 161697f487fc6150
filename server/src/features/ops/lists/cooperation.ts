/** 商务合作: who wants to work with us, newest first. */
import { LEAD_STATES, TOPICS } from '../../cooperation/schema.ts';
import type { LeadState } from '../../cooperation/schema.ts';
import type { Context } from '../context.ts';
import { column, iso, oneOf, stateFilter } from './list.ts';
import type { Listed } from './list.ts';

const stateOf = (state: string | undefined): LeadState | undefined => {
  const found = oneOf(LEAD_STATES, state);
  return Object.keys(LEAD_STATES).find((known): known is LeadState => known === found);
};

export function cooperationList({ cooperation }: Context): Listed {
  return {
    title: '商务合作',
    columns: [
      column('number', '编号'),
      column('state', '状态', 'state'),
      column('topic', '方向'),
      column('name', '称呼'),
      column('company', '单位'),
      column('phone', '手机'),
      column('mail', '邮箱'),
      column('text', '说明'),
      column('note', '跟进记录'),
      column('source', '来源'),
      column('created_at', '提交时间', 'instant'),
    ],
    filters: [stateFilter(LEAD_STATES)],
    async rows(query) {
      const { total, list } = await cooperation.queue(stateOf(query.state), query);
      return {
        total,
        list: list.map((row) => ({
          id: String(row.id),
          name: `合作 ${row.number}`,
          version: row.version,
          values: { state: row.state, note: row.note },
          cells: {
            number: row.number,
            state: LEAD_STATES[row.state],
            topic: TOPICS[row.topic],
            name: row.name,
            company: row.company,
            phone: row.phone,
            mail: row.mail,
            text: row.text,
            note: row.note,
            source: row.source,
            created_at: iso(row.createdAt),
          },
          acts: ['cooperation.follow'],
        })),
      };
    },
  };
}
