/** Fields made of several boxes or typed rows: what a user does to them is what travels. */
import type { Field } from '@hengxi/contracts/contract';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { firstFitting, place } from './boxes/box.ts';
import { VariableBoxes } from './boxes/variable-boxes.tsx';
import type { Form } from './form.ts';
import { withoutMissingColumns } from './form-start.ts';
import { MethodField } from './method-field.tsx';
import { boxesFor, Harness, SURVEY } from './testing/harness.tsx';
import { BLOCKS, MATCHED, MATRIX, MOMENT, PATHS, RECORDS, TIMELINE, TREE, WITHIN } from './testing/samples.ts';

// Typing into antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

interface Drawn {
  onForm: ReturnType<typeof vi.fn<(form: Form) => void>>;
  last: () => Form;
}

function draw(field: Field, start: Form = {}, selection: readonly string[] = [], others: readonly Field[] = []): Drawn {
  const onForm = vi.fn<(form: Form) => void>();
  const fields = [field, ...others];
  render(
    <Harness fields={fields} start={start} selection={selection} onForm={onForm}>
      {(form) => (
        <VariableBoxes onOpen={() => undefined}>
          <MethodField field={field} value={form[field.key]} />
        </VariableBoxes>
      )}
    </Harness>,
  );
  return { onForm, last: () => onForm.mock.lastCall?.[0] ?? {} };
}

test('a drop on the last box makes a group; a variable leaves the group it was in', () => {
  const boxes = (form: Form) => boxesFor([BLOCKS], form);
  const put = (form: Form, box: string, ids: string[]): Form => {
    const target = boxes(form).find(({ key }) => key === box);
    if (target === undefined) throw new Error(`no box ${box}`);
    return place(form, boxes(form), target, ids, SURVEY).form;
  };
  const first = put({}, 'factors/+', ['c3', 'c4']);
  expect(first['factors']).toEqual([{ id: 'b1', name: 'F1', columns: ['c3', 'c4'] }]);
  const second = put(first, 'factors/+', ['c4', 'c7']);
  expect(second['factors']).toEqual([
    { id: 'b1', name: 'F1', columns: ['c3'] },
    { id: 'b2', name: 'F2', columns: ['c4', 'c7'] },
  ]);
  expect(firstFitting(second, boxes(second), ['c3'], SURVEY)?.key).toBe('factors/b2');
});

test('groups are renamed, moved and deleted, each as a step', async () => {
  const start = {
    factors: [
      { id: 'b1', name: 'F1', columns: ['c3'] },
      { id: 'b2', name: 'F2', columns: ['c4'] },
    ],
  };
  const { last } = draw(BLOCKS, start);
  fireEvent.change(screen.getByRole('textbox', { name: '潜变量第 1 组的名称' }), { target: { value: '满意度' } });
  expect(last()['factors']).toMatchObject([{ id: 'b1', name: '满意度' }, { id: 'b2' }]);
  await userEvent.click(screen.getByRole('button', { name: '下移“满意度”' }));
  expect(last()['factors']).toMatchObject([{ id: 'b2' }, { id: 'b1' }]);
  await userEvent.click(screen.getByRole('button', { name: '删除“F2”' }));
  expect(last()['factors']).toMatchObject([{ id: 'b1', name: '满意度' }]);
});

test('several variables fill a column downwards; rows are deleted', async () => {
  const { last } = draw(MATCHED, {}, ['c3', 'c4']);
  await userEvent.click(screen.getByRole('button', { name: '把所选变量依次填入正向题' }));
  expect(last()['pairs']).toEqual([
    { positive: 'c3', importance: null },
    { positive: 'c4', importance: null },
  ]);
  await userEvent.click(screen.getByRole('button', { name: '从第 1 行正向题移出“运动时长（小时）”' }));
  expect(last()['pairs']).toEqual([
    { positive: null, importance: null },
    { positive: 'c4', importance: null },
  ]);
  await userEvent.click(screen.getByRole('button', { name: '删除第 1 行' }));
  expect(last()['pairs']).toEqual([{ positive: 'c4', importance: null }]);
});

test('what is dropped on a filled cell replaces its variable', () => {
  const form = { pairs: [{ positive: 'c3', importance: null }] };
  const boxes = boxesFor([MATCHED], form);
  const [cell] = boxes;
  if (cell === undefined) throw new Error('no box');
  expect(place(form, boxes, cell, ['c4'], SURVEY).form['pairs']).toEqual([{ positive: 'c4', importance: null }]);
});

test('repeated measures: cells are filled in order, levels come with the variables, a long table has three boxes', async () => {
  const { last } = draw(WITHIN, {}, ['c3', 'c4', 'c7']);
  await userEvent.click(screen.getByRole('button', { name: '把所选变量放入第1次' }));
  expect(last()['measures']).toEqual({
    layout: 'wide',
    factors: [{ name: '时间', levels: ['第1次', '第2次', '第3次'] }],
    cells: ['c3', 'c4', 'c7'],
  });
  await userEvent.click(screen.getByRole('button', { name: '加一个因素' }));
  expect(last()['measures']).toMatchObject({ cells: ['c3', 'c4', 'c7', null, null, null] });
  await userEvent.click(screen.getByText('每次一行'));
  expect(screen.getByRole('group', { name: '个案编号' })).toBeTruthy();
  expect(screen.getByRole('group', { name: '测量值' })).toBeTruthy();
});

