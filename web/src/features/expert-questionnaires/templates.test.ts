import { Content, NewProject } from '@hengxi/server/expert-questionnaires/schema';
import { expect, test } from 'vitest';

import { fileOf, hierarchyOf, startOf, TEMPLATES } from './templates.ts';

test('every template is a questionnaire', () => {
  for (const { key, start } of TEMPLATES) expect(NewProject.safeParse(start).error, key).toBeUndefined();
});

test('a questionnaire comes back from its file, and other files are none', () => {
  const content = Content.parse({ items: [{ id: 'a', text: '一' }], protocol: { scale_max: 7 } });
  const start = startOf(fileOf({ kind: 'delphi', title: '问卷', content }));
  expect(NewProject.parse(start)).toEqual({ kind: 'delphi', title: '问卷', content });
  for (const text of ['', '{}', '[1]', 'null', '{"format":"other"}']) expect(startOf(text)).toBeNull();
});

test('kept items become a hierarchy by dimension; rejected ones and lonely dimensions do not', () => {
  const items = [
    { id: 'a', dimension: '质量', text: '合格率' },
    { id: 'b', dimension: '质量', text: '售后' },
    { id: 'c', dimension: '成本', text: '价格' },
    { id: 'd', dimension: '', text: '信誉' },
    { id: 'd0', dimension: '质量', text: '包装' },
  ];
  const rounds = [{ decisions: { d0: 'rejected', a: 'accepted' } }];
  const project = { title: '供应商', content: Content.parse({ items }), rounds } as never;
  const { content } = NewProject.parse(hierarchyOf(project));
  expect(content?.tree).toEqual({
    id: 'goal',
    name: '供应商',
    children: [
      {
        id: 'd0',
        name: '质量',
        children: [
          { id: 'a', name: '合格率', children: [] },
          { id: 'b', name: '售后', children: [] },
        ],
      },
      { id: 'c', name: '价格', children: [] },
      { id: 'd', name: '信誉', children: [] },
    ],
  });
});
