import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';

import { VariableBoxes } from '../boxes/variable-boxes.tsx';
import type { Form } from '../form.ts';
import { GROUP, Harness, OUTCOME } from '../testing/harness.tsx';
import { VariableCard } from './variable-card.tsx';
import { VariableList } from './variable-list.tsx';

// Typing into antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

// jsdom lays nothing out: the list must believe that it has a height.
beforeAll(() => {
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, value: 600 });
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, value: 256 });
});

interface ListProps {
  onForm: (form: Form) => void;
  onSay: (text: string) => void;
  onRetype?: (ids: readonly string[], kind: string) => void;
}

function List({ onForm, onSay, onRetype = () => undefined }: ListProps) {
  const [selection, setSelection] = useState<readonly string[]>([]);
  return (
    <Harness
      fields={[GROUP, OUTCOME]}
      start={{ group: null, y: [] }}
      selection={selection}
      onForm={onForm}
      onSay={onSay}
    >
      {() => (
        <VariableBoxes onOpen={() => undefined}>
          <VariableList onSelect={setSelection} onRetype={onRetype} />
        </VariableBoxes>
      )}
    </Harness>
  );
}

function start() {
  const seen: { form: Form; said: string[] } = { form: {}, said: [] };
  render(<List onForm={(form) => (seen.form = form)} onSay={(text) => seen.said.push(text)} />);
  return { seen, user: userEvent.setup(), tree: screen.getByRole('tree', { name: '变量' }) };
}

test('the whole assignment by keyboard: arrows, Shift, Enter, digits', async () => {
  const { seen, user, tree } = start();
  tree.focus();
  await user.keyboard('{ArrowDown}{Control>}{Enter}{/Control}');
  expect(seen.said).toEqual([]);
  await user.keyboard('{Enter}');
  expect(seen.form).toEqual({ group: 'c1', y: [] });
  await user.keyboard('{ArrowDown}{ArrowDown}{Shift>}{ArrowDown}{/Shift}2');
  expect(seen.form).toEqual({ group: 'c1', y: ['c3', 'c4'] });
  expect(seen.said).toEqual([
    '已将“性别”加入分组变量X，1/1',
    '已将“运动时长（小时）”“睡眠时长（小时）”加入检验变量Y，共 2 个',
  ]);
  expect(screen.getByText('已在分组变量X')).toBeTruthy();
});

test('a double click sends to the first box that takes it', async () => {
  const { seen, user } = start();
  await user.dblClick(screen.getByText('运动时长（小时）'));
  expect(seen.form).toEqual({ group: null, y: ['c3'] });
});

test('the card tells how many values there are, and how many gaps', () => {
  render(
    <Harness fields={[GROUP, OUTCOME]} start={{ group: null, y: [] }} onForm={() => undefined}>
      {() => <VariableCard ids={['c3']} />}
    </Harness>,
  );
  expect(screen.getByText('有效 100，缺失 2')).toBeTruthy();
});

test('found by pinyin', async () => {
  const { user } = start();
  await user.type(screen.getByRole('textbox', { name: '搜索变量' }), 'ydsc');
  expect(await screen.findByText('1 / 7')).toBeTruthy();
  expect(screen.getAllByRole('treeitem')).toHaveLength(1);
});

test('the type icon opens a menu with what each type means; a selection changes together', async () => {
  const onRetype = vi.fn<(ids: readonly string[], kind: string) => void>();
  render(<List onForm={() => undefined} onSay={() => undefined} onRetype={onRetype} />);
  const user = userEvent.setup();
  await user.click(screen.getByText('运动时长（小时）'));
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await user.click(screen.getByRole('button', { name: '定量，改变“运动时长（小时）”的类型' }));
  expect(await screen.findByText('2 个变量的类型')).toBeTruthy();
  await user.click(screen.getByText('只能分组计数'));
  expect(onRetype).toHaveBeenCalledWith(['c3', 'c4'], '定类');
});