test('the variable of time keeps the frequency that was chosen', () => {
  const form = { time: { column: 'c6', frequency: 'month' } };
  const boxes = boxesFor([TIMELINE], form);
  const [box] = boxes;
  if (box === undefined) throw new Error('no box');
  expect(place({}, boxes, box, ['c6'], SURVEY).form['time']).toEqual({ column: 'c6', frequency: null });
  expect(place(form, boxes, box, ['c3'], SURVEY).bounced).toHaveLength(1);
  draw(TIMELINE, form);
  expect(screen.getByRole('combobox', { name: '时间的频率' })).toBeTruthy();
});

test('rows are added by button and Enter, pasted, and reset', async () => {
  const { last } = draw(RECORDS);
  await userEvent.click(screen.getByRole('button', { name: '加一行' }));
  expect(last()['variables']).toEqual([{ id: 'r1', name: 'X' }]);
  await userEvent.type(screen.getByRole('textbox', { name: 'X：下界' }), '{Enter}');
  expect(last()['variables']).toHaveLength(2);
  fireEvent.paste(screen.getByRole('textbox', { name: 'X2：名称' }), {
    clipboardData: { getData: () => 'A\t1\nB\t2.5\n' },
  });
  expect(last()['variables']).toMatchObject([{}, {}, { name: 'A', lower: 1 }, { name: 'B', lower: 2.5 }]);
  await userEvent.click(screen.getByRole('button', { name: '重置' }));
  expect(last()['variables']).toEqual([{ id: 'r1', name: 'X' }]);
});

test('a judgement fills its mirror; shares are shown as people write them; a block is pasted', async () => {
  const { last } = draw(MATRIX);
  fireEvent.change(screen.getByRole('textbox', { name: '对象1对对象2' }), { target: { value: '1/3' } });
  expect(last()['judgement']).toMatchObject({
    rows: ['对象1', '对象2', '对象3'],
    values: [
      [1, 1 / 3, null],
      [3, 1, null],
      [null, null, 1],
    ],
  });
  fireEvent.paste(screen.getByRole('textbox', { name: '对象1对对象2' }), {
    clipboardData: { getData: () => '3\t5\n1\t2' },
  });
  expect(last()['judgement']).toMatchObject({
    values: [
      [1, 3, 5],
      [1 / 3, 1, 2],
      [1 / 5, 1 / 2, 1],
    ],
  });
  await userEvent.click(screen.getByText('逐对比较'));
  expect(screen.getByText('对象1重要 3 倍')).toBeTruthy();
});

test('an outline is typed: Enter, Tab, Backspace', async () => {
  const { last } = draw(TREE);
  await userEvent.click(screen.getByRole('button', { name: '从“目标”开始' }));
  await userEvent.keyboard('选址{Enter}价格{Enter}租金{Tab}');
  expect(last()['levels']).toEqual({
    id: 'n1',
    name: '选址',
    children: [{ id: 'n2', name: '价格', children: [{ id: 'n3', name: '租金', children: [] }] }],
  });
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Enter}{Backspace}');
  expect(last()['levels']).toMatchObject({ children: [{ name: '价格', children: [] }, { name: '租金' }] });
});

test('arrows are added, turned and deleted in the table; one twice is not taken', async () => {
  const factors = [
    { id: 'b1', name: '质量', columns: ['c3'] },
    { id: 'b2', name: '满意', columns: ['c4'] },
  ];
  const { last, onForm } = draw(PATHS, { factors, model: null }, [], [BLOCKS]);
  await userEvent.click(screen.getByRole('button', { name: '加一条' }));
  expect(last()['model']).toMatchObject({ edges: [{ source: 'b1', target: 'b2', kind: 'path', free: true }] });
  await userEvent.click(screen.getByRole('switch', { name: '第 1 条自由估计' }));
  expect(last()['model']).toMatchObject({ edges: [{ free: false, value: 0 }] });
  await userEvent.click(screen.getByRole('button', { name: '加一条' }));
  await userEvent.click(screen.getByRole('button', { name: '加一条' }));
  expect(last()['model']).toMatchObject({ edges: [{ source: 'b1' }, { source: 'b2' }] });
  const calls = onForm.mock.calls.length;
  await userEvent.click(screen.getByRole('button', { name: '删除第 2 条' }));
  expect(onForm.mock.calls.length).toBe(calls + 1);
  expect(last()['model']).toMatchObject({ edges: [{ source: 'b1' }] });
});

test('a moment is typed and cleared', () => {
  const { last } = draw(MOMENT);
  fireEvent.change(screen.getByRole('textbox', { name: '政策时点' }), { target: { value: '2008-03' } });
  expect(last()['since']).toBe('2008-03');
  fireEvent.change(screen.getByRole('textbox', { name: '政策时点' }), { target: { value: '' } });
  expect(last()['since']).toBeNull();
});

test('variables that are gone leave their places', () => {
  const has = (id: string): boolean => id !== 'c4';
  expect(withoutMissingColumns(BLOCKS, [{ id: 'b1', name: 'F', columns: ['c3', 'c4'] }], has)).toEqual([
    { id: 'b1', name: 'F', columns: ['c3'] },
  ]);
  expect(withoutMissingColumns(MATCHED, [{ positive: 'c4', importance: 'c3' }], has)).toEqual([
    { positive: null, importance: 'c3' },
  ]);
  const wide = { layout: 'wide', factors: [{ name: '时间', levels: ['前', '后'] }], cells: ['c3', 'c4'] };
  expect(withoutMissingColumns(WITHIN, wide, has)).toEqual({ ...wide, cells: ['c3', null] });
  expect(withoutMissingColumns(TIMELINE, { column: 'c4', frequency: null }, has)).toBeNull();
});
