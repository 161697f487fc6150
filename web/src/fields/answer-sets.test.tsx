import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';

import { setColumns } from './answer-sets.ts';
import { boxesFor, column, GROUP, Harness, OUTCOME, role, SURVEY } from './testing/harness.tsx';
import { firstFitting, force, idsIn, move, place, remove, whyNowhere } from './boxes/box.ts';
import { misfitOf } from './boxes/fit.ts';
import { VariableBox } from './boxes/variable-box.tsx';
import { VariableBoxes } from './boxes/variable-boxes.tsx';
import { byId } from './column.ts';
import { listRows } from './folders.ts';
import type { Form } from './form.ts';
import { VariableList } from './variables/variable-list.tsx';

// Typing into antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

beforeAll(() => {
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, value: 600 });
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, value: 256 });
  Element.prototype.scrollIntoView = () => undefined;
});

const OPTIONS = [column('c8', '渠道(微信)', '定类'), column('c9', '渠道(微博)', '定类')];
const COLUMNS = [...SURVEY, ...OPTIONS];
const CHANNEL = { id: 's1', name: '渠道', label: '用过的渠道', columns: ['c8', 'c9'], counted: 1 };
const SETS = setColumns([CHANNEL], COLUMNS);
const ENTRIES = [...COLUMNS, ...SETS];
const ITEM = { set: 's1', name: '用过的渠道', columns: ['c8', 'c9'], counted: 1 };

const COUNTED = role('variables', '分析变量', { many: true, max: null, sets: true });
const [counted, outcome] = boxesFor([COUNTED, OUTCOME]) as [
  ReturnType<typeof boxesFor>[0],
  ReturnType<typeof boxesFor>[0],
];

test('a set goes into a box as what travels, and keeps that through every move', () => {
  const placed = place({ variables: ['c1'] }, [counted], counted, ['s1'], ENTRIES).form;
  expect(placed).toEqual({ variables: ['c1', ITEM] });
  expect(idsIn(placed, counted)).toEqual(['c1', 's1']);
  expect(move(placed, counted, 's1', -1)).toEqual({ variables: [ITEM, 'c1'] });
  expect(remove(placed, counted, ['c1'])).toEqual({ variables: [ITEM] });
  const boxes = boxesFor([COUNTED, role('columns', '列变量', { many: true, max: null, sets: true })]);
  expect(place(placed, boxes, boxes[1]!, ['s1'], ENTRIES).form).toEqual({ variables: ['c1'], columns: [ITEM] });
});

test('a box that takes none says why; what the engine is asked about holds the set', () => {
  const set = SETS[0]!;
  expect(misfitOf(set, counted.needs)).toBeNull();
  expect(misfitOf(set, outcome.needs)).toMatchObject({
    text: '“用过的渠道”是多选题集（一题多列），这里一个变量只占一列',
    becomes: null,
  });
  expect(whyNowhere({ y: [] }, [outcome], ['s1'], ENTRIES)).toMatchObject({ refusedBy: { key: 'y' } });
  expect(firstFitting({ y: [], variables: [] }, [outcome, counted], ['s1'], ENTRIES)?.key).toBe('variables');
  expect(force({ y: ['c3'] }, [outcome], outcome, ['s1'], byId(ENTRIES))).toEqual({ y: ['c3', ITEM] });
});

test('in the list a set heads its options, and is found by search and in every order', () => {
  const listed = { columns: COLUMNS, sets: SETS, closed: new Set<string>(), hits: null, folders: [] };
  const rows = listRows({ ...listed, order: 'file' });
  expect(rows.slice(-3)).toMatchObject([
    { is: 'folder', set: 's1', title: '用过的渠道', count: 2 },
    { column: { id: 'c8' }, deep: true },
    { column: { id: 'c9' }, deep: true },
  ]);
  const byName = listRows({ ...listed, order: 'name' });
  expect(byName.some((row) => row.is === 'column' && row.column.id === 's1')).toBe(true);
});

interface StartProps {
  fields: Parameters<typeof Harness>[0]['fields'];
  form: Form;
  tools?: Parameters<typeof Harness>[0]['tools'];
}

function start({ fields, form, tools = {} }: StartProps) {
  const seen: { form: Form } = { form };
  render(
    <Harness
      fields={fields}
      start={form}
      tools={{ columns: COLUMNS, sets: SETS, known: byId(ENTRIES), ...tools }}
      onForm={(next) => (seen.form = next)}
    >
      {() => (
        <VariableBoxes onOpen={() => undefined}>
          <VariableList onSelect={() => undefined} onRetype={() => undefined} />
          {boxesFor(fields).map((box, at) => (
            <VariableBox key={box.key} box={box} number={at + 1} />
          ))}
        </VariableBoxes>
      )}
    </Harness>,
  );
  return { seen, user: userEvent.setup(), tree: screen.getByRole('tree', { name: '变量' }) };
}

test('Enter and a double click put a set into the box; left and right close and open it', async () => {
  const { seen, user, tree } = start({ fields: [COUNTED], form: { variables: [] } });
  tree.focus();
  await user.keyboard('{End}{ArrowUp}{ArrowUp}{Enter}');
  expect(seen.form).toEqual({ variables: [ITEM] });
  expect(screen.getByText('2 个选项')).toBeTruthy();
  await user.keyboard('{ArrowLeft}');
  expect(screen.queryByRole('treeitem', { name: /微信/u })).toBeNull();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('treeitem', { name: /微信/u })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '移出“用过的渠道”' }));
  await user.dblClick(screen.getByRole('treeitem', { name: /用过的渠道/u }));
  expect(seen.form).toEqual({ variables: [ITEM] });
});

test('refused, the options one by one are a button away', async () => {
  const remedies = [
    { title: '逐项加入这组变量', set: { y: ['c8', 'c9'] } },
    { title: '改做频数分析', method: 'descriptive/frequency', carry: [] },
  ];
  const done: unknown[] = [];
  const { seen, user, tree } = start({
    fields: [GROUP, OUTCOME],
    form: { group: 'c1', y: [] },
    tools: {
      probe: async () => [{ field: 'y', code: 'role.set', text: '不能整组放多选题集', column: 's1', remedies }],
      remedy: (one) => done.push(one),
    },
  });
  tree.focus();
  await user.keyboard('{End}{ArrowUp}{ArrowUp}{Enter}');
  expect(seen.form).toEqual({ group: 'c1', y: [] });
  await user.click(await screen.findByRole('button', { name: '逐项加入这组变量' }));
  expect(done).toEqual([remedies[0]]);
});
